"""Values from and to the host, in the order of the instructions."""

from golden.witness.evaluator.integers import integers
from golden.witness.evaluator.not_derived import NotDerived


def infeed(evaluator, instruction, token):
    """Returns the host's next value for the device; reads nothing for an empty tuple."""
    if instruction.shape.replace(" ", "").startswith("(()"):
        return [[], []]
    if not evaluator.from_host[evaluator.device]:
        raise NotDerived("an infeed that the host has nothing for")
    return [evaluator.from_host[evaluator.device].pop(0), []]


def outfeed(evaluator, instruction, value, token):
    """Sends a value to the host."""
    evaluator.to_host[evaluator.device].append(value)
    return []


def random_state(evaluator, instruction):
    """Returns the state of the device, two words, and advances it. The first state is that of the reference and of
    XLA:CPU."""
    if any(i.opcode == "rng" for body in evaluator.module.computations.values() for i in body):
        raise NotDerived("a state that draws move too")
    state = evaluator.random_states.get(evaluator.device, 117515157)
    evaluator.random_states[evaluator.device] = (state + int(instruction.text("delta"))) % 2**128
    return integers("u64", [state % 2**64, state >> 64], (2,))


OPS = {"rng-get-and-update-state": random_state, "infeed": infeed, "outfeed": outfeed}
