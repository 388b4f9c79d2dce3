"""Plenty Coups: worked examples, refusals, rulings, who sees what, and older events."""
