"""Rules documents, rulings and their cases, event texts, replays of decisions, and the notation."""
