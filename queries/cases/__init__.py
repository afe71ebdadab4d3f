"""Find the solved cases that are like a question."""
