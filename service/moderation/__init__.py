"""What players report, what operators do about it, and what stands against an account."""
