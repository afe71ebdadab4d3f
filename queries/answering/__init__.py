"""A question, by its name or in words, becomes an answer."""
