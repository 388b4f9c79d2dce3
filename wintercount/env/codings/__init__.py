"""The codings of the games: a module each, named like the folder of the game, with a function `coding`."""
