"""Finished games, their search, statistics and ratings, in one SQLite file on each machine.

The file is built from the store and the archive alone. A thread brings it up to date for each query.
"""
