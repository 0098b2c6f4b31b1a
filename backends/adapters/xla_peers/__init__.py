"""Peers from jaxlib. The script beside this package runs them; tests import backends.adapters.xla_peers."""
