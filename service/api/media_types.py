"""Media types of bodies, and the schemas of those that are not JSON."""

JSON, LINES, FRAMES = "application/json", "application/x-ndjson", "text/event-stream"
PROBLEM = "application/problem+json"
FILE = "application/octet-stream"  # generators read no other type as bytes

TEXT, BINARY = {"type": "string"}, {"type": "string", "format": "binary"}
