"""What machines do: dispatch what is due and play the turns of AI seats."""
