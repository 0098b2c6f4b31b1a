"""A second reading of the ops on whole arrays, one element at a time, in exact arithmetic."""

import math
import re
from fractions import Fraction

import exact_math
import numpy as np
import slow_linear
from golden_text import DTYPES, Array, is_float, parse_shape
from slow_elements import (
    COMPLEX_PARTS,
    NotDerived,
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
    wrap,
)


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
    """The elements inside the run-time sizes, row-major, on either side."""
    wanted = [min(max(int(s.values), 0), n) for s, n in zip(sizes, instruction.dimensions)]
    inside = live(x).values
    if inside.size != np.prod(wanted):
        raise NotDerived("dynamic-reshape to another number of elements")
    result = Array(x.type, np.zeros(instruction.dimensions, x.values.dtype))
    result.values[tuple(np.s_[:n] for n in wanted)] = inside.reshape(wanted)
    result.sizes = dict(enumerate(wanted))
    return result


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
