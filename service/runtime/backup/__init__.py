"""Backup and restore of a store while the service runs: the log, accounts, transcripts and what says whose they are.

A backup holds what nothing else can make again. The service's secret and people's keys
lie apart.
"""
