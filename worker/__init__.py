"""What machines do: see to what is due, and play the turns of AI seats."""
