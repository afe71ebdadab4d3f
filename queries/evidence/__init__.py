"""Find the sentences that links, and rows of answers, rest on."""
