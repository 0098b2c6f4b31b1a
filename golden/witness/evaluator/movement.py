"""Ops that move elements."""

import re

import numpy as np

from golden.witness.arrays import Array
from golden.witness.element_types import DTYPES, is_float
from golden.witness.evaluator.elementwise import total_order
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.run_time_sizes import reshaped


def gathered(dimensions, x, source_index):
    """Returns the array of these dimensions whose element at `index` is x's at source_index(index)."""
    out = np.zeros(dimensions, x.values.dtype)
    for index in np.ndindex(*dimensions):
        out[index] = x.values[source_index(index)]
    return Array(x.type, out)


def broadcast(instruction, x):
    """Repeats elements along the dimensions that are not listed."""
    dimensions = instruction.ints("dimensions")
    return gathered(instruction.dimensions, x, lambda index: tuple(index[d] for d in dimensions))


def reshape(instruction, x):
    """Returns the same elements in row-major order."""
    if x.sizes:
        return reshaped(instruction, x)
    return Array(x.type, x.values.reshape(instruction.dimensions))


def major_to_minor(shape):
    """Returns the order of the dimensions in memory, of a shape with or without a layout."""
    layout = re.search(r"\]\{([\d,]*)", shape)
    if layout is None:
        return list(range(len(re.findall(r"\d+", re.search(r"\[([\d,]*)\]", shape).group(1)))))
    return [int(d) for d in reversed(layout.group(1).split(","))]


def bitcast(instruction, x):
    """Reinterprets the memory; layouts matter."""
    if x.sizes:
        if instruction.operand_shapes[0] != instruction.shape:
            raise NotDerived("a bitcast of run-time sizes to another shape")
        return x
    memory = np.ascontiguousarray(x.values.transpose(major_to_minor(instruction.operand_shapes[0]))).reshape(-1)
    order = major_to_minor(instruction.shape)
    # A pred is true for any byte that is not zero.
    in_memory = memory.view(np.uint8) != 0 if instruction.type == "pred" else memory.view(DTYPES[instruction.type])
    in_memory = in_memory.reshape([instruction.dimensions[d] for d in order])
    return Array(instruction.type, in_memory.transpose(np.argsort(order)) if order else in_memory)


def transpose(instruction, x):
    """Permutes the dimensions."""
    return Array(x.type, x.values.transpose(instruction.ints("dimensions")))


def reverse(instruction, x):
    """Reverses some dimensions."""
    return Array(x.type, np.flip(x.values, instruction.ints("dimensions")))


def slice_(instruction, x):
    """Returns every n-th element between two bounds."""
    parts = re.findall(r"\[([\d:]*)\]", instruction.text("slice"))
    numbers = [[int(n) for n in part.split(":")] for part in parts]
    return Array(x.type, x.values[tuple(np.s_[p[0] : p[1] : p[2] if len(p) > 2 else 1] for p in numbers)])


def clamped_starts(starts, sizes, shape):
    """Returns the starts, scalars or one vector, clamped so that the slice is inside."""
    numbers = [int(v) for s in starts for v in s.values.reshape(-1)]
    return [min(max(s, 0), n - k) for s, k, n in zip(numbers, sizes, shape)]


def dynamic_slice(instruction, x, *starts):
    """Returns a slice at the starts in the operands."""
    sizes = instruction.ints("dynamic_slice_sizes")
    begins = clamped_starts(starts, sizes, x.values.shape)
    return Array(x.type, x.values[tuple(np.s_[b : b + k] for b, k in zip(begins, sizes))])


def dynamic_update_slice(_, x, update, *starts):
    """Returns the operand with one slice replaced."""
    begins = clamped_starts(starts, update.values.shape, x.values.shape)
    out = x.values.copy()
    out[tuple(np.s_[b : b + k] for b, k in zip(begins, update.values.shape))] = update.values
    return Array(x.type, out)


def concatenate(instruction, *arrays):
    """Concatenates along a dimension."""
    return Array(arrays[0].type, np.concatenate([a.values for a in arrays], instruction.ints("dimensions")[0]))


def pad(instruction, x, value):
    """Adds a value around and between the elements; negative padding removes elements."""
    parts = [[int(n) for n in p.split("_")] for p in instruction.text("padding").split("x")]
    holes = [p[2] if len(p) > 2 else 0 for p in parts]
    sizes = [max(p[0] + n + max(n - 1, 0) * hole + p[1], 0) for p, n, hole in zip(parts, x.values.shape, holes)]
    out = np.full(sizes, value.values, x.values.dtype)
    for index in np.ndindex(*x.values.shape):
        to = tuple(p[0] + i * (1 + hole) for p, i, hole in zip(parts, index, holes))
        if all(0 <= t < n for t, n in zip(to, out.shape)):
            out[to] = x.values[index]
    return Array(x.type, out)


def topk(instruction, x):
    """Returns the largest elements in the total order; of equal elements the first one comes first."""
    count, largest = int(instruction.text("k")), instruction.text("largest") != "false"
    keys = np.array(total_order(x) if is_float(x.type) else [int(v) for v in x.values.reshape(-1)], object)
    keys = keys.reshape(x.values.shape)
    places = np.zeros(x.values.shape[:-1] + (count,), np.int32)
    for index in np.ndindex(*x.values.shape[:-1]):
        line = sorted(range(x.values.shape[-1]), key=lambda i: (-keys[index][i] if largest else keys[index][i], i))
        places[index] = line[:count]
    return [Array(x.type, np.take_along_axis(x.values, places, -1)), Array("s32", places)]


def shuffle(instruction, x):
    """Rotates elements along dimensions."""
    shifts, dimensions = instruction.ints("shifts"), instruction.ints("dimensions")
    return Array(x.type, np.roll(x.values, [-n for n in shifts], dimensions) if shifts else x.values)


OPS = {
    "broadcast": broadcast, "reshape": reshape, "bitcast": bitcast, "transpose": transpose, "reverse": reverse,
    "slice": slice_, "dynamic-slice": dynamic_slice, "dynamic-update-slice": dynamic_update_slice,
    "concatenate": concatenate, "pad": pad, "topk": topk, "shuffle": shuffle,
}  # fmt: skip
