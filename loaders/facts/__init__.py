"""Read facts from definitions: what a thing is, what it contains, its other names."""
