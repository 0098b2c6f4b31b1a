"""A second reading of the ops, one element at a time, in exact arithmetic: what the goldens are audited with.

It shares no code with the interpreter and takes no pains to be fast. Ops it lacks raise NotDerived; the audit then
rests on XLA alone.
"""

import functools
import math
import re
from fractions import Fraction

import exact_math
import numpy as np
import slow_linear
from golden_text import DTYPES, Array, is_float, parse_shape
from hlo_text import Module
from slow_elements import (
    COMPLEX_PARTS,
    NotDerived,
    binary,
    bitcast_convert,
    clamp,
    compare,
    complex_array,
    convert,
    integers,
    is_integer,
    reduce_precision,
    select,
    stochastic_convert,
    total_order,
    unary,
    wrap,
)


# --- Arrays -----------------------------------------------------------------------------------------------------------


def iota(instruction):
    shape, dimension = instruction.dimensions, instruction.ints("iota_dimension")[0]
    numbers = [index[dimension] for index in np.ndindex(*shape)]
    if instruction.type in COMPLEX_PARTS:
        return complex_array(instruction.type, [(Fraction(n), Fraction(0)) for n in numbers], shape)
    if is_float(instruction.type):
        rounded = [exact_math.rounded(instruction.type, Fraction(n)) for n in numbers]
        return Array(instruction.type, exact_math.encode(instruction.type, rounded).reshape(shape))
    return integers(instruction.type, numbers, shape)


def gathered(instruction, x, source_index):
    """The array whose element at `index` is x's at source_index(index)."""
    out = np.zeros(instruction.dimensions, x.values.dtype)
    for index in np.ndindex(*instruction.dimensions):
        out[index] = x.values[source_index(index)]
    return Array(x.type, out)


def broadcast(instruction, x):
    dimensions = instruction.ints("dimensions")
    return gathered(instruction, x, lambda index: tuple(index[d] for d in dimensions))


def reshape(instruction, x):
    return Array(x.type, x.values.reshape(instruction.dimensions))


def major_to_minor(shape):
    """The order of the dimensions in memory, of a shape with or without a layout."""
    layout = re.search(r"\]\{([\d,]*)", shape)
    if layout is None:
        return list(range(len(re.search(r"\[([\d,]*)\]", shape).group(1).split(","))))
    return [int(d) for d in reversed(layout.group(1).split(","))]


def bitcast(instruction, operand_shape, x):
    memory = np.ascontiguousarray(x.values.transpose(major_to_minor(operand_shape))).reshape(-1)
    order = major_to_minor(instruction.shape)
    in_memory = memory.view(DTYPES[instruction.type]).reshape([instruction.dimensions[d] for d in order])
    return Array(instruction.type, in_memory.transpose(np.argsort(order)))


def transpose(instruction, x):
    return Array(x.type, x.values.transpose(instruction.ints("dimensions")))


def reverse(instruction, x):
    return Array(x.type, np.flip(x.values, instruction.ints("dimensions")))


def slice_(instruction, x):
    numbers = [[int(n) for n in part.split(":")] for part in instruction.text("slice").strip("{}").replace(
        "[", "").replace("]", "").replace(" ", "").split(",")]
    return Array(x.type, x.values[tuple(np.s_[p[0] : p[1] : p[2] if len(p) > 2 else 1] for p in numbers)])


def clamped_starts(starts, sizes, shape):
    return [min(max(int(s.values), 0), n - k) for s, k, n in zip(starts, sizes, shape)]


def dynamic_slice(instruction, x, *starts):
    sizes = instruction.ints("dynamic_slice_sizes")
    begins = clamped_starts(starts, sizes, x.values.shape)
    return Array(x.type, x.values[tuple(np.s_[b : b + k] for b, k in zip(begins, sizes))])


def dynamic_update_slice(_, x, update, *starts):
    begins = clamped_starts(starts, update.values.shape, x.values.shape)
    out = x.values.copy()
    out[tuple(np.s_[b : b + k] for b, k in zip(begins, update.values.shape))] = update.values
    return Array(x.type, out)


