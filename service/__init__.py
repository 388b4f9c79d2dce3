"""What people ask for: use cases, the REST edge, the command line and the configuration."""
