"""Ops that only forward their operands: tuples, tokens, copies, the ends of asynchronous ops, and the device's ids."""

from golden.witness.evaluator.integers import integers
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.run_time_sizes import TARGETS as OF_RUN_TIME_SIZES


def same(_, operand, *others):
    """Returns the first operand."""
    return operand


def get_tuple_element(instruction, operand):
    """Returns one element of a tuple."""
    return operand[int(instruction.text("index"))]


# Targets that only control the storage of a value.
MARKERS = ("Sharding", "annotate_device_placement", "LayoutConstraint", "MoveToDevice", "MoveToHost")
TARGETS = {**dict.fromkeys(MARKERS, same), **OF_RUN_TIME_SIZES}


def custom_call(instruction, *operands):
    """Dispatches to the function of the target."""
    target = instruction.text("custom_call_target")
    if target.strip('"') not in TARGETS:
        raise NotDerived(f"custom-call {target}")
    return TARGETS[target.strip('"')](instruction, *operands)


def device_id(_):
    """Returns the id of the only device."""
    return integers("u32", [0], ())


OPS = {
    "tuple": lambda _, *operands: list(operands), "after-all": lambda _, *operands: [],
    "get-tuple-element": get_tuple_element, "copy": same, "opt-barrier": same, "domain": same, "add-dependency": same,
    "copy-start": lambda _, operand: [operand, operand, []], "copy-done": lambda _, state: state[0],
    "async-done": lambda _, state: state[1], "custom-call": custom_call,
    "replica-id": device_id, "partition-id": device_id,
}  # fmt: skip
