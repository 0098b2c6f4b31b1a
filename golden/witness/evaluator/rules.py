"""The rules of all ops that call no computation: from the op to a function of the instruction and its operands."""

from golden.witness.evaluator import (
    batch_norm, constants, conversions, decompositions, elementwise, fourier, indexing, movement, products,
    random_bits, run_time_sizes, tuples,
)  # fmt: skip

FAMILIES = (batch_norm, constants, conversions, decompositions, elementwise, fourier, indexing, movement, products,
            random_bits, run_time_sizes, tuples)  # fmt: skip
RULES = {op: rule for family in FAMILIES for op, rule in family.OPS.items()}
