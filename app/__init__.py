"""The front doors: for programs, the command line, the service and its site, tools for language models."""
