"""Find the passages that contain some words, best first, each with its reason."""
