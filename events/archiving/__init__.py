"""The archive: closed tables packed into segments, and old parts of the feeds, in a directory or object storage."""
