"""What is read: worked out from the log at any time, and never written by anybody else."""
