"""Greedy players, one module per game: each values moves one move ahead, in points of its game."""
