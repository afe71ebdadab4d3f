"""Draw a whole edition as a map: sections, chapters and things, each in a meaningful place."""
