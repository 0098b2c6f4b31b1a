"""Cases: inputs and reasons, one module for each family of ops."""
