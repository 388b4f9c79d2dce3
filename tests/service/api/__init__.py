"""The REST edge: every resource, its document, and that no answer tells a secret."""
