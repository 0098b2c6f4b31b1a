"""Arrays whose run-time size is below their bound; the array carries its sizes."""

import re

import numpy as np

from golden.witness.arrays import Array
from golden.witness.evaluator import elementwise
from golden.witness.evaluator.integers import integers
from golden.witness.evaluator.not_derived import NotDerived

# Results of these ops have the sizes of the operands.
KEEPS_SIZES = {*elementwise.OPS, "convert", "reduce-precision"}
# Other ops that accept an operand with run-time sizes.
SEES_SIZES = {
    "set-dimension-size", "get-dimension-size", "dynamic-reshape", "tuple", "get-tuple-element", "copy",
    "opt-barrier", "domain", "call", "fusion", "while", "conditional", "after-all", "add-dependency", "custom-call",
    "async-start", "async-update", "async-done", "copy-start", "copy-done", "reshape", "bitcast", "outfeed",
}  # fmt: skip

# Ops whose results follow from the operands' values alone, so that they can be computed on the elements inside the
# sizes.
FOLLOWS_OPERANDS = {
    "concatenate", "transpose", "reverse", "dynamic-update-slice", "scatter", "sort", "reduce-window", "pad", "map", "dot",
    "convolution", "cholesky", "triangular-solve", "reduce", "slice", "gather",
}  # fmt: skip


def has_sizes(value):
    """True if an array has a run-time size."""
    return isinstance(value, Array) and bool(value.sizes)


def check_sizes(op, operands):
    """Raises NotDerived for an op that would ignore run-time sizes."""
    if op not in KEEPS_SIZES | SEES_SIZES and any(map(has_sizes, operands)):
        raise NotDerived(f"{op} of an array whose size is below its bound")


def follows_live_operands(op, operands):
    """True if the op is computed on arrays that have the run-time sizes of these operands as their bounds."""
    return op in FOLLOWS_OPERANDS and any(map(has_sizes, operands))


def equal_dimensions(instruction, operands):
    """Returns the groups of dimensions that an op needs to be equal, each as (operand, dimension)."""
    op, rank = instruction.opcode, len(operands[0].values.shape)
    if op in ("map", "reduce", "reduce-window"):
        arrays = len(operands) if op == "map" else len(operands) // 2
        return [[(i, d) for i in range(arrays)] for d in range(rank)]
    if op == "gather":
        dimensions = map(instruction.ints, ("operand_batching_dims", "start_indices_batching_dims"))
        return [[(0, d), (1, other)] for d, other in zip(*dimensions, strict=True)]
    if op == "dot":
        pairs = [(instruction.ints(f"lhs_{kind}_dims"), instruction.ints(f"rhs_{kind}_dims")) for kind in ("batch", "contracting")]
        return [[(0, left), (1, right)] for lefts, rights in pairs for left, right in zip(lefts, rights, strict=True)]
    if op == "convolution":
        image, kernel = instruction.text("dim_labels").split("->")[0].split("_")
        return [[(0, image.index("f")), (1, kernel.index("i"))]]
    square = [(0, rank - 2), (0, rank - 1)]
    if op == "cholesky":
        return [square]
    if op == "triangular-solve":
        solved = rank - 2 if instruction.flag("left_side") else rank - 1
        return [*([(0, d), (1, d)] for d in range(rank - 2)), [*square, (1, solved)]]
    return []


def to_equal_sizes(instruction, operands):
    """Cuts each group of equal dimensions to its smallest size."""
    for group in equal_dimensions(instruction, operands):
        least = min(operands[i].values.shape[d] for i, d in group)
        for i, d in group:
            cut = [np.s_[:]] * len(operands[i].values.shape)
            cut[d] = np.s_[:least]
            operands[i] = Array(operands[i].type, operands[i].values[tuple(cut)])
    return operands


def under_bounds(instruction, result):
    """Returns a result of run-time sizes in arrays of the bounds that the instruction declares."""
    bounds = [[int(n) for n in re.findall(r"\d+", sizes)] for sizes in re.findall(r"\[([\d,<=]*)\]", instruction.shape)]
    arrays = result if isinstance(result, list) else [result]
    bounded = [under_bound(x, bound) for x, bound in zip(arrays, bounds, strict=True)]
    return bounded if isinstance(result, list) else bounded[0]


