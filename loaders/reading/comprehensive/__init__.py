"""The comprehensive rules of any edition become a document."""
