"""What a question sees goes out as files: RDF in six notations, links as GraphML and CSV, passages as lines."""
