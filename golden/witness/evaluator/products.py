"""Sums of products: dots and convolutions, every sum exact and rounded once."""

import itertools
from fractions import Fraction

import numpy as np

from golden.witness.arrays import Array
from golden.witness.element_types import COMPLEX, is_float, is_integer
from golden.witness.evaluator.complex_numbers import complex_array
from golden.witness.evaluator.complex_numbers import multiply as complex_product
from golden.witness.evaluator.functions import multiply
from golden.witness.evaluator.integers import integers, wrap
from golden.witness.evaluator.rounding import encode, exact_sum, rounded
from golden.witness.evaluator.windows import Window


def factors_for(kind, *arrays):
    """Yields the operands of a sum of products; for a floating or complex result, integers and predicates are rounded
    to its type."""
    part = COMPLEX.get(kind, kind)
    for array in arrays:
        if is_float(part) and not is_float(COMPLEX.get(array.type, array.type)):
            values = [float(rounded(part, Fraction(int(value)))) for value in array.values.flat]
            array = Array(array.type, np.array(values, float).reshape(array.values.shape))
        yield array


def products_summed(kind, pairs):
    """Returns the sum of x * y over pairs of elements."""
    if is_integer(kind):
        return wrap(kind, sum(int(x) * int(y) for x, y in pairs))
    if kind == "pred":
        return any(x and y for x, y in pairs)
    if kind in COMPLEX:
        parts = [(float(x.real), float(x.imag), float(y.real), float(y.imag)) for x, y in pairs]
        part = COMPLEX[kind]
        real = [term for a, b, c, d in parts for term in (multiply(a, c), multiply(-b, d))]
        imaginary = [term for a, b, c, d in parts for term in (multiply(a, d), multiply(b, c))]
        return exact_sum(part, real or [Fraction(0)]), exact_sum(part, imaginary or [Fraction(0)])
    return exact_sum(kind, [multiply(float(x), float(y)) for x, y in pairs] or [Fraction(0)])


def from_results(kind, results, shape):
    """Returns an array of numbers that are already rounded."""
    if is_integer(kind) or kind == "pred":
        return integers(kind, results, shape)
    if kind in COMPLEX:
        return complex_array(kind, results, shape)
    return Array(kind, encode(kind, results).reshape(shape))


class DotDimensions:
    """The dimensions of a dot by their roles."""

    def __init__(self, instruction, x, y):
        self.batch = list(zip(instruction.ints("lhs_batch_dims"), instruction.ints("rhs_batch_dims")))
        self.contracted = list(zip(instruction.ints("lhs_contracting_dims"), instruction.ints("rhs_contracting_dims")))
        paired = self.batch + self.contracted
        self.left = [d for d in range(x.values.ndim) if d not in [a for a, _ in paired]]
        self.right = [d for d in range(y.values.ndim) if d not in [b for _, b in paired]]
        self.ranks = x.values.ndim, y.values.ndim
        self.terms = [x.values.shape[a] for a, _ in self.contracted]

    def places(self, index, right):
        """Returns the place in each operand for an index of the result, whose last places are the dimensions `right` of
        rhs."""
        at, to = [0] * self.ranks[0], [0] * self.ranks[1]
        places = iter(index)
        for a, b in self.batch:
            at[a] = to[b] = next(places)
        for a in self.left:
            at[a] = next(places)
        for b in right:
            to[b] = next(places)
        return at, to


    def pairs(self, at, to):
        """Yields the places of the pairs of elements whose products are summed, from a place in each operand."""
        for inner in np.ndindex(*self.terms):
            for i, (a, b) in zip(inner, self.contracted):
                at[a] = to[b] = i
            yield tuple(at), tuple(to)

    def sums(self, instruction, left, right):
        """Returns the sums of products over the contracted dimensions, for each index of the others."""
        results = []
        for index in np.ndindex(*instruction.dimensions):
            pairs = self.pairs(*self.places(index, self.right))
            results.append(products_summed(instruction.type, [(left[at], right[to]) for at, to in pairs]))
        return from_results(instruction.type, results, instruction.dimensions)


def dot(instruction, x, y):
    """Sums products over the contracted dimensions, for each index of the others."""
    x, y = factors_for(instruction.type, x, y)
    return DotDimensions(instruction, x, y).sums(instruction, x.values, y.values)


