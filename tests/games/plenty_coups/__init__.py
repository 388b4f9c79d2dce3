"""Plenty Coups: worked examples, refusals, rulings, and who sees what."""
