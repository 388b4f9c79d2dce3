"""Whether the tests notice that the code was changed: mutants of games, log, projections and use cases."""
