"""Follow rules and entries through the editions of the comprehensive rules."""
