"""Reads card data, and writes cards, their names, keywords, mentions and rulings as triples."""
