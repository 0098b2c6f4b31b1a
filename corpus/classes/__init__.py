"""How a module of an attribute class looks (corpus/matrix.py), one module a family of ops."""
