"""Show everything known about a thing, as a sheet of tables."""
