"""Where processes are put together: the app, the server, the supervisor and the command line."""
