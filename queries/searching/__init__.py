"""Find passages that match some words, best first, each with its reason."""
