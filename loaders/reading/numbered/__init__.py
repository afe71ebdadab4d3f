"""Read numbered rules of any kind, using a form that describes how they are printed."""
