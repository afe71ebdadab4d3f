"""The commands, a module for each; `rulesgraph.app.cli` imports the one that is called.

Each module has `EXAMPLES` (a few lines for its help), `TAKES` (which of the shared options `edition`
and `format` it has), `arguments(parser)`, which adds its own, and `run(options)`, which does the work
and returns the exit code. `options.store`, `.edition` and `.format` are always there.
"""
