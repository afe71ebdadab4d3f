"""Write the graph that a question sees to files: RDF in six formats, links, and passages."""
