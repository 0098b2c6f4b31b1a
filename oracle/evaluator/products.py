"""Sums of products: dots and convolutions, every sum exact and rounded once."""

import functools
import itertools
import operator
from fractions import Fraction

import numpy as np

from oracle.arrays import Array
from oracle.element_types import COMPLEX, is_integer
from oracle.evaluator.complex_numbers import complex_array
from oracle.evaluator.exact_numbers import array_of, numbers
from oracle.evaluator.extended_numbers import extended, total
from oracle.evaluator.functions import multiply
from oracle.evaluator.integers import integers, wrap
from oracle.evaluator.rounding import encode, exact_sum
from oracle.evaluator.windows import Window


def products_summed(kind, pairs):
    """sum of x * y over pairs of elements."""
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
    """An array of numbers that are rounded already."""
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

    def places(self, index, right):
        """Where an index of the result lies in each operand; its last places are the dimensions `right` of rhs."""
        at, to = [0] * self.ranks[0], [0] * self.ranks[1]
        places = iter(index)
        for a, b in self.batch:
            at[a] = to[b] = next(places)
        for a in self.left:
            at[a] = next(places)
        for b in right:
            to[b] = next(places)
        return at, to


def dot(instruction, x, y):
    """A sum of products over the contracted dimensions, for each index of the others."""
    dims = DotDimensions(instruction, x, y)
    results = []
    for index in np.ndindex(*instruction.dimensions):
        pairs = []
        for inner in np.ndindex(*[x.values.shape[a] for a, _ in dims.contracted]):
            at, to = dims.places(index, dims.right)
            for i, (a, b) in zip(inner, dims.contracted):
                at[a] = to[b] = i
            pairs.append((x.values[tuple(at)], y.values[tuple(to)]))
        results.append(products_summed(instruction.type, pairs))
    return from_results(instruction.type, results, instruction.dimensions)


def convolution(instruction, x, kernel):
    """A sum of products over the window and the input features, for each output."""
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


def group_of(instruction, dims, sizes, at):
    """The group that an index of lhs belongs to, or None past the last one. sizes may have a row for each prefix."""
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
    """A dot whose rows, contracted elements or batches are dealt out to groups."""
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
        for inner in np.ndindex(*[x.values.shape[a] for a, _ in dims.contracted]):
            for i, (a, b) in zip(inner, dims.contracted):
                at[a] = to[b] = i
            group = None if is_batch else group_of(instruction, dims, sizes, at)
            if not is_batch and (group is None or wanted not in (None, group)):
                continue
            if group_dims:
                to[group_dims[0]] = group
            pairs.append((x.values[tuple(at)], y.values[tuple(to)]))
        results.append(products_summed(instruction.type, pairs))
    return from_results(instruction.type, results, instruction.dimensions)


def scaled_dot(instruction, x, y, x_scale, y_scale):
    """A dot of operands each multiplied by its scale, which stands for a block of elements."""
    dims = DotDimensions(instruction, x, y)

    are_real = not any(a.type in COMPLEX for a in (x, y, x_scale, y_scale))
    read = extended if are_real else numbers

    def scaled(array, scale):
        values, factors = read(array), read(scale)
        if scale.values.ndim == array.values.ndim:
            blocks = [n // max(1, k) for n, k in zip(array.values.shape, scale.values.shape)]
            factors = factors.repeat(blocks[0], 0)
            for d, block in enumerate(blocks[1:], 1):
                factors = factors.repeat(block, d)
        return values * factors

    left, right = scaled(x, x_scale), scaled(y, y_scale)
    results = []
    for index in np.ndindex(*instruction.dimensions):
        at, to = dims.places(index, dims.right)
        terms = []
        for inner in np.ndindex(*[x.values.shape[a] for a, _ in dims.contracted]):
            for i, (a, b) in zip(inner, dims.contracted):
                at[a] = to[b] = i
            terms.append(left[tuple(at)] * right[tuple(to)])
        results.append(total(terms).value if are_real else functools.reduce(operator.add, terms))
    return array_of(instruction.type, results, instruction.dimensions)


OPS = {"dot": dot, "convolution": convolution, "ragged-dot": ragged_dot, "scaled-dot": scaled_dot}
