"""How much of a finished game was luck: what chance, and what seats that choose by chance themselves, made of it."""
