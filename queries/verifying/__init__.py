"""Check the citations of rules in any text against an edition."""
