"""Templates of modules of an op with a given element type, one module for each family of ops."""
