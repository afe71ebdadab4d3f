"""Find defects in the documents and the graph, and infer what follows from the facts."""
