"""Find which terms and rules rely on which others, over how many links."""
