"""Adapters: programs that offer other implementations over the process protocol."""
