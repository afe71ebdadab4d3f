"""Load prepared documents, and everything derived from them, into a store in one change."""
