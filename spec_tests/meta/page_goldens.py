"""The corpus' own reader for the tests of the pages: golden files as NumPy arrays, and HLO text in pieces.

This is the only module through which the pages' tests import from the tools.
"""

import dataclasses
import functools
import pathlib
import re

import ml_dtypes
import numpy as np

from golden.witness import element_types, program
from golden.witness.arrays import Digest
from golden.witness.hlo import goldens
from golden.witness.hlo.expansion import golden_text
from golden.witness.hlo.module import Module, by_device, grid_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
# NumPy arrays of the pages have a dtype of one bit, those of the reader a byte.
DTYPES = {name: np.dtype(dtype) for name, dtype in element_types.DTYPES.items()} | {
    "s1": np.dtype(ml_dtypes.int1), "u1": np.dtype(ml_dtypes.uint1)}
# Python folds arrays of more elements for a second and longer.
MOST_ELEMENTS = 999


@dataclasses.dataclass
class Case:
    name: str  # op/file/case
    module: str  # HLO text with the case's entry
    devices: list  # (replica, partition)
    arguments: list  # for each device, a list of arrays
    want: list  # for each device, a list of arrays


def array(value):
    return value.values.astype(DTYPES[value.type])


def devices_of(module):
    replicas, partitions = grid_of(module)
    return [divmod(d, partitions) for d in range(replicas * partitions)]


def parse(module):
    """Goldens have an instruction a line; examples break long ones after a comma."""
    return Module(re.sub(r",\n\s*", ", ", module))


def instructions(module):
    return [instruction for body in parse(module).computations.values() for instruction in body]


def wanted(case, module):
    """Returns the results of a case. The arrays behind digests are the reference's, if they have them."""
    if not any(isinstance(value, Digest) for value in case.want):
        return case.want
    values = program.flatten(program.evaluate(module, by_device(module, case.arguments)))
    for digest, value in zip(case.want, values, strict=True):
        if not digest.same(value):
            raise AssertionError(f"{case.name}: the reference has another digest")
    return values


def is_large(case):
    """True if the lines of Python are slow on the case: its results are digests, or an array has many elements."""
    arrays = [*case.arguments, *case.want]
    return any(isinstance(value, Digest) or value.values.size > MOST_ELEMENTS for value in arrays)


@functools.cache
def texts(op):
    """Returns the golden files of an op: for each its name, op/file, and its text."""
    return [(f"{op}/{path.stem}", golden_text(path)) for path in sorted((ROOT / "golden" / op).glob("*.hlo"))]


def with_values_of(text, step):
    """Returns the text of a golden file with the values of each `step`th case only, because reading values is slow."""
    head, *cases = re.split(r"^(?=//! case )", text, flags=re.M)
    return head + "".join(case if number % step == 0 else re.sub(r"^//! (arg|want|columns|row) .*\n", "", case, flags=re.M)
                          for number, case in enumerate(cases))


def files(op, step):
    """Yields the golden files, except those of drawn instructions, which need more than the lines of a page support."""
    for name, text in texts(op):
        if not name.startswith(f"{op}/faults"):
            yield parsed(name, text, step)


@functools.cache
def parsed(name, text, step):
    """Returns the golden file of this text with the values of each `step`th case."""
    return goldens.parse(name, with_values_of(text, step))


def count(op):
    """Returns the number of cases in the goldens of an op."""
    return sum(len(re.findall(r"^//! case ", text, re.M)) for _, text in texts(op))


def cases(op, large=False, step=1):
    """Yields the cases of an op's goldens that are not large, or those that are: the first of each file, and each
    `step`th."""
    for golden in files(op, step):
        for case in golden.cases[::step]:
            if is_large(case) == large:
                yield case_of_golden(golden, case)


def case_of_golden(golden, case):
    module = golden.module_of(case)
    arguments, want = ([[array(value) for value in values] for values in by_device(module, both)]
                       for both in (case.arguments, wanted(case, module)))
    return Case(f"{golden.path}/{case.name}", module, devices_of(module), arguments, want)


def case_of_run(name, module, outputs):
    """Returns a run without inputs, with the outputs of each device, as JSON."""
    return Case(name, module, devices_of(module), [[] for _ in outputs], [list(leaves(value)) for value in outputs])


def leaves(value):
    if "shape" in value:
        yield array(program.from_json(value))
    for element in value.get("tuple", []):
        yield from leaves(element)
