"""The web service: the Flask app and its resources, command handlers, accounts, streams and limits."""

__version__ = "0.1.0"
