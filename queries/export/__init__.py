"""Write the graph that a question sees to files: RDF in six notations, links, and passages."""
