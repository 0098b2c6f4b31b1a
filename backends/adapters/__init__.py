"""Adapters: programs that speak the process protocol for somebody else."""
