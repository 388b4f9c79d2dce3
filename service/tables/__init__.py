"""The use cases: what people do at tables, and what they and operators are told. One module a subject, no web."""
