"""Read facts from definitions: what a thing is, what belongs to it, what it is called."""
