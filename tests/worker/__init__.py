"""The dispatcher, the turn queue, AI players and what they may know, webhooks."""
