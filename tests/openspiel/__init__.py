"""The games for OpenSpiel: a step of `make trust`."""
