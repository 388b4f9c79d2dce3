"""The games: what holds in all of them (`laws`), given / when / then (`spec`), golden games, and a folder for each."""
