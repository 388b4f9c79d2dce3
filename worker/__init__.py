"""Background work: the dispatcher, AI turns, analyses, webhooks, and archiving."""
