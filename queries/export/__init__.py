"""Write what a question sees to files: RDF in six notations, links, and passages."""
