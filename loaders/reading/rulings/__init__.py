"""Pages of a rulings site become documents."""
