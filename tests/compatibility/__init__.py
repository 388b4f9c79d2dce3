"""What each release left behind, which every later version has to read.

A folder is named for its release. It holds the archive of a finished table of each game, the data directory of a
service, the accounts to use it with, and the Python client. `python -m tests.compatibility.freeze` makes the folder of
this version. Before the release it may be made again; then its files never change, and each release adds a folder.
"""
