"""What an operator does to a service and its records: backup, doctor, verify, rebuild, archive, moderate."""
