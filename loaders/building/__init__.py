"""Documents and what rests on them go into a store, in one change."""
