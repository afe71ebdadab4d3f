"""Pictures: choosing a part of the graph, laying it out, writing the page."""