def convolution(instruction, x, kernel):
    """Sums products over the window and the input features, for each output."""
    x, kernel = factors_for(instruction.type, x, kernel)
    window = Window(instruction)
    lhs, rest = instruction.text("dim_labels").split("_")
    rhs, out = rest.split("->")
    features = int(instruction.text("feature_group_count", "1"))
    batches = int(instruction.text("batch_group_count", "1"))
    is_gradient = instruction.text("convolution_kind", "unset") == "dgrad"  # its kernel is reversed
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
                    is_reversed = window.reversal[d] != is_gradient
                    right[rhs.index(str(d))] = window.size[d] - 1 - inside[d] if is_reversed else inside[d]
                pairs.append((x.values[tuple(left)], kernel.values[tuple(right)]))
        # The specification's sum starts from zero.
        results.append(products_summed(instruction.type, [(0.0, 0.0), *pairs]))
    return from_results(instruction.type, results, instruction.dimensions)


def group_of(instruction, dims, sizes, at):
    """Returns the group of an index of lhs, or None past the last one. sizes may have a row for each prefix."""
    ragged = instruction.ints("lhs_ragged_dims")[0]
    row = sizes.values
    if row.ndim > 1:
        batch, inner = [a for a, _ in dims.batch], [a for a, _ in dims.contracted]
        role = batch if ragged in batch else batch + inner if ragged in inner else batch + dims.left
        row = row[tuple(at[d] for d in role[: role.index(ragged)])]
    for group, end in enumerate(itertools.accumulate(int(n) for n in row)):
        if at[ragged] < end:
            return group
    return None


def ragged_dot(instruction, x, y, sizes):
    """Computes a dot whose rows, contracted elements or batches are divided into groups."""
    x, y = factors_for(instruction.type, x, y)
    dims = DotDimensions(instruction, x, y)
    ragged = instruction.ints("lhs_ragged_dims")[0]
    group_dims = instruction.ints("rhs_group_dims")
    is_contracting = ragged in [a for a, _ in dims.contracted]
    is_batch = ragged in [a for a, _ in dims.batch]
    right_free = [d for d in dims.right if d not in group_dims]
    results = []
    for index in np.ndindex(*instruction.dimensions):
        wanted, index = (index[0], index[1:]) if is_contracting else (None, index)
        at, to = dims.places(index, right_free)
        pairs = []
        for _ in dims.pairs(at, to):
            group = None if is_batch else group_of(instruction, dims, sizes, at)
            if not is_batch and (group is None or wanted not in (None, group)):
                continue
            if group_dims:
                to[group_dims[0]] = group
            pairs.append((x.values[tuple(at)], y.values[tuple(to)]))
        results.append(products_summed(instruction.type, pairs))
    return from_results(instruction.type, results, instruction.dimensions)


def scaled_dot(instruction, x, y, x_scale, y_scale):
    """Computes a dot of operands that are each multiplied by their scale for a block of elements."""
    return DotDimensions(instruction, x, y).sums(instruction, scaled(x, x_scale), scaled(y, y_scale))


def wide(array, kind):
    """Returns the elements as complex128, floats or integers."""
    out = np.empty(array.values.shape, object)
    for index in np.ndindex(*out.shape):
        value = array.values[index]
        out[index] = np.complex128(value) if kind == "c128" else float(value) if kind == "f64" else int(value)
    return out


def product(kind, x, y):
    """Returns the product rounded to f64 or c128, which is exact for narrower numbers; of integers modulo 2^64."""
    if kind == "s64":
        return wrap(kind, x * y)
    if kind == "f64":
        return float(rounded(kind, multiply(x, y)))
    parts = complex_product(*(part.item() for part in (x.real, x.imag, y.real, y.imag)))
    return np.complex128(complex(*[float(rounded("f64", part)) for part in parts]))


def scaled(array, scale):
    """Returns the elements, each times the scale of its block."""
    types = {array.type, scale.type}
    kind = "c128" if types & set(COMPLEX) else "f64" if any(map(is_float, types)) else "s64"
    values = wide(array, kind)
    if array.type == scale.type == "bf16" and scale.values.size == 1 != array.values.size:
        return values  # It means "not scaled".
    factors = wide(scale, kind)
    for d, (size, blocks) in enumerate(zip(array.values.shape, scale.values.shape)):
        factors = factors.repeat(size // max(1, blocks), d)
    factors = np.broadcast_to(factors, array.values.shape)
    for index in np.ndindex(*values.shape):
        values[index] = product(kind, values[index], factors[index])
    return values


OPS = {"dot": dot, "convolution": convolution, "ragged-dot": ragged_dot, "scaled-dot": scaled_dot}
