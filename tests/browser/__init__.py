"""The page in a real browser, against the whole service."""
