"""Index the words and links of an edition's passages in one SQLite file."""
