"""Ops that call a computation as a whole: calls, loops, branches."""

import dataclasses

from golden.witness.evaluator.integers import integers


@dataclasses.dataclass(frozen=True)
class Unbound:
    """The pending result of a computation that needs more operands."""

    computation: str


def call(evaluator, instruction, *operands):
    """Runs a call or a fusion."""
    return evaluator.call(instruction.text("to_apply") or instruction.text("calls"), list(operands))


def bound(evaluator, name, operands):
    """Returns the operands, the result of the computation once all operands are bound, and a context that nothing
    reads."""
    parameters = [i for i in evaluator.module.computations[name] if i.opcode == "parameter"]
    has_all = len(operands) == len(parameters)
    return [operands, evaluator.call(name, operands) if has_all else Unbound(name), integers("u32", [0], ())]


def async_start(evaluator, instruction, *operands):
    """Binds the first operands of a computation."""
    return bound(evaluator, instruction.text("calls"), list(operands))


def async_update(evaluator, _, state, *late):
    """Binds further operands after the bound ones."""
    operands, result, _ = state
    return bound(evaluator, result.computation, [*operands, *late]) if late else state


def while_(evaluator, instruction, state):
    """Runs the body while the condition is true."""
    while evaluator.call(instruction.text("condition"), [state]).values:
        state = evaluator.call(instruction.text("body"), [state])
    return state


def conditional(evaluator, instruction, selector, *operands):
    """Runs the branch of a pred or an index; an index out of range selects the last branch."""
    branches = instruction.names("branch_computations")
    if not branches:
        branches = [instruction.text("true_computation"), instruction.text("false_computation")]
        choice = 0 if selector.values else 1
    else:
        choice = int(selector.values)
        choice = choice if 0 <= choice < len(branches) else len(branches) - 1
    return evaluator.call(branches[choice], [operands[choice]])


OPS = {
    "call": call, "fusion": call, "async-start": async_start, "async-update": async_update, "while": while_,
    "conditional": conditional,
}  # fmt: skip
