"""Check the citations of rules in trees of sources."""
