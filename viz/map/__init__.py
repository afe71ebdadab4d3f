"""Draw a whole edition as a map: sections, chapters and things, each with a place that means something."""
