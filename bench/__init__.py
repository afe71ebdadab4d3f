"""Measurements: what rulesgraph adds to the time of its engine."""
