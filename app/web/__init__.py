"""The service on the web: a SPARQL endpoint, linked data and pages over one store."""
