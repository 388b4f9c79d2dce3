"""The games as environments for learners."""
