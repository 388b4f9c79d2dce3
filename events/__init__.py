"""The log: the hash-chained events of each table. It knows no game."""
