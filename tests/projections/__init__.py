"""What is computed from the log: tables, lobby, standings, and the runner that keeps them up to date."""
