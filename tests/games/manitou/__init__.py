"""Manitou: worked examples, refusals, rulings, and who sees what."""
