"""Ops that call a computation as a whole: calls, loops, branches."""

from oracle.evaluator.integers import integers


def call(evaluator, instruction, *operands):
    """call, and fusion, which is one."""
    return evaluator.call(instruction.text("to_apply") or instruction.text("calls"), list(operands))


def async_start(evaluator, instruction, *operands):
    """The operands, the result, and a context that nobody reads."""
    return [list(operands), call(evaluator, instruction, *operands), integers("u32", [0], ())]


def while_(evaluator, instruction, state):
    """The body, as long as the condition holds."""
    while evaluator.call(instruction.text("condition"), [state]).values:
        state = evaluator.call(instruction.text("body"), [state])
    return state


def conditional(evaluator, instruction, selector, *operands):
    """By a pred, or by an index: the last branch for one that names none."""
    branches = instruction.names("branch_computations")
    if not branches:
        branches = [instruction.text("true_computation"), instruction.text("false_computation")]
        choice = 0 if selector.values else 1
    else:
        choice = int(selector.values)
        choice = choice if 0 <= choice < len(branches) else len(branches) - 1
    return evaluator.call(branches[choice], [operands[choice]])


OPS = {"call": call, "fusion": call, "async-start": async_start, "while": while_, "conditional": conditional}
