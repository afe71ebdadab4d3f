"""Find passages that match some words, best first, with the reason for each."""
