"""Cases: inputs and reasons, one module a family of ops."""
