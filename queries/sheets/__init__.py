"""Everything that is known of one thing, as a sheet of answers."""
