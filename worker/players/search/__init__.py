"""Searching players, one module per game: they try moves on imagined tables that agree with what their seat knows."""
