"""Values that come from the host and go to it, in the order of the instructions."""

from oracle.evaluator.integers import integers
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


def random_state(evaluator, instruction):
    """The state of the device, two words of it, which then moves on; the first is the reference's and XLA:CPU's."""
    if any(i.opcode == "rng" for body in evaluator.module.computations.values() for i in body):
        raise NotDerived("a state that draws move too")
    state = evaluator.random_states.get(evaluator.device, 117515157)
    evaluator.random_states[evaluator.device] = (state + int(instruction.text("delta"))) % 2**128
    return integers("u64", [state % 2**64, state >> 64], (2,))


OPS = {"rng-get-and-update-state": random_state, "infeed": infeed, "outfeed": outfeed}
