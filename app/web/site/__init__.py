"""A store becomes a site of files: the pages, linked data, a search that needs no server, and downloads."""
