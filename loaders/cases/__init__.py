"""Read solved cases, and write them into a store next to its editions."""