def under_bound(x, bound):
    """Returns one array within a bound."""
    values = np.zeros(bound, x.values.dtype)
    values[tuple(np.s_[:n] for n in x.values.shape)] = x.values
    return Array(x.type, values, {d: n for d, n in enumerate(x.values.shape) if n < bound[d]})


def with_sizes_of(op, operands, result):
    """Returns the result of an element-wise op with the sizes of its operands."""
    if op not in KEEPS_SIZES or not any(map(has_sizes, operands)):
        return result
    return Array(result.type, result.values, next(x.sizes for x in operands if has_sizes(x)))


def set_dimension_size(instruction, x, size):
    """Returns the array with one more run-time size, clamped to its bound."""
    dimension = instruction.ints("dimensions")[0]
    bound = x.values.shape[dimension]
    return Array(x.type, x.values, x.sizes | {dimension: min(max(int(size.values), 0), bound)})


def live(x):
    """Returns the elements of an array inside its run-time sizes. The result of a fold over it must be static."""
    return Array(x.type, x.values[tuple(np.s_[: x.sizes.get(d, n)] for d, n in enumerate(x.values.shape))])


def get_dimension_size(instruction, x):
    """Returns the run-time size of a dimension."""
    dimension = instruction.ints("dimensions")[0]
    return integers("s32", [x.sizes.get(dimension, x.values.shape[dimension])], ())


def dynamic_reshape(instruction, x, *sizes):
    """Reshapes the elements inside the run-time sizes, row-major, from the operand's sizes to the result's."""
    wanted = [min(max(int(s.values), 0), n) for s, n in zip(sizes, instruction.dimensions)]
    inside, box = live(x).values, tuple(np.s_[:n] for n in wanted)
    result = Array(x.type, np.zeros(instruction.dimensions, x.values.dtype))
    # If the sizes do not fit, the elements are those of a reshape between the bounds.
    fits = inside.size == np.prod(wanted)
    result.values[box] = inside.reshape(wanted) if fits else x.values.reshape(instruction.dimensions)[box]
    result.sizes = dict(enumerate(wanted))
    return result


def pad_to_static(_, x):
    """Returns an array of the bounds, and the run-time size of each dimension."""
    sizes = [integers("s32", [x.sizes.get(d, n)], ()) for d, n in enumerate(x.values.shape)]
    return [Array(x.type, x.values), *sizes]


def slice_to_dynamic(_, x, *sizes):
    """Returns an array of the bounds with the run-time sizes in the other operands."""
    return Array(x.type, x.values, {d: int(size.values) for d, size in enumerate(sizes)})


def reshaped(instruction, x):
    """Reshapes the elements inside the run-time sizes, row-major; the single dynamic dimension of the result holds them
    all."""
    if 0 in instruction.dimensions:
        return Array(x.type, x.values.reshape(instruction.dimensions))
    extents = re.search(r"\[(.*?)\]", instruction.shape).group(1).split(",")
    dynamic = [d for d, extent in enumerate(extents) if "<=" in extent]
    others = np.prod([n for d, n in enumerate(instruction.dimensions) if d not in dynamic], dtype=int)
    inside = live(x).values
    if len(dynamic) != 1 or inside.size % others:
        raise NotDerived("a reshape whose result has not one run-time size")
    sizes = [inside.size // others if d in dynamic else n for d, n in enumerate(instruction.dimensions)]
    return under_bound(Array(x.type, inside.reshape(sizes)), instruction.dimensions)


OPS = {
    "set-dimension-size": set_dimension_size, "get-dimension-size": get_dimension_size,
    "dynamic-reshape": dynamic_reshape,
}  # fmt: skip

# By the target of a custom-call.
TARGETS = {"PadToStatic": pad_to_static, "SliceToDynamic": slice_to_dynamic}
