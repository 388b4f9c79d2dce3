"""Playing in a terminal: what is drawn of a table, how a move is chosen, and the course of a game."""
