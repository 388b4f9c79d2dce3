"""Use cases, processes and the page without a browser; what goes over HTTP is in `api`."""
