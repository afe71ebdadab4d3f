"""The passages of an edition become an index of their words and links, in one file of SQLite."""
