"""Everything known about one thing, as a sheet of answers."""
