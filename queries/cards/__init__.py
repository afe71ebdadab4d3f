"""Find cards in questions, and what they touch."""
