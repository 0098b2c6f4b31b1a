"""A second reading of the ops, one element at a time, in exact arithmetic: what the goldens are audited with.

It shares no code with the interpreter and takes no pains to be fast. Ops it lacks raise NotDerived; the audit then
rests on XLA alone.
"""

import functools
import re

import numpy as np
from oracle.arrays import DTYPES, Array, is_float, parse_shape
from oracle.hlo.module import Module
from oracle.evaluator.movement import (
    ARRAYS,
    Window,
    batching_start,
    bitcast,
    constant,
    exact_sum,
    from_results,
    index_vector,
    live,
    offsets,
)
from oracle.evaluator.elementwise import NotDerived, binary, integers, unary


def scalar(array, index):
    return Array(array.type, array.values[index].reshape(()))


class Evaluator:
    def __init__(self, text):
        self.module = Module(text)
        self.shapes = {i.name: i.shape for body in self.module.computations.values() for i in body}

    def run(self, arguments):
        return self.call(self.module.entry, arguments)

    def call(self, name, arguments):
        values = {}
        for instruction in self.module.computations[name]:
            result = self.evaluate(instruction, values, arguments)
            values[instruction.name] = result
            if instruction.is_root:
                root = result
        return root

    def evaluate(self, instruction, values, arguments):
        op = instruction.opcode
        if op == "parameter":
            return arguments[int(instruction.operands)]
        if op == "constant":
            return constant(instruction)
        operands = [values[name] for name in instruction.operand_names()]
        if op in ("tuple", "after-all"):  # A token is a tuple of nothing.
            return list(operands) if op == "tuple" else []
        if op == "copy-start":
            return [operands[0], operands[0], []]
        if op == "async-start":
            called = instruction.text("calls")
            return [operands, self.call(called, operands), integers("u32", [0], ())]
        if op == "async-update":
            return operands[0]
        if op == "async-done":
            return operands[0][1]
        if op in ("replica-id", "partition-id"):
            return integers("u32", [0], ())
        if op == "get-tuple-element":
            return operands[0][int(instruction.text("index"))]
        if op in ("copy", "opt-barrier", "domain", "add-dependency"):
            return operands[0]
        if op == "custom-call" and instruction.text("custom_call_target") == '"Sharding"':
            return operands[0]
        if op == "copy-done":
            return operands[0][0]
        if op == "bitcast":
            return bitcast(instruction, self.shapes[instruction.operand_names()[0]], operands[0])
        if op in CALLERS:
            return CALLERS[op](self, instruction, *operands)
        if op in ARRAYS:
            return ARRAYS[op](instruction, *operands)
        try:
            return (unary, binary)[len(operands) - 1](op, instruction, *operands)
        except (KeyError, IndexError) as error:
            raise NotDerived(op) from error

    def root(self, name):
        return next(i for i in self.module.computations[name] if i.is_root)

    def adds_floats(self, name):
        return self.root(name).opcode == "add" and len(self.module.computations[name]) == 3 and is_float(
            self.root(name).type)

    def fold(self, name, initial, rows):
        """initial and each row: a list of scalars, one an operand. Sums are exact and rounded once."""
        if self.adds_floats(name) and len(initial) == 1:
            terms = [float(row[0].values) for row in [initial, *rows]]
            return [from_results(initial[0].type, [exact_sum(initial[0].type, terms)], ())]
        state = initial
        for row in rows:
            result = self.call(name, state + row)
            state = result if isinstance(result, list) else [result]
        return state


def call(evaluator, instruction, *operands):
    return evaluator.call(instruction.text("to_apply") or instruction.text("calls"), list(operands))


def map_(evaluator, instruction, *operands):
    out = np.zeros(operands[0].values.shape, DTYPES[instruction.type])
    for index in np.ndindex(*out.shape):
        out[index] = evaluator.call(instruction.text("to_apply"), [scalar(x, index) for x in operands]).values
    return Array(instruction.type, out)


def while_(evaluator, instruction, state):
    while evaluator.call(instruction.text("condition"), [state]).values:
        state = evaluator.call(instruction.text("body"), [state])
    return state


def conditional(evaluator, instruction, selector, *operands):
    branches = instruction.names("branch_computations")
    if not branches:
        branches = [instruction.text("true_computation"), instruction.text("false_computation")]
        choice = 0 if selector.values else 1
    else:
        choice = int(selector.values)
        choice = choice if 0 <= choice < len(branches) else len(branches) - 1
    return evaluator.call(branches[choice], [operands[choice]])


def stack(columns, shape):
    arrays = [Array(c[0].type, np.array([a.values for a in c], c[0].values.dtype).reshape(shape)) for c in columns]
    return arrays[0] if len(arrays) == 1 else arrays


def empty_results(initial, shape):
    arrays = [Array(a.type, np.zeros(shape, a.values.dtype)) for a in initial]
    return arrays[0] if len(arrays) == 1 else arrays


def reduce(evaluator, instruction, *operands):
    half = len(operands) // 2
    inputs, initial = [live(x) for x in operands[:half]], list(operands[half:])
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
    return stack(zip(*results), shape) if results else empty_results(initial, shape)


