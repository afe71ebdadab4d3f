"""What a question sees goes out as files: RDF in six notations, links, and passages."""
