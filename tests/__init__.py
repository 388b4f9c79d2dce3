"""What holds, one folder a package of the tree; `make test` runs all but what takes long or a browser."""
