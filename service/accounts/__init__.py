"""Who asks: accounts, tokens, names, webhooks, and what is sealed for them."""
