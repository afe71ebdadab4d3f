"""The words: IRIs, vocabulary, shapes, JSON-LD context, errors and reasoning."""
