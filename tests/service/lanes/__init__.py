"""How a request gets its answer: on the event loop, or in a thread; and what both share."""
