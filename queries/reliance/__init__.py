"""Reliance: which terms and rules rely on which, over how many links."""
