"""The Python interface: what `import rulesgraph` provides."""
