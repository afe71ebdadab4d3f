"""Linked data: what is known about the thing at an address below the base."""
