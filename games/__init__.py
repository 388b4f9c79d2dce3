"""The games hosted, by slug. To add one, copy the smallest and add its line here."""
