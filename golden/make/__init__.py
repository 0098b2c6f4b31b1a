"""The sources of the goldens."""
