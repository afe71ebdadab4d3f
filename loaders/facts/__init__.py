"""Definitions become facts: what a thing is, what belongs to it, how it is called and written."""
