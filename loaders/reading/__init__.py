"""The bytes of a source become the records of a document, whichever kind of document it is."""
