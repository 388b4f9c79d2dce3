"""Read models: computed from the log at any time, and written by nobody else."""
