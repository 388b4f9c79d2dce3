"""What happens at tables: one module a subject, no web in any of them."""
