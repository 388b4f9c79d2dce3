"""Analyses of finished games: the expected value of decisions from the seats' own views, and the share of luck."""
