"""Link the documents of an edition, and editions with one another: citations, mentions, definitions."""
