"""Write the graph to files: RDF in six formats, links, and passages."""
