"""The processes: web, dispatcher and worker, the supervisor that runs them, and the embedded store."""
