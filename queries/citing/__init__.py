"""Check the rule citations in source trees."""
