"""Read numbered rules of any kind, by a form that says how they are printed."""
