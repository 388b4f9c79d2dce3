"""Playing in a terminal: drawing a table, choosing a move, and the course of a game."""
