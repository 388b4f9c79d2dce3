"""Files that are sent as fast as each client takes them."""

DOWNLOADED = "wintercount.downloaded"  # in the WSGI environment
