"""Event streams: one reader of the feed serves all listeners of a process, and none of them needs a thread.

The REST edge only says which stream a response is to become (`frames.Follow`). The server writes the frames that the
`hub` gives. Frames are Server-Sent Events.
"""
