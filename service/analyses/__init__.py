"""Analyses of finished tables: who asked for which, how far each has come, and what came of it."""
