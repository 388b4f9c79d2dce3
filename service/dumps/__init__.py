"""Dumps: all public tables that ended in a month, as one file that anybody may take away and check."""
