"""Templates of modules of an attribute class (golden/make/matrix.py), one module for each family of ops."""
