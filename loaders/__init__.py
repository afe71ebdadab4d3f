"""Read documents and load them into a store."""
