"""The front door for programs: what stands behind `import rulesgraph`."""
