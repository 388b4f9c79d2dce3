"""Builds the contract files of the API from its resources, the games, and recorded examples: `make openapi`."""
