"""What generates the clients' code from `openapi.yaml`."""
