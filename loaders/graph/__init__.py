"""Records become triples and triples become records again."""
