"""Read pages of a rulings site."""
