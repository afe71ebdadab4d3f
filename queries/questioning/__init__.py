"""The graph becomes questions with exact answers, to measure any assistant on the rules."""
