"""Write records as triples, and read them back."""
