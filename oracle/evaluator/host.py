"""Values that come from the host and go to it, in the order of the instructions."""

from oracle.evaluator.not_derived import NotDerived


def infeed(evaluator, instruction, token):
    """The host's next value for the device; nothing is read for an empty tuple."""
    if instruction.shape.replace(" ", "").startswith("(()"):
        return [[], []]
    if not evaluator.from_host[evaluator.device]:
        raise NotDerived("an infeed that the host has nothing for")
    return [evaluator.from_host[evaluator.device].pop(0), []]


def outfeed(evaluator, instruction, value, token):
    """Gives the host a value."""
    evaluator.to_host[evaluator.device].append(value)
    return []


OPS = {"infeed": infeed, "outfeed": outfeed}
