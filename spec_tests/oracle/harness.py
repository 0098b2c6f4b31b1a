"""Random modules, evaluated by assay and by a second reading of the specification, compared bit for bit.

A case is a few instructions on random arrays. The cases of a batch are the parts of one module's result, so that the
program starts once for many of them. ORACLE_SEED (1) chooses other ones.
"""

import dataclasses
import functools
import math
import os
import random
import unittest

import numpy as np

from golden.witness import program
from golden.witness.arrays import Array
from golden.witness.element_types import (
    COMPLEX, DTYPES, ELEMENT_TYPES, FORMATS, is_float, is_integer, limits, stored_type, width_of,
)  # fmt: skip
from golden.witness.evaluator.evaluator import Evaluator

np.seterr(all="ignore")  # casts to types that do not have the value are what some cases are about
SEED = int(os.environ.get("ORACLE_SEED", "1"))
TYPES = sorted(ELEMENT_TYPES)
FLOATS = sorted(FORMATS)
INTEGERS = [t for t in TYPES if is_integer(t)]
REALS = FLOATS + INTEGERS


def shape_text(kind, dimensions):
    return f"{kind}[{','.join(map(str, dimensions))}]"


def braces(numbers):
    return "{" + ",".join(map(str, numbers)) + "}"


@dataclasses.dataclass
class Case:
    """`instructions` may use @p0, @p1, ... for the parameters and must define @r; "@" is a prefix that separates the
    names of a batch's cases. `expected` is the value of r; if it is empty, the second evaluator computes it."""

    parameters: list
    instructions: str
    computations: str = ""
    expected: list = dataclasses.field(default_factory=list)


class Random(random.Random):
    def dimensions(self, low=0, high=5, elements=48):
        """Sizes from zero on, ones and zeros among them, of not too many elements together."""
        rank = self.randint(low, high)
        sizes = [self.choice([0, 1, 1, 2, 2, 3, 3, 4, 5]) for _ in range(rank)]
        while math.prod(sizes) > elements:
            sizes[self.randrange(rank)] = self.randint(1, 2)
        return sizes

    def array(self, kind, dimensions):
        """Any bits for types of whole bytes, any number for narrower ones."""
        count = math.prod(dimensions)
        if kind == "pred":
            return Array(kind, np.array([self.random() < 0.5 for _ in range(count)], bool).reshape(dimensions))
        if ELEMENT_TYPES[kind].byte:
            return self.numbers(kind, dimensions)
        if is_float(kind) and np.dtype(DTYPES[kind]).itemsize == 1:
            data = bytes(self.randrange(1 << width_of(kind)) for _ in range(count))
        else:
            data = self.randbytes(count * np.dtype(DTYPES[kind]).itemsize)
        return Array.from_bytes(shape_text(kind, dimensions), data)

    def numbers(self, kind, dimensions, low=-8, high=8):
        """Small numbers of a type: integers wrap, floats are quarters or eighths, now and then a negative zero."""
        count = math.prod(dimensions)
        if kind in COMPLEX:
            parts = self.numbers(COMPLEX[kind], [2 * count], low, high).values
            return Array(kind, parts.view(DTYPES[kind]).reshape(dimensions))
        if kind == "pred":
            return self.array(kind, dimensions)
        if is_float(kind):
            values = [self.choice([-0.0, self.randint(low * 8, high * 8) / 8]) if self.random() < 0.3 else
                      self.uniform(low, high) for _ in range(count)]  # fmt: skip
            if kind == "f8e8m0fnu":
                values = [2.0 ** self.randint(-3, 3) for _ in range(count)]
            return Array(kind, np.array(values, np.float64).astype(DTYPES[kind]).reshape(dimensions))
        bottom, top = limits(kind)
        values = [self.randint(max(bottom, low), min(top, high)) for _ in range(count)]
        values = np.array(values, stored_type(kind))
        return Array(kind, values.astype(DTYPES[kind]).reshape(dimensions))

    def scalar(self, kind, low, high):
        return self.numbers(kind, [], low, high)

    def subset(self, population):
        return [x for x in population if self.random() < 0.5]

    def shuffled(self, population):
        return self.sample(list(population), len(list(population)))


def batch_module(cases):
    """One module whose result is the tuple of the cases' results, and its arguments."""
    computations, entry, arguments = [], [], []
    for k, case in enumerate(cases):
        prefix = f"c{k}."
        computations.append(case.computations.replace("@", prefix))
        for i, parameter in enumerate(case.parameters):
            entry.append(f"{prefix}p{i} = {parameter.shape} parameter({len(arguments)})")
            arguments.append(parameter)
        entry += [line.strip() for line in case.instructions.replace("@", prefix).strip().split("\n")]
    roots = [f"c{k}.r" for k in range(len(cases))]
    shapes = [next(line.split(" = ")[1] for line in entry if line.startswith(root + " = ")) for root in roots]
    shapes = [shape[: shape.index(")") + 1] if shape.startswith("(") else shape.split()[0] for shape in shapes]
    entry.append(f"ROOT all = ({', '.join(shapes)}) tuple({', '.join(roots)})")
    text = "HloModule m\n" + "\n".join(computations) + "\nENTRY e {\n" + "\n".join(entry) + "\n}\n"
    return text, arguments


def run_assay(text, arguments):
    """Returns the result on one device."""
    return run_on_devices(text, [arguments])[0]


def run_on_devices(text, arguments):
    """Returns the results of all replicas, each with arguments of its own."""
    try:
        return program.evaluate(text, arguments, "--replicas", str(len(arguments)))
    except program.RunFailed as error:
        raise AssertionError(f"{error}\n{text[:4000]}") from error


def same(a, b):
    if isinstance(a, list) or isinstance(b, list):
        both = isinstance(a, list) and isinstance(b, list) and len(a) == len(b)
        return both and all(same(x, y) for x, y in zip(a, b))
    return a.same(b)


def show(value):
    return [show(v) for v in value] if isinstance(value, list) else f"{value.shape} {value.values.reshape(-1).tolist()}"


def compares(count=None):
    """Makes a test of a method that makes a case by a random generator."""
    return lambda make_case: functools.wraps(make_case)(
        lambda self: self.compare(functools.partial(make_case, self), count))  # fmt: skip


class OracleTest(unittest.TestCase):
    batch = 300

    def random(self):
        return Random(f"{SEED} {self.id().split('.')[-1]}")

    def compare(self, make_case, count=None):
        """Makes cases by make_case(random), evaluates them both ways, and compares."""
        rng = self.random()
        cases = [make_case(rng) for _ in range(count or self.batch)]
        text, arguments = batch_module(cases)
        found = run_assay(text, arguments)
        for k, case in enumerate(cases):
            alone, own_arguments = batch_module([case])
            (expected,) = case.expected or Evaluator(alone).run(own_arguments)
            if not same(found[k], expected):
                values = "\n".join(show(a) for a in own_arguments)
                self.fail(f"{alone}{values}\nassay:  {show(found[k])}\noracle: {show(expected)}")
