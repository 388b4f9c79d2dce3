"""Tasks of operators and auditors: backup, doctor, verify, rebuild, archive, moderate."""
