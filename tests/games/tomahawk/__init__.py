"""Tomahawk: worked examples, reference games, refusals, rulings, and imagined tables."""
