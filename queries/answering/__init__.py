"""A question, by its name or in words, becomes an answer; a thing becomes a sheet of answers."""
