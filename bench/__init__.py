"""Measurements: what rulesgraph adds to the time that its engine takes by itself."""
