"""Rules, rulings and their cases, words, notation, and games decided again."""