def concatenate(instruction, *arrays):
    return Array(arrays[0].type, np.concatenate([a.values for a in arrays], instruction.ints("dimensions")[0]))


def pad(instruction, x, value):
    parts = [[int(n) for n in p.split("_")] for p in instruction.text("padding").split("x")]
    out = np.full(instruction.dimensions, value.values, x.values.dtype)
    for index in np.ndindex(*x.values.shape):
        to = tuple(p[0] + i * (1 + (p[2] if len(p) > 2 else 0)) for p, i in zip(parts, index))
        if all(0 <= t < n for t, n in zip(to, out.shape)):
            out[to] = x.values[index]
    return Array(x.type, out)


def exact_sum(kind, terms):
    """The sum of Fractions and special floats, rounded once."""
    special = [t for t in terms if isinstance(t, float) and not math.isfinite(t)]
    if special:
        return exact_math.rounded(kind, sum(special))
    only_negative_zeros = all(isinstance(t, float) and t == 0 and math.copysign(1, t) < 0 for t in terms)
    return exact_math.rounded(kind, sum(map(Fraction, terms), Fraction(0)), only_negative_zeros)


def products_summed(kind, pairs):
    """sum of x * y over pairs of elements."""
    if is_integer(kind):
        return wrap(kind, sum(int(x) * int(y) for x, y in pairs))
    if kind == "pred":
        return any(x and y for x, y in pairs)
    if kind in ("c64", "c128"):
        parts = [(float(x.real), float(x.imag), float(y.real), float(y.imag)) for x, y in pairs]
        multiply, part = exact_math.multiply, COMPLEX_PARTS[kind]
        real = [term for a, b, c, d in parts for term in (multiply(a, c), multiply(-b, d))]
        imaginary = [term for a, b, c, d in parts for term in (multiply(a, d), multiply(b, c))]
        return exact_sum(part, real or [Fraction(0)]), exact_sum(part, imaginary or [Fraction(0)])
    return exact_sum(kind, [exact_math.multiply(float(x), float(y)) for x, y in pairs] or [Fraction(0)])


def from_results(kind, results, shape):
    if is_integer(kind) or kind == "pred":
        return integers(kind, results, shape)
    if kind in ("c64", "c128"):
        return complex_array(kind, results, shape)
    return Array(kind, exact_math.encode(kind, results).reshape(shape))


def dot(instruction, x, y):
    batch = list(zip(instruction.ints("lhs_batch_dims"), instruction.ints("rhs_batch_dims")))
    contracted = list(zip(instruction.ints("lhs_contracting_dims"), instruction.ints("rhs_contracting_dims")))
    left_free = [d for d in range(x.values.ndim) if d not in [a for a, _ in batch + contracted]]
    right_free = [d for d in range(y.values.ndim) if d not in [b for _, b in batch + contracted]]
    sizes = [x.values.shape[a] for a, _ in contracted]
    results = []
    for index in np.ndindex(*instruction.dimensions):
        pairs = []
        for inner in np.ndindex(*sizes):
            at = [0] * x.values.ndim, [0] * y.values.ndim
            for i, (a, b) in zip(index, batch):
                at[0][a] = at[1][b] = i
            for i, (a, b) in zip(inner, contracted):
                at[0][a] = at[1][b] = i
            for i, a in zip(index[len(batch) :], left_free):
                at[0][a] = i
            for i, b in zip(index[len(batch) + len(left_free) :], right_free):
                at[1][b] = i
            pairs.append((x.values[tuple(at[0])], y.values[tuple(at[1])]))
        results.append(products_summed(instruction.type, pairs))
    return from_results(instruction.type, results, instruction.dimensions)


