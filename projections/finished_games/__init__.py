"""Games played: what was finished, by whom and how, in one SQLite file on each machine; and the ratings that follow.

The file is made of what the store and the segments of the archive tell and of nothing else. A thread
brings it up to date whenever somebody asks.
"""
