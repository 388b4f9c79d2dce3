"""Makes a record again with the use cases that recorded it, and compares: a whole one, a batch, an AI player's move."""
