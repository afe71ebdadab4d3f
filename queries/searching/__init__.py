"""Words become the passages that hold them, the best first, each with its reason."""
