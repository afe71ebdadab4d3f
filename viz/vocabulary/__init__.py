"""Write the reference page of the vocabulary, with its diagram."""
