"""Tomahawk: worked examples, reference games, refusals, rulings, imagined tables, and older events."""
