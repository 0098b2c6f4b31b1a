"""How a module of an attribute class looks (oracle/corpus/matrix.py), one module a family of ops."""
