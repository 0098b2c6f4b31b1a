"""How a module of an op with a given element type looks, one module a family of ops."""
