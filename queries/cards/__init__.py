"""Finds cards in questions, and tells what they touch."""
