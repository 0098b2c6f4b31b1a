"""The Python side of assay: the second evaluator, the audit of the goldens, and their sources."""
