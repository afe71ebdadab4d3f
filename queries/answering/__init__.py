"""Answer a question, by its name or in words."""
