"""What a question sees goes out as files: RDF in six notations, and links as GraphML and CSV."""
