"""HLO text and golden files."""
