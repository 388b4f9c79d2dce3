"""What decisions were worth, as the seats saw them then: rollouts in imagined worlds. It never sees open cards."""
