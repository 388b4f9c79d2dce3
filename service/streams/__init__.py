"""Server-Sent Events: one thread reads the feed for all streams of a process, and no stream holds a thread.

A resource answers with a subscription (`frames.Subscription`); the server then writes the frames that `hub.Hub` yields.
"""
