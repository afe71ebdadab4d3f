"""The interface for programs: what `import rulesgraph` gives."""
