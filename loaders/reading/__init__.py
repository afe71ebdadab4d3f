"""Read files: decode their bytes, detect the kind of document, and parse it into records."""
