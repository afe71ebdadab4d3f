"""The vocabulary and its reference page, with its diagram."""
