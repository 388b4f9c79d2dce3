"""What a store has lost: processes save what they held of it; commands compare copies and bring tables back."""
