"""Read the comprehensive rules, whatever the layout of the edition."""
