"""Find the sentences behind links and rows of answers."""
