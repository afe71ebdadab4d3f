"""Draw pictures: choose a part of the graph, lay it out, and write its page."""
