"""Walks the computations of a module on one device, one element at a time."""

from oracle.arrays import components
from oracle.element_types import COMPLEX, component, is_float
from oracle.evaluator import control, folds, host, scatter
from oracle.evaluator.not_derived import NotDerived
from oracle.evaluator.products import from_results
from oracle.evaluator.rounding import exact_sum
from oracle.evaluator.rules import RULES
from oracle.evaluator.run_time_sizes import check_sizes, with_sizes_of
from oracle.hlo.module import Module

# Ops that call computations, or meet the host: their rules take the evaluator first.
CALLERS = {**control.OPS, **folds.OPS, **scatter.OPS, **host.OPS}


class Evaluator:
    """A module of HLO text, ready to be run. Values are Arrays, and lists for tuples; a token is a tuple of nothing."""

    def __init__(self, text):
        self.module = Module(text)
        self.device = 0  # the one whose instruction is evaluated
        self.from_host = [[]]  # what the host has for each device
        self.to_host = [[]]  # what each has given it

    def run(self, arguments):
        """The result of the entry."""
        return self.call(self.module.entry, arguments)

    def call(self, name, arguments):
        """The result of a computation."""
        values = {}
        for instruction in self.module.computations[name]:
            result = self.evaluate(instruction, values, arguments)
            values[instruction.name] = result
            if instruction.is_root:
                root = result
        return root

    def evaluate(self, instruction, values, arguments):
        """The result of one instruction; `values` has those of the ones before it, by name."""
        op = instruction.opcode
        if op == "parameter":
            return arguments[int(instruction.operands)]
        names = [] if op == "constant" else instruction.operand_names()
        operands = [values[name] for name in names]
        check_sizes(op, operands)
        if op in CALLERS:
            return CALLERS[op](self, instruction, *operands)
        if op in RULES:
            return with_sizes_of(op, operands, RULES[op](instruction, *operands))
        raise NotDerived(op)

    def root(self, name):
        """The root of a computation."""
        return next(i for i in self.module.computations[name] if i.is_root)

    def adds_floats(self, name):
        """Whether a computation is the sum of its two parameters, floats or complex numbers."""
        root = self.root(name)
        is_sum = root.opcode == "add" and len(self.module.computations[name]) == 3
        return is_sum and is_float(component(root.type))

    def adds_to_carry(self, name):
        """Whether a step of a scan does no more than add its two parameters, floats, for the slice and the carry."""
        named = {i.name: i for i in self.module.computations[name]}
        parameters = {i.name for i in named.values() if i.opcode == "parameter"}
        root = self.root(name)
        if root.opcode != "tuple" or len(root.operand_names()) != 2 or len(parameters) != 2:
            return False
        sums = [named[operand] for operand in root.operand_names()]
        return all(i.opcode == "add" and set(i.operand_names()) == parameters and is_float(component(i.type))
                   for i in sums)

    def exact_total(self, initial, rows):
        """The sum of the first scalar of each row, exact and rounded once."""
        kind = initial[0].type
        columns = zip(*([float(part) for part in components(row[0])] for row in [initial, *rows]))
        sums = tuple(exact_sum(component(kind), list(terms)) for terms in columns)
        return [from_results(kind, [sums if kind in COMPLEX else sums[0]], ())]

    def fold(self, name, initial, rows):
        """initial and each row: a list of scalars, one an operand. Sums are exact and rounded once."""
        if self.adds_floats(name) and len(initial) == 1:
            return self.exact_total(initial, rows)
        state = initial
        for row in rows:
            result = self.call(name, state + row)
            state = result if isinstance(result, list) else [result]
        return state
