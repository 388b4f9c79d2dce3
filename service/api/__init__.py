"""The REST edge: one module a resource, the schemas, and what all resources share."""
