"""Transcripts: texts in notation that are kept and read as tables, with no record that proves them."""
