"""A second reading of the ops, one element at a time, in exact arithmetic: what the goldens are audited with.

It shares no code with the interpreter and takes no pains to be fast. Ops it lacks raise NotDerived; the audit then rests
on XLA alone.
"""

import functools
import itertools
import math
import re
from fractions import Fraction

import exact_math
import mpmath
import numpy as np
from golden_text import BITS, DTYPES, Array, components, is_float
from hlo_text import Module


class NotDerived(Exception):
    """No rule here for this instruction."""


def is_integer(kind):
    return kind[0] in "su" and kind[1:].isdigit()


def wrap(kind, value):
    bits = int(kind[1:])
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def limits(kind):
    bits = int(kind[1:])
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)


# --- Elements -----------------------------------------------------------------------------------------------------------


def toward_zero(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def integer_power(x, y):
    if y < 0:
        return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)
    return x**y


def shift(op, kind, x, amount):
    bits = int(kind[1:])
    unsigned_amount = amount & ((1 << bits) - 1)
    if op == "shift-left":
        return x << unsigned_amount if unsigned_amount < bits else 0
    if op == "shift-right-logical":
        return (x & ((1 << bits) - 1)) >> unsigned_amount if unsigned_amount < bits else 0
    signed = wrap(f"s{bits}", x)
    return signed >> min(unsigned_amount, bits - 1)


INTEGER_BINARY = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
    "divide": lambda x, y: toward_zero(x, y) if y else -1,
    "remainder": lambda x, y: x - y * toward_zero(x, y) if y else x,
    "maximum": max, "minimum": min, "power": integer_power,
    "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
}  # fmt: skip


def integer_unary(op, kind, x):
    bits = int(kind[1:])
    pattern = x & ((1 << bits) - 1)
    return {
        "abs": lambda: abs(x), "negate": lambda: -x, "sign": lambda: (x > 0) - (x < 0), "not": lambda: ~x,
        "popcnt": lambda: pattern.bit_count(), "count-leading-zeros": lambda: bits - pattern.bit_length(),
    }[op]()  # fmt: skip


def integers(kind, values, shape):
    if kind == "pred":
        return Array(kind, np.array([bool(v) for v in values], np.bool_).reshape(shape))
    return Array(kind, np.array([wrap(kind, v) for v in values], object).astype(DTYPES[kind]).reshape(shape))


def ints_of(array):
    return [int(v) for v in array.values.reshape(-1)]


def unary(op, instruction, x):
    kind, shape = x.type, x.values.shape
    if kind in ("c64", "c128"):
        return complex_unary(op, instruction, x)
    if is_float(kind):
        if op in ("abs", "negate"):
            sign_bit = np.array(1 << (8 * x.values.dtype.itemsize - 1), BITS[x.values.dtype.itemsize])
            bits = exact_math.bits_of(x.values)
            return Array(kind, (bits & ~sign_bit if op == "abs" else bits ^ sign_bit).view(x.values.dtype))
        if op == "is-finite":
            return Array("pred", np.isfinite(x.values.astype(np.float64)))
        return Array(kind, exact_math.unary(op, kind, x.values))
    if kind == "pred":
        return Array(kind, ~x.values)
    return integers(kind, [integer_unary(op, kind, v) for v in ints_of(x)], shape)


def binary(op, instruction, x, y):
    kind, shape = x.type, x.values.shape
    if kind in ("c64", "c128"):
        return complex_binary(op, x, y)
    if op == "complex":
        return Array("c64" if kind == "f32" else "c128", np.stack([x.values, y.values], -1).view(
            DTYPES["c64" if kind == "f32" else "c128"]).reshape(shape))  # fmt: skip
    if is_float(kind):
        return Array(kind, exact_math.binary(op, kind, x.values, y.values))
    if op.startswith("shift"):
        function = functools.partial(shift, op, kind)
    else:
        function = INTEGER_BINARY[op]
    return integers(kind, [function(a, b) for a, b in zip(ints_of(x), ints_of(y))], shape)


def complex_numbers(array):
    flat = [float(v) for v in components(array)]
    return list(zip(flat[::2], flat[1::2]))


