"""The interfaces: Python, the command line, the web service and site, tools for language models."""
