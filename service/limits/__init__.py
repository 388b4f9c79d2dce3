"""Limits for accounts and addresses: request rates, quotas, and the sizes of bodies."""
