"""Read glossary texts without dates and numbers."""
