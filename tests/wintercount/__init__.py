"""The command line, the processes, what operators do, and the library."""
