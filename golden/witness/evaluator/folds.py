"""Ops that call a computation on elements: maps, folds, scans and sorts."""

import functools
import re

import numpy as np

from golden.witness.arrays import Array, one_or_tuple, parse_shape
from golden.witness.element_types import DTYPES, component, is_float
from golden.witness.evaluator.sums import sum_of
from golden.witness.evaluator.windows import Window


def scalar(array, index):
    """Returns one element, as an array of rank 0."""
    return Array(array.type, array.values[index].reshape(()))


def map_(evaluator, instruction, *operands):
    """Applies the computation to the elements at each index."""
    out = np.zeros(operands[0].values.shape, DTYPES[instruction.type])
    for index in np.ndindex(*out.shape):
        out[index] = evaluator.call(instruction.text("to_apply"), [scalar(x, index) for x in operands]).values
    return Array(instruction.type, out)


def stack(results, initial, shape):
    """Returns an array for each operand, from the scalars of each result; without any, of the initial values' types."""
    columns = zip(*results) if results else [[]] * len(initial)
    return one_or_tuple([Array(start.type, np.array([a.values for a in column], start.values.dtype).reshape(shape))
                         for start, column in zip(initial, columns)])


def reduce(evaluator, instruction, *operands):
    """Folds over some dimensions, for each index of the others."""
    half = len(operands) // 2
    inputs, initial = operands[:half], list(operands[half:])
    reduced = instruction.ints("dimensions")
    kept = [d for d in range(inputs[0].values.ndim) if d not in reduced]
    shape = [inputs[0].values.shape[d] for d in kept]
    results = []
    for index in np.ndindex(*shape):
        rows = []
        for inner in np.ndindex(*[inputs[0].values.shape[d] for d in sorted(reduced)]):
            at = dict(zip(kept, index)) | dict(zip(sorted(reduced), inner))
            rows.append([scalar(x, tuple(at[d] for d in range(x.values.ndim))) for x in inputs])
        results.append(evaluator.fold(instruction.text("to_apply"), initial, rows))
    return stack(results, initial, shape)


def reduce_window(evaluator, instruction, *operands):
    """Folds over each place of the window; padding does not contribute."""
    half = len(operands) // 2
    inputs, initial = operands[:half], list(operands[half:])
    window = Window(instruction)
    base = inputs[0].values.shape
    shape = window.places(base)
    results = []
    for index in np.ndindex(*shape):
        rows = []
        for inside in window.cells():
            at = [window.element(d, index[d], inside[d], base[d]) for d in range(len(base))]
            if None not in at:
                rows.append([scalar(x, tuple(at)) for x in inputs])
        results.append(evaluator.fold(instruction.text("to_apply"), initial, rows))
    return stack(results, initial, shape)


def select_and_scatter(evaluator, instruction, x, source, initial):
    """Folds each source element into the element that `select` chooses in its window."""
    window, select = Window(instruction), instruction.text("select")
    hits = {}
    for index in np.ndindex(*source.values.shape):
        chosen = None
        for inside in window.cells():
            at = [window.element(d, index[d], inside[d], n) for d, n in enumerate(x.values.shape)]
            if None in at:
                continue
            at = tuple(at)
            if chosen is None or not evaluator.call(select, [scalar(x, chosen), scalar(x, at)]).values:
                chosen = at
        if chosen is not None:
            hits.setdefault(chosen, []).append([scalar(source, index)])
    out = np.full(x.values.shape, initial.values, x.values.dtype)
    for at, rows in hits.items():
        out[at] = evaluator.fold(instruction.text("scatter"), [initial], rows)[0].values
    return Array(x.type, out)


