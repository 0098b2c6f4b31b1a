"""The cases whose arguments and results are written in rows (docs/golden_format.md#rows)."""

from golden.witness.arrays import line_of
from golden.witness.evaluator import conversions, elementwise
from golden.witness.hlo.goldens import is_digest
from golden.witness.hlo.module import Module

# An element of a result depends only on the operands' elements at the same index, if all dimensions are equal.
OPS = {*elementwise.OPS, *conversions.OPS, "parameter", "constant", "broadcast", "tuple"}
FEWEST_ELEMENTS = 8


def is_by_element(golden, case):
    """True if the arguments and results of a case are written in rows."""
    values = [*case.arguments, *case.want]
    if not case.arguments or not case.want or any(is_digest(value, golden.digests) for value in case.want):
        return False
    if len({value.values.shape for value in values}) > 1 or values[0].values.size < FEWEST_ELEMENTS:
        return False
    if case.argument_texts != list(map(line_of, case.arguments)):  # such as `seeded 7`
        return False
    computations = Module(golden.module_of(case)).computations.values()
    return all(instruction.opcode in OPS for body in computations for instruction in body)
