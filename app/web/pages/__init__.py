"""Pages for people, rendered from rules and parameters: the same on the server and on a static site."""
