"""Read card data, and write cards, their names, keywords, mentions and rulings as triples."""
