"""The log: what happened at each table, hash-chained and never redrawn. It knows no game."""
