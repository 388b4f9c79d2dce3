"""How the games are told to a learner: a module for each, named like its folder, whose `coding` gives its `Coding`."""
