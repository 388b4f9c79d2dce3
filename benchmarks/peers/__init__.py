"""Beside peers: what others would pick instead, measured in the same run: `make peers`."""
