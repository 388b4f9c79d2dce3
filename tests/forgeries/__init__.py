"""Archives altered field by field and hashed anew: what `wintercount verify` finds, and what nothing could find."""
