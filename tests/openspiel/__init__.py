"""The games for OpenSpiel: `make test-openspiel`."""
