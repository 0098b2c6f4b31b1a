"""The programs of this folder: functions written as in libraries of layers, each in several forms.

`layer = in_group(GROUP)`, and `@layer(shapes...)` makes a function a program. A shape is HLO's, with the range of
integers: "s32[4]:-2:9". The forms are NAME as it is written, NAME.vmap over a new first dimension of every argument,
NAME.grad the derivative of the sum of its results, and NAME.bf16 with bf16 in the place of f32.
"""

import functools
import re
import zlib

import jax
import jax.numpy as jnp
import numpy

from assay._values import dtype_of, parsed_shape
from spec_tests.lowerings.programs import Program

LAYERS = []
FORMS = ("", "vmap", "grad", "bf16")


def in_group(group):
    """Returns the decorator of functions in a group."""
    return functools.partial(layer, group)


def layer(group, *shapes, forms=FORMS, name=None):
    """Makes the decorated function programs of these shapes."""

    def register(function):
        for form in forms:
            changed = [shape.replace("f32", "bf16") for shape in shapes] if form == "bf16" else shapes
            full = f"{group}.{name or function.__name__}{form and '.'}{form}"
            LAYERS.append(Program(full, in_form(function, form), arguments(full, changed, form)))
        return function

    return register


def in_form(function, form):
    """Returns the function of a form."""
    if form == "vmap":
        return jax.vmap(function)
    if form == "grad":
        return lambda *values: jax.grad(sum_of_results(function), floats(values), allow_int=True)(*values)
    return function


def floats(values):
    """Returns the numbers of the arguments that have a derivative: all of floating type."""
    return tuple(i for i, value in enumerate(values) if jnp.issubdtype(value.dtype, jnp.floating)) or 0


def sum_of_results(function):
    """Returns the function with the sum of its results of floating or complex type."""

    def total(*values):
        leaves = jax.tree_util.tree_leaves(function(*values))
        numbers = [jnp.real(leaf) for leaf in leaves if jnp.issubdtype(leaf.dtype, jnp.inexact)]
        return sum(jnp.sum(leaf.astype(jnp.float32)) for leaf in numbers)

    return total


def arguments(name, shapes, form):
    """Returns a function that draws the arguments of a program; they follow from its name."""

    def make():
        random = numpy.random.RandomState(zlib.crc32(name.encode()))
        return tuple(drawn(shape, random, (2,) if form == "vmap" else ()) for shape in shapes)

    return make


def drawn(shape, random, batch):
    """Draws an array: normal numbers, or integers of the range that stands after the shape."""
    element_type, sizes = parsed_shape(shape)
    size = (*batch, *map(int, sizes))
    dtype = dtype_of(element_type)
    if found := re.search(r":(-?\d+):(-?\d+)$", shape):
        return random.randint(int(found[1]), int(found[2]), size).astype(dtype)
    if dtype.kind == "b":
        return random.rand(*size) < 0.6
    if dtype.kind in "iu":
        return random.randint(-100 if dtype.kind == "i" else 0, 100, size).astype(dtype)
    if dtype.kind == "c":
        return (random.randn(*size) + 1j * random.randn(*size)).astype(dtype)
    return random.randn(*size).astype(dtype)
