"""Templates of modules of an attribute class (corpus/matrix.py), one module for each family of ops."""
