"""Documents become records, records become quads, quads fill a store."""
