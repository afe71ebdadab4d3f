"""Reads solved cases, and writes them beside the editions of a store."""
