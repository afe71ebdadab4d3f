"""The questions: SPARQL files with headers, and the code that binds, runs and explains them."""
