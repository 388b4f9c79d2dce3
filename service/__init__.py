"""What people ask for: use cases, the REST edge, the command line and the configuration."""

__version__ = "0.1.0"
