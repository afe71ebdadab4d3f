"""Show everything known about one thing: as a sheet of tables, or as a node to query."""
