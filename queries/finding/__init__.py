"""Find what people mean by the names they type, in an edition that has it."""
