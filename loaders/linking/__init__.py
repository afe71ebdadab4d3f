"""The documents of an edition, and editions among each other, become links with their evidence."""
