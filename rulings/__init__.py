"""What judges and explains: rules documents, rulings and their cases, words, and deciding again."""
