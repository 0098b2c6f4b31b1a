"""Walks the computations of a module on one device, one element at a time."""

import dataclasses
import re

from golden.witness.element_types import component, is_float
from golden.witness.evaluator import control, folds, host, scatter
from golden.witness.evaluator.integers import integers
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.rules import RULES
from golden.witness.evaluator.run_time_sizes import (
    check_sizes, follows_live_operands, live, to_equal_sizes, under_bounds, with_sizes_of,
)  # fmt: skip
from golden.witness.evaluator.sums import sum_of
from golden.witness.hlo.module import Module

# Ops that call computations or communicate with the host: the evaluator is the first argument of their rules.
CALLERS = {**control.OPS, **folds.OPS, **scatter.OPS, **host.OPS}


def alone(start):
    """Returns the op that OP-start starts. Its shape follows those of the operands in the start's shape."""
    depth = 0
    for end, letter in enumerate(start.shape[1:], 1):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and letter == ")":
            break
    shape = re.match(r"\w+\[[\d,<=]*\](\{[^}]*\})?", start.shape[end + 1 :].lstrip(", ")).group()
    return dataclasses.replace(start, opcode=start.opcode.removesuffix("-start"), shape=shape)


class Evaluator:
    """An evaluator of a module of HLO text. Values are Arrays, and lists for tuples; a token is an empty tuple."""

    def __init__(self, text):
        self.module = Module(text)
        self.device = 0  # the device of the current instruction
        self.random_states = {}  # by device, created at the first use
        self.from_host = [[]]  # for each device the values of the host for it
        self.to_host = [[]]  # for each device its values for the host

    def run(self, arguments):
        """Returns the result of the entry."""
        return self.call(self.module.entry, arguments)

    def call(self, name, arguments):
        """Returns the result of a computation."""
        values = {}
        for instruction in self.module.computations[name]:
            result = self.evaluate(instruction, values, arguments)
            values[instruction.name] = result
            if instruction.is_root:
                root = result
        return root

    def evaluate(self, instruction, values, arguments):
        """Returns the result of an instruction; `values` has the results of earlier ones, by name."""
        op = instruction.opcode
        if op == "parameter":
            return arguments[int(instruction.operands)]
        names = [] if op == "constant" else instruction.operand_names()
        operands = [values[name] for name in names]
        if follows_live_operands(op, operands):
            operands = to_equal_sizes(instruction, list(map(live, operands)))
            return under_bounds(instruction, self.apply(instruction, operands, values, arguments))
        check_sizes(op, operands)
        return self.apply(instruction, operands, values, arguments)

    def apply(self, instruction, operands, values, arguments):
        """Applies the rule of an instruction's op to operands."""
        op = instruction.opcode
        if op in CALLERS:
            return CALLERS[op](self, instruction, *operands)
        if op.removesuffix("-start") in RULES and op not in RULES:  # An asynchronous op without a computation.
            return [operands, self.evaluate(alone(instruction), values, arguments), integers("u32", [0], ())]
        if op.endswith("-update") and op not in RULES:
            return control.async_update(self, instruction, *operands)
        if op.endswith("-done") and op not in RULES:
            return RULES["async-done"](instruction, *operands)
        if op in RULES:
            return with_sizes_of(op, operands, RULES[op](instruction, *operands))
        raise NotDerived(op)

    def root(self, name):
        """Returns the root of a computation."""
        return next(i for i in self.module.computations[name] if i.is_root)

    def adds_side_by_side(self, name, count):
        """True if a computation of 2 * count floats or complex numbers only returns the sum of each and its partner."""
        body = {instruction.name: instruction for instruction in self.module.computations[name]}
        root = self.root(name)
        sums = [root] if count == 1 and root.opcode == "add" else []
        if root.opcode == "tuple":
            sums = [body[operand] for operand in root.operand_names()]
        return len(sums) == count and all(self.is_sum(body, total, k, count) for k, total in enumerate(sums))

    def is_sum(self, body, total, k, count):
        """True if an instruction adds parameters k and count + k of its own type, a float or complex type."""
        parts = [body[operand] for operand in total.operand_names()]
        if total.opcode != "add" or any(part.opcode != "parameter" or part.type != total.type for part in parts):
            return False
        return {int(part.operands) for part in parts} == {k, count + k} and is_float(component(total.type))

    def fold(self, name, initial, rows):
        """Folds `initial` and each row, lists with one scalar for each operand. Sums are exact and rounded once."""
        if self.adds_side_by_side(name, len(initial)):
            return [sum_of([row[i] for row in [initial, *rows]]) for i in range(len(initial))]
        state = initial
        for row in rows:
            result = self.call(name, state + row)
            state = result if isinstance(result, list) else [result]
        return state