def is_running_sum(evaluator, instruction, inputs, carries):
    """True if a step only adds input and carry, for both the output and the next carry."""
    body = evaluator.module.computations[instruction.text("to_apply")]
    root = next(i for i in body if i.is_root)
    if root.opcode != "tuple" or len(body) != 4 or (len(inputs), len(carries)) != (1, 1):
        return False
    slice_, carry = root.operand_names()
    total = next(i for i in body if i.name == slice_)
    return slice_ == carry and total.opcode == "add" and len(set(total.operand_names())) == 2 and is_float(
        component(total.type)) and inputs[0].type == carries[0].type == total.type


def running_sums(x, carry, dimension, is_reverse):
    """Returns the cumulative sums, each exact and rounded once, with the carry as one of the terms; and the last
    sum."""
    slices = np.moveaxis(x.values, dimension, 0)
    out, last = np.zeros_like(slices), carry.values.copy()
    steps = range(len(slices))
    for index in np.ndindex(*carry.values.shape):
        terms = [scalar(carry, index)]
        for step in reversed(steps) if is_reverse else steps:
            terms.append(scalar(Array(x.type, slices), (step, *index)))
            out[(step, *index)] = last[index] = sum_of(terms).values
    return [Array(x.type, np.ascontiguousarray(np.moveaxis(out, 0, dimension))), Array(carry.type, last)]


def scan(evaluator, instruction, *operands):
    """Runs the steps along a dimension, each with the carries of the previous one."""
    carries_count = int(instruction.text("num_carries"))
    inputs, carries = operands[: len(operands) - carries_count], list(operands[len(operands) - carries_count :])
    dimension = instruction.ints("dimensions")[0]
    steps = range(inputs[0].values.shape[dimension])
    if instruction.flag("is_associative") and is_running_sum(evaluator, instruction, inputs, carries):
        return running_sums(inputs[0], carries[0], dimension, instruction.flag("is_reverse"))
    outputs = {}
    for step in reversed(steps) if instruction.flag("is_reverse") else steps:
        slices = [Array(x.type, np.take(x.values, step, dimension)) for x in inputs]
        results = evaluator.call(instruction.text("to_apply"), slices + carries)
        results = results if isinstance(results, list) else [results]
        outputs[step], carries = results[: len(results) - carries_count], results[len(results) - carries_count :]
    if not steps:  # Only the shape of the result determines the outputs.
        shapes = [parse_shape(shape) for shape in re.findall(r"\w+\[[\d,]*\]", instruction.shape)]
        empty = [Array(kind, np.zeros(sizes, DTYPES[kind])) for kind, sizes in shapes[: len(shapes) - carries_count]]
        return empty + carries
    stacked = [Array(column[0].type, np.stack([a.values for a in column], dimension))
               for column in zip(*[outputs[step] for step in steps])]
    return stacked + carries if carries else one_or_tuple(stacked)


def sort(evaluator, instruction, *operands):
    """Sorts along a dimension; operands are permuted alike, and equal elements keep their order."""
    dimension = instruction.ints("dimensions")[0]
    out = [x.values.copy() for x in operands]

    def less(a, b):
        pairs = [v for x, y in zip(a, b) for v in (x, y)]
        return bool(evaluator.call(instruction.text("to_apply"), pairs).values)

    def order(a, b):
        return -1 if less(a, b) else 1 if less(b, a) else 0

    shape = list(out[0].shape)
    length, shape[dimension] = shape[dimension], 1
    for index in np.ndindex(*shape):
        line = tuple(np.s_[:] if d == dimension else i for d, i in enumerate(index))
        rows = [[Array(x.type, x.values[line][k].reshape(())) for x in operands] for k in range(length)]
        rows.sort(key=functools.cmp_to_key(order))
        for k, values in enumerate(out):
            values[line] = [row[k].values for row in rows]
    return one_or_tuple([Array(x.type, v) for x, v in zip(operands, out)])


OPS = {
    "map": map_, "reduce": reduce, "reduce-window": reduce_window, "select-and-scatter": select_and_scatter,
    "scan": scan, "sort": sort,
}  # fmt: skip
