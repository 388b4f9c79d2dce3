"""Manitou: worked examples, refusals, rulings, who sees what, and older events."""