def complex_array(kind, numbers, shape):
    part = {"c64": "f32", "c128": "f64"}[kind]
    flat = [exact_math.rounded(part, v) for number in numbers for v in number]
    return Array(kind, exact_math.encode(part, flat).view(DTYPES[kind]).reshape(shape))


def complex_unary(op, instruction, x):
    shape, part = x.values.shape, {"c64": "f32", "c128": "f64"}[x.type]
    numbers = complex_numbers(x)
    if op in ("real", "imag"):
        return Array(part, components(x)[op == "imag" :: 2].reshape(shape).copy())
    if op == "negate":
        return complex_array(x.type, [(-a, -b) for a, b in numbers], shape)
    if not all(map(math.isfinite, itertools.chain(*numbers))):
        raise NotDerived(f"{op} of a complex special")
    values = [mpmath.mpc(a, b) for a, b in numbers]
    if op == "abs":
        return Array(part, exact_math.encode(part, [exact_math.rounded(part, abs(v)) for v in values]).reshape(shape))
    function = {
        "exponential": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, "tanh": mpmath.tanh, "sine": mpmath.sin,
        "cosine": mpmath.cos, "sign": lambda v: v / abs(v),
    }.get(op)  # fmt: skip
    if function is None:
        raise NotDerived(f"complex {op}")
    return complex_array(x.type, [(r.real, r.imag) for r in map(function, values)], shape)


def complex_binary(op, x, y):
    results = []
    for (a, b), (c, d) in zip(complex_numbers(x), complex_numbers(y)):
        a, b, c, d = map(Fraction, (a, b, c, d))
        if op == "divide":
            norm = c * c + d * d
            results.append(((a * c + b * d) / norm, (b * c - a * d) / norm))
        else:
            results.append({"add": (a + c, b + d), "subtract": (a - c, b - d),
                            "multiply": (a * c - b * d, a * d + b * c)}[op])  # fmt: skip
    return complex_array(x.type, results, x.values.shape)


def total_order(array):
    bits = [int(b) for b in array.bits().reshape(-1)]
    top = 1 << (8 * array.values.dtype.itemsize - 1)
    return [-(b & (top - 1)) - 1 if b & top else b for b in bits]


def compare(instruction, x, y):
    direction = {"EQ": "__eq__", "NE": "__ne__", "LT": "__lt__", "LE": "__le__", "GT": "__gt__", "GE": "__ge__"}
    method = direction[instruction.text("direction")]
    if instruction.text("type") == "TOTALORDER" and is_float(x.type):
        left, right = total_order(x), total_order(y)
    else:
        convert = float if is_float(x.type) else int
        left, right = ([convert(v) for v in a.values.reshape(-1)] for a in (x, y))
    return integers("pred", [getattr(a, method)(b) for a, b in zip(left, right)], x.values.shape)


def select(_, p, x, y):
    return Array(x.type, np.where(p.values, x.values, y.values))


def clamp(instruction, low, x, high):
    low, high = (Array(a.type, np.broadcast_to(a.values, x.values.shape)) for a in (low, high))
    return binary("minimum", instruction, binary("maximum", instruction, x, low), high)


def convert(instruction, x):
    source, target, shape = x.type, instruction.type, x.values.shape
    values = x.values.reshape(-1)
    if target == "pred":
        return integers("pred", [v != 0 for v in values], shape)
    if is_float(target):
        exact = [float(v) if is_float(source) else Fraction(int(v)) for v in values]
        return Array(target, exact_math.encode(target, [exact_math.rounded(target, v) for v in exact]).reshape(shape))
    if is_float(source):
        low, high = limits(target)
        numbers = [float(v) for v in values]
        whole = [0 if v != v else high if v >= high else low if v <= low else int(v) for v in numbers]
        return integers(target, whole, shape)
    return integers(target, [int(v) for v in values], shape)


def bitcast_convert(instruction, x):
    dtype = np.dtype(DTYPES[instruction.type])
    return Array(instruction.type, np.ascontiguousarray(x.values).reshape(-1).view(dtype).reshape(instruction.dimensions))


