"""What an account or an address may take: rates, quotas, and the sizes of bodies."""
