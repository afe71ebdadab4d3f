"""The SPARQL endpoint: queries run in worker processes, which are killed at their deadline."""
