"""What machines do: ring for what is due, and play the turns of AI seats."""
