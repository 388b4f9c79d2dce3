"""What machines do: dispatch what is due, play the turns of AI seats, analyse, send webhooks, archive closed tables."""
