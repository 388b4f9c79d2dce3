"""What an account or an address may take: budgets, quotas, and what requests cost."""
