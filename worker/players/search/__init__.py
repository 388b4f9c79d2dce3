"""Players that search, one module a game: they try moves on tables that may be, as their seat knows them."""
