"""Define what everything else is written in: IRIs, vocabulary, shapes, errors, and the reasoner."""
