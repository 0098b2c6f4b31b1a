"""A second reading of the ops, in exact arithmetic, one element at a time."""
