"""Greedy players, one module a game: each weighs the moves that it would think of, in points of its game."""
