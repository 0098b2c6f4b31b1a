"""What an evaluation ends with where the second evaluator has no rule."""


class NotDerived(Exception):
    """No rule here for this instruction."""
