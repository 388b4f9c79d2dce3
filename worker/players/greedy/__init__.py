"""Greedy players: one move ahead, from the seat's own view."""