def reduce_window(evaluator, instruction, *operands):
    half = len(operands) // 2
    inputs, initial = operands[:half], list(operands[half:])
    window = Window(instruction)
    base = inputs[0].values.shape
    shape = [int(n) for n in re.search(r"\[([\d,]*)\]", instruction.shape).group(1).split(",") if n]
    results = []
    for index in np.ndindex(*shape):
        rows = []
        for inside in np.ndindex(*window.size):
            at = [window.element(d, index[d], inside[d], base[d]) for d in range(len(base))]
            if None not in at:
                rows.append([scalar(x, tuple(at)) for x in inputs])
        results.append(evaluator.fold(instruction.text("to_apply"), initial, rows))
    return stack(zip(*results), shape) if results else empty_results(initial, shape)


def scatter(evaluator, instruction, *operands):
    third = (len(operands) - 1) // 2
    inputs, indices, updates = operands[:third], operands[third], operands[third + 1 :]
    window_dims, inserted = instruction.ints("update_window_dims"), instruction.ints("inserted_window_dims")
    map_ = instruction.ints("scatter_dims_to_operand_dims")
    batching = instruction.ints("input_batching_dims"), instruction.ints("scatter_indices_batching_dims")
    vector = instruction.ints("index_vector_dim")[0]
    shape = inputs[0].values.shape
    windowed = [d for d in range(len(shape)) if d not in inserted + batching[0]]
    hits = {}
    # Window by window, in the row-major order of the indices.
    batch_first = sorted(range(updates[0].values.ndim), key=lambda d: d in window_dims)
    for index in sorted(np.ndindex(*updates[0].values.shape), key=lambda index: [index[d] for d in batch_first]):
        batch = [i for d, i in enumerate(index) if d not in window_dims]
        start = batching_start(indices, batch, vector, batching, len(shape))
        for d, value in zip(map_, index_vector(indices, batch, vector, len(map_))):
            start[d] = value
        offset = offsets(index, window_dims, windowed, len(shape))
        sizes = [1] * len(shape)
        for d, to in zip(window_dims, windowed):
            sizes[to] = updates[0].values.shape[d]
        # A window is written as a whole or not at all.
        if all(0 <= s <= n - k for s, k, n in zip(start, sizes, shape)):
            at = tuple(s + o for s, o in zip(start, offset))
            hits.setdefault(at, []).append([scalar(u, index) for u in updates])
    out = [x.values.copy() for x in inputs]
    for at, rows in hits.items():
        for k, value in enumerate(evaluator.fold(instruction.text("to_apply"), [scalar(x, at) for x in inputs], rows)):
            out[k][at] = value.values
    arrays = [Array(x.type, v) for x, v in zip(inputs, out)]
    return arrays[0] if len(arrays) == 1 else arrays


def sort(evaluator, instruction, *operands):
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
    arrays = [Array(x.type, v) for x, v in zip(operands, out)]
    return arrays[0] if len(arrays) == 1 else arrays


def select_and_scatter(evaluator, instruction, x, source, initial):
    window, select = Window(instruction), instruction.text("select")
    hits = {}
    for index in np.ndindex(*source.values.shape):
        chosen = None
        for inside in np.ndindex(*window.size):
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


def scan(evaluator, instruction, *operands):
    carries_count = int(instruction.text("num_carries"))
    inputs, carries = operands[: len(operands) - carries_count], list(operands[len(operands) - carries_count :])
    dimension = instruction.ints("dimensions")[0]
    steps = range(inputs[0].values.shape[dimension])
    outputs = {}
    for step in reversed(steps) if instruction.flag("is_reverse") else steps:
        slices = [Array(x.type, np.take(x.values, step, dimension)) for x in inputs]
        results = evaluator.call(instruction.text("to_apply"), slices + carries)
        results = results if isinstance(results, list) else [results]
        outputs[step], carries = results[: len(results) - carries_count], results[len(results) - carries_count :]
    if not steps:  # Nothing says what the outputs are but the shape of the result.
        shapes = [parse_shape(shape) for shape in re.findall(r"\w+\[[\d,]*\]", instruction.shape)]
        empty = [Array(kind, np.zeros(sizes, DTYPES[kind])) for kind, sizes in shapes[: len(shapes) - carries_count]]
        return empty + carries
    stacked = [Array(column[0].type, np.stack([a.values for a in column], dimension))
               for column in zip(*[outputs[step] for step in steps])]
    if not steps:
        shapes = re.findall(r"\w+\[[\d,]*\]", instruction.shape)
        stacked = [Array.from_bytes(shape, b"") for shape in shapes[: len(shapes) - carries_count]]
    return stacked + carries if carries else stacked[0] if len(stacked) == 1 else stacked


CALLERS = {
    "call": call, "fusion": call, "map": map_, "while": while_, "conditional": conditional, "reduce": reduce,
    "reduce-window": reduce_window, "scatter": scatter, "sort": sort, "scan": scan,
    "select-and-scatter": select_and_scatter,
}
