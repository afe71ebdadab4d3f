"""The front doors: the command line, and later the service, the site and the tools."""
