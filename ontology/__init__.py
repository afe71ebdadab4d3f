"""The foundations: IRIs, vocabulary, shapes, errors, and the reasoner."""
