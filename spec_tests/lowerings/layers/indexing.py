"""Indexing: every mode of take, take_along_axis and at, segments, slices at run-time places."""

import itertools

import jax
import jax.numpy as jnp
from jax import lax

from spec_tests.lowerings.layers.layer import in_group

layer = in_group("indexing")

VALUES = ("f32[4,3,5]", "s32[4,3,5]", "pred[4,3,5]:0:2", "c64[4,3,5]")
INDICES = ("s32[]:-5:6", "s32[1]:-5:6", "s32[6]:-5:6", "s32[2,3]:-5:6", "u8[3]:0:6")
MODES = ("fill", "clip", "wrap")


def label(*words):
    """Returns a name of words and shapes."""
    return "_".join(str(word).partition(":")[0].replace("[", "").replace("]", "").replace(",", "x") for word in words)


for values, indices, mode, axis in itertools.product(VALUES, INDICES, MODES, (0, 1, -1, None)):
    if values != VALUES[0] and (axis != 0 or mode != "fill"):
        continue
    layer(values, indices, forms=("", "vmap") if values != VALUES[0] else ("", "vmap", "grad"),
          name=label("take", mode, axis, values, indices))(
        lambda x, i, mode=mode, axis=axis: jnp.take(x, i, axis=axis, mode=mode))  # fmt: skip

# One plane, and nothing left after the index: the whole operand is the window.
for values, mode in itertools.product(("f32[1,3,5]", "f32[4,1]", "f32[1]", "f32[7]"), MODES):
    layer(values, "s32[1]:-1:2", name=label("take_plane", mode, values))(
        lambda x, i, mode=mode: jnp.take(x, i[0], axis=0, mode=mode))  # fmt: skip

for mode, axis in itertools.product(("fill", "clip", "promise_in_bounds"), (0, 1, 2)):
    range_of_indices = ":0:3" if mode == "promise_in_bounds" else ":-5:6"
    layer("f32[4,3,5]", f"s32[4,3,5]{range_of_indices}", name=label("take_along_axis", mode, axis))(
        lambda x, i, mode=mode, axis=axis: jnp.take_along_axis(x, i, axis, mode=mode))  # fmt: skip

METHODS = ("set", "add", "multiply", "min", "max", "divide", "power", "subtract")
for method, mode, values in itertools.product(METHODS, ("drop", "clip", "promise_in_bounds"), ("f32", "s32")):
    if values == "s32" and method in ("divide", "power"):
        continue
    range_of_indices = ":0:4" if mode == "promise_in_bounds" else ":-6:7"
    layer(f"{values}[4,3]", f"s32[5]{range_of_indices}", f"{values}[5,3]", forms=("", "vmap"),
          name=label("at", method, mode, values))(
        lambda x, i, y, method=method, mode=mode: getattr(x.at[i], method)(y, mode=mode))  # fmt: skip

# The index in x.at[...]: x is f32[4,5,6], i and j have two indices, n is one.
PLACES = {
    "number": lambda i, j, n: n,
    "two_numbers": lambda i, j, n: (n, n),
    "array": lambda i, j, n: i,
    "pairs": lambda i, j, n: (i, j),
    "pairs_apart": lambda i, j, n: (i, slice(None), j),
    "grid": lambda i, j, n: (i[:, None], j[None, :]),
    "slice": lambda i, j, n: slice(1, 3),
    "strided": lambda i, j, n: slice(None, None, 2),
    "reversed": lambda i, j, n: (slice(None), slice(None, None, -1)),
    "array_and_slice": lambda i, j, n: (i, slice(1, 4)),
    "slice_and_number": lambda i, j, n: (slice(0, 2), n),
    "ellipsis": lambda i, j, n: (Ellipsis, n),
    "new_dimension": lambda i, j, n: (None, i),
}
for (place, index), method in itertools.product(PLACES.items(), ("get", "set", "add", "mul", "max", "apply")):

    def indexed(x, i, j, n, index=index, method=method):
        found = x.at[index(i, j, n)]
        if method == "get":
            return found.get(mode="fill", fill_value=-1)
        return found.apply(jnp.abs) if method == "apply" else getattr(found, method)(2.5)

    forms = ("", "vmap") if method == "apply" else ("", "vmap", "grad")  # apply has no derivative
    layer("f32[4,5,6]", "s32[2]:-5:6", "s32[2]:-5:6", "s32[]:-5:6", forms=forms,
          name=label("at", place, method))(indexed)  # fmt: skip