def reduce_precision(instruction, x):
    bits = int(instruction.text("exponent_bits")), int(instruction.text("mantissa_bits"))
    return Array(x.type, exact_math.reduce_precision(x.type, x.values, *bits))


# --- Arrays -------------------------------------------------------------------------------------------------------------


def iota(instruction):
    shape, dimension = instruction.dimensions, instruction.ints("iota_dimension")[0]
    numbers = [index[dimension] for index in np.ndindex(*shape)]
    if is_float(instruction.type):
        return Array(instruction.type, np.array(numbers, np.float64).astype(DTYPES[instruction.type]).reshape(shape))
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


def transpose(instruction, x):
    return Array(x.type, x.values.transpose(instruction.ints("dimensions")))


def reverse(instruction, x):
    return Array(x.type, np.flip(x.values, instruction.ints("dimensions")))


def slice_(instruction, x):
    numbers = [[int(n) for n in part.split(":")] for part in instruction.text("slice").strip("{}").replace(
        "[", "").replace("]", "").replace(" ", "").split(",")]  # fmt: skip
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


def products_summed(kind, pairs, parts):
    """sum of x * y over pairs of elements of types parts[0] and parts[1]."""
    if is_integer(kind):
        return wrap(kind, sum(int(x) * int(y) for x, y in pairs))
    return exact_sum(kind, [exact_math.multiply(float(x), float(y)) for x, y in pairs] or [Fraction(0)])


def from_results(kind, results, shape):
    if is_integer(kind):
        return integers(kind, results, shape)
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
        results.append(products_summed(instruction.type, pairs, (x.type, y.type)))
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
                     for d in spatial]  # fmt: skip
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
        results.append(products_summed(instruction.type, pairs, (x.type, kernel.type)))
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
                     for d in range(x.values.ndim))  # fmt: skip

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


# --- Ops that call a computation ----------------------------------------------------------------------------------------


def scalar(array, index):
    return Array(array.type, array.values[index].reshape(()))


class Evaluator:
    def __init__(self, text):
        self.module = Module(text)

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
        if op == "tuple":
            return list(operands)
        if op == "get-tuple-element":
            return operands[0][int(instruction.text("index"))]
        if op in ("copy", "opt-barrier", "bitcast"):
            return operands[0] if op != "bitcast" else reshape(instruction, operands[0])
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
            self.root(name).type)  # fmt: skip

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
    words = instruction.operands.replace("{", " ").replace("}", " ").replace(",", " ").split()
    kind = instruction.type
    if is_float(kind):
        values = np.array([float(w) for w in words]).astype(DTYPES[kind])
    else:
        values = np.array([{"true": 1, "false": 0}.get(w, w) for w in words], object).astype(np.int64)
        values = values.astype(DTYPES[kind])
    return Array(kind, values.reshape(instruction.dimensions))


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
    for index in np.ndindex(*updates[0].values.shape):
        batch = [i for d, i in enumerate(index) if d not in window_dims]
        start = batching_start(indices, batch, vector, batching, len(shape))
        for d, value in zip(map_, index_vector(indices, batch, vector, len(map_))):
            start[d] = value
        offset = offsets(index, window_dims, windowed, len(shape))
        at = tuple(s + o for s, o in zip(start, offset))
        if all(0 <= a < n for a, n in zip(at, shape)):
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


ARRAYS = {
    "compare": compare, "select": select, "clamp": clamp, "convert": convert, "bitcast-convert": bitcast_convert,
    "reduce-precision": reduce_precision, "iota": iota, "broadcast": broadcast, "reshape": reshape,
    "transpose": transpose, "reverse": reverse, "slice": slice_, "dynamic-slice": dynamic_slice,
    "dynamic-update-slice": dynamic_update_slice, "concatenate": concatenate, "pad": pad, "dot": dot,
    "convolution": convolution, "gather": gather,
}  # fmt: skip
CALLERS = {
    "call": call, "fusion": call, "map": map_, "while": while_, "conditional": conditional, "reduce": reduce,
    "reduce-window": reduce_window, "scatter": scatter, "sort": sort,
}  # fmt: skip
