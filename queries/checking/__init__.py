"""Find what is wrong with the documents and the graph, and what follows from them."""