for promises in (("unique_indices",), ("indices_are_sorted",), ("unique_indices", "indices_are_sorted")):
    layer("f32[9]", "f32[4]", name=label("at_promises", *promises))(
        lambda x, y, promises=promises: x.at[jnp.arange(4) * 2].add(y, **dict.fromkeys(promises, True)))  # fmt: skip


for reduction in ("sum", "prod", "min", "max"):
    layer("f32[9,2]", "s32[9]:-2:6", forms=("", "vmap", "bf16"), name=f"segment_{reduction}")(
        lambda x, i, reduction=reduction: getattr(jax.ops, f"segment_{reduction}")(x, i, num_segments=4))  # fmt: skip


@layer("f32[6,7,3]", "s32[]:-3:9", "s32[]:-3:9")
def dynamic_slice(x, i, j):
    return lax.dynamic_slice(x, (i, j, 0), (2, 3, 3))


@layer("f32[6,7]", "f32[2,3]", "s32[]:-3:9", "s32[]:-3:9")
def dynamic_update_slice(x, y, i, j):
    return lax.dynamic_update_slice(x, y, (i, j))


@layer("f32[8,4]", "s32[]:0:9", "f32[4]")
def ring_buffer(buffer, step, row):
    buffer = lax.dynamic_update_index_in_dim(buffer, row, step % 8, 0)
    return buffer, lax.dynamic_index_in_dim(buffer, (step - 3) % 8, 0, keepdims=False)


@layer("f32[10,4]", "s32[3]:-2:12")
def windows(x, starts):
    return jax.vmap(lambda start: lax.dynamic_slice_in_dim(x, start, 3))(starts)


@layer("f32[5,4]", "pred[5,4]")
def masked(x, mask):
    return jnp.where(mask, x, -1e9), x * mask, jnp.sum(x, where=mask), jnp.max(x, initial=-3.0, where=mask)


@layer("f32[12]", "pred[12]")
def nonzero(x, mask):
    (found,) = jnp.nonzero(mask, size=8, fill_value=-1)
    return x[found], jnp.compress(mask, x, size=8, fill_value=7)


@layer("s32[12]:0:6", forms=("", "vmap"))
def unique(x):
    return jnp.unique(x, size=5, fill_value=-1, return_inverse=True, return_counts=True)


@layer("s32[12]:-1:9", "f32[12]", forms=("", "vmap"))
def counted(x, weights):
    return jnp.bincount(x, length=6), jnp.bincount(x, weights, length=6), jax.nn.one_hot(x, 6)


@layer("f32[9]", "f32[5]", forms=("", "vmap", "grad"))
def searched(x, values):
    grid = jnp.sort(x)
    return jnp.searchsorted(grid, values), jnp.searchsorted(grid, values, side="right"), jnp.interp(values, grid, x)


@layer("f32[4,6]", "s32[]:-7:8")
def rolled(x, n):
    return jnp.roll(x, n, axis=1), jnp.roll(x, (1, -2), axis=(0, 1)), jnp.flip(x, 0), jnp.rot90(x)


@layer("f32[5,5]", "f32[5]")
def triangles(x, d):
    return jnp.tril(x, -1), jnp.triu(x, 1), jnp.diag(d), jnp.diagonal(x, 1), x.at[jnp.diag_indices(5)].add(d)


@layer("s32[4]:0:3", "f32[4]", "f32[4]", "f32[4]", forms=("", "vmap"))
def chosen(i, a, b, c):
    return jnp.choose(i, [a, b, c], mode="clip"), jnp.select([a > b, b > c], [a, c], 0.5), lax.select_n(i, a, b, c)


@layer("f32[3,4,2]", "s32[3,2]:-1:5")
def gather_pixels(image, at):
    return image[at[:, 0], at[:, 1]], image.at[at[:, 0], at[:, 1]].set(1.0, mode="drop")
