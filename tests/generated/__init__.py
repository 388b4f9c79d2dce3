"""Clients that others' generators make of openapi.yaml play whole games: `make test-clients`."""
