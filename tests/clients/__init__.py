"""The released clients, against the service as it is run."""