class Window:
    """The window attribute, a number a dimension for each of its parts."""

    def __init__(self, instruction):
        parts = dict(p.split("=") for p in (instruction.text("window") or "{}").strip("{}").split())
        self.size = [int(n) for n in parts.get("size", "").split("x") if n]

        def numbers(name, default):
            return [int(n) for n in parts[name].split("x")] if name in parts else [default] * len(self.size)

        self.stride, self.dilation, self.base = numbers("stride", 1), numbers("rhs_dilate", 1), numbers("lhs_dilate", 1)
        self.reversal = numbers("rhs_reversal", 0)
        self.low = [int(p.split("_")[0]) for p in parts["pad"].split("x")] if "pad" in parts else [0] * len(self.size)

    def element(self, d, output, inside, size):
        """Which element of the base the window's element `inside` falls on; None: a hole or padding."""
        place = output * self.stride[d] + inside * self.dilation[d] - self.low[d]
        if place % self.base[d] or not 0 <= place // self.base[d] < size:
            return None
        return place // self.base[d]


def convolution(instruction, x, kernel):
    window = Window(instruction)
    lhs, rest = instruction.text("dim_labels").split("_")
    rhs, out = rest.split("->")
    features = int(instruction.text("feature_group_count", "1"))
    batches = int(instruction.text("batch_group_count", "1"))
    spatial = range(len(window.size))
    outputs, depth = kernel.values.shape[rhs.index("o")], kernel.values.shape[rhs.index("i")]
    batch_size = x.values.shape[lhs.index("b")] // batches
    results = []
    for index in np.ndindex(*instruction.dimensions):
        o = index[out.index("f")]
        pairs = []
        for inside in np.ndindex(*window.size):
            place = [window.element(d, index[out.index(str(d))], inside[d], x.values.shape[lhs.index(str(d))])
                     for d in spatial]
            if None in place:
                continue
            for i in range(depth):
                left, right = [0] * len(lhs), [0] * len(rhs)
                left[lhs.index("b")] = index[out.index("b")] + o // (outputs // batches) * batch_size
                left[lhs.index("f")] = i + o // (outputs // features) * depth
                right[rhs.index("i")], right[rhs.index("o")] = i, o
                for d in spatial:
                    left[lhs.index(str(d))] = place[d]
                    right[rhs.index(str(d))] = window.size[d] - 1 - inside[d] if window.reversal[d] else inside[d]
                pairs.append((x.values[tuple(left)], kernel.values[tuple(right)]))
        # The specification's sum starts from zero.
        results.append(products_summed(instruction.type, [(0.0, 0.0), *pairs]))
    return from_results(instruction.type, results, instruction.dimensions)


def gather(instruction, x, indices):
    offset_dims, map_ = instruction.ints("offset_dims"), instruction.ints("start_index_map")
    collapsed, sizes = instruction.ints("collapsed_slice_dims"), instruction.ints("slice_sizes")
    batching = instruction.ints("operand_batching_dims"), instruction.ints("start_indices_batching_dims")
    vector = instruction.ints("index_vector_dim")[0]
    windowed = [d for d in range(x.values.ndim) if d not in collapsed + batching[0]]

    def source(index):
        batch = [i for d, i in enumerate(index) if d not in offset_dims]
        return tuple(gather_start(x.values.shape, indices, batch, vector, map_, sizes, batching)[d] + offset[d]
                     for offset in [offsets(index, offset_dims, windowed, x.values.ndim)]
                     for d in range(x.values.ndim))

    return gathered(instruction, x, source)


def offsets(index, offset_dims, windowed, rank):
    out = [0] * rank
    for d, to in zip(offset_dims, windowed):
        out[to] = index[d]
    return out


def index_vector(indices, batch, vector, count):
    """The `count` numbers of the index vector at `batch`."""
    values = indices.values
    if vector == values.ndim:
        return [int(values[tuple(batch)])]
    return [int(values[tuple(batch[:vector] + [k] + batch[vector:])]) for k in range(count)]


def batching_start(indices, batch, vector, batching, rank):
    start = [0] * rank
    for operand_dimension, index_dimension in zip(*batching):
        start[operand_dimension] = batch[index_dimension - (index_dimension > vector)]
    return start


def gather_start(shape, indices, batch, vector, map_, sizes, batching):
    start = batching_start(indices, batch, vector, batching, len(shape))
    for d, value in zip(map_, index_vector(indices, batch, vector, len(map_))):
        start[d] = min(max(value, 0), shape[d] - sizes[d])
    return start


# --- Ops that call a computation --------------------------------------------------------------------------------------


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


