"""Links and rows become the sentences of the documents that they rest on."""
