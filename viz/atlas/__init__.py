"""The whole of an edition as a map: countries, towns and houses, each with a place that means something."""
