"""The command line: the commands by subject, what they print, and the terminal player."""
