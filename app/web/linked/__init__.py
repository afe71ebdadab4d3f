"""Linked data: what is known of the thing that an address below the base names."""
