"""All campaigns of trust by one command: `make trust`. It goes on where it stopped, and tells what was done so far."""
