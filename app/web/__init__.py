"""Serve a store over HTTP: a SPARQL endpoint, linked data and pages."""
