"""The index of games played, what is found in it, and ratings."""
