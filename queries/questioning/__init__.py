"""Make questions with exact answers from the graph, to measure any assistant on the rules."""
