"""The exception of an evaluation for which the second evaluator has no rule."""


class NotDerived(Exception):
    """Raised for an instruction without a rule."""
