"""Peers from jaxlib. The script beside this package speaks for them; tests import backends.adapters.xla_peers."""
