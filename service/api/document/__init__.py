"""The OpenAPI document: what the resources say of themselves, the games, and recorded examples."""
