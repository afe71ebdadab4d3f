"""A store as a static site: pages, linked data, a search that needs no server, and downloads."""