def constant(instruction):
    words = re.sub(r"[{}(),]", " ", instruction.operands).split()
    if not instruction.shape.startswith("("):
        return array_of_words(instruction.type, instruction.dimensions, words)
    leaves = []
    for shape in re.findall(r"\w+\[[\d,]*\]", instruction.shape):
        kind, dimensions = parse_shape(shape)
        count = math.prod(dimensions) * (2 if kind in COMPLEX_PARTS else 1)
        leaves.append(array_of_words(kind, dimensions, words[:count]))
        words = words[count:]
    return leaves


def array_of_words(kind, dimensions, words):
    if is_float(kind):
        values = np.array([float(w) for w in words]).astype(DTYPES[kind])
    elif kind in COMPLEX_PARTS:
        values = np.array([float(w) for w in words]).astype(DTYPES[COMPLEX_PARTS[kind]]).view(DTYPES[kind])
    else:
        values = np.array([{"true": 1, "false": 0}.get(w, w) for w in words], object).astype(np.int64)
        values = values.astype(DTYPES[kind])
    return Array(kind, values.reshape(dimensions))


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


def topk(instruction, x):
    """Total order; of equal elements the first one comes first."""
    count, largest = int(instruction.text("k")), instruction.text("largest") != "false"
    keys = np.array(total_order(x) if is_float(x.type) else [int(v) for v in x.values.reshape(-1)], object)
    keys = keys.reshape(x.values.shape)
    places = np.zeros(x.values.shape[:-1] + (count,), np.int32)
    for index in np.ndindex(*x.values.shape[:-1]):
        line = sorted(range(x.values.shape[-1]), key=lambda i: (-keys[index][i] if largest else keys[index][i], i))
        places[index] = line[:count]
    return [Array(x.type, np.take_along_axis(x.values, places, -1)), Array("s32", places)]


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


def shuffle(instruction, x):
    return Array(x.type, np.roll(x.values, [-n for n in instruction.ints("shifts")], instruction.ints("dimensions")))


def set_dimension_size(instruction, x, size):
    dimension = instruction.ints("dimensions")[0]
    result = Array(x.type, x.values)
    bound = x.values.shape[dimension]
    result.sizes = getattr(x, "sizes", {}) | {dimension: min(max(int(size.values), 0), bound)}
    return result


def live(x):
    """What the run-time sizes leave of an array. The result of a fold over it must be static."""
    sizes = getattr(x, "sizes", {})
    return Array(x.type, x.values[tuple(np.s_[: sizes.get(d, n)] for d, n in enumerate(x.values.shape))])


def get_dimension_size(instruction, x):
    dimension = instruction.ints("dimensions")[0]
    return integers("s32", [getattr(x, "sizes", {}).get(dimension, x.values.shape[dimension])], ())


def dynamic_reshape(instruction, x, *sizes):
    if hasattr(x, "sizes") or tuple(int(s.values) for s in sizes) != instruction.dimensions:
        raise NotDerived("dynamic-reshape to a size below the bound")
    return reshape(instruction, x)


ARRAYS = {
    **slow_linear.OPS, "topk": topk, "shuffle": shuffle, "set-dimension-size": set_dimension_size,
    "get-dimension-size": get_dimension_size, "dynamic-reshape": dynamic_reshape,
    "stochastic-convert": stochastic_convert,
    "compare": compare, "select": select, "clamp": clamp, "convert": convert, "bitcast-convert": bitcast_convert,
    "reduce-precision": reduce_precision, "iota": iota, "broadcast": broadcast, "reshape": reshape,
    "transpose": transpose, "reverse": reverse, "slice": slice_, "dynamic-slice": dynamic_slice,
    "dynamic-update-slice": dynamic_update_slice, "concatenate": concatenate, "pad": pad, "dot": dot,
    "convolution": convolution, "gather": gather,
}
CALLERS = {
    "call": call, "fusion": call, "map": map_, "while": while_, "conditional": conditional, "reduce": reduce,
    "reduce-window": reduce_window, "scatter": scatter, "sort": sort, "scan": scan,
    "select-and-scatter": select_and_scatter,
}
