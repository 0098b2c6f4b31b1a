"""Transposes, reshapes, broadcasts, slices, pads and concatenations in combinations that a compiler may fold, rightly
or wrongly."""

import math

from golden.make.miscompilations.forms import FLOATS, INF, MOVED, NAN, Program, combiner, limits, maximum
from golden.witness.element_types import COMPLEX, is_float


def counted(count, kind):
    """Returns different numbers, as far as the type has them."""
    if kind in COMPLEX:
        return [n for i in range(count) for n in (i, -i)]
    return [i % 2 if kind == "pred" else (i if limits_hold(i, kind) else i % 100) for i in range(1, count + 1)]


def limits_hold(number, kind):
    """True if the type can represent the number."""
    return is_float(kind) or number <= limits(kind)[1]


def moved(name, reason, dimensions, lines, kinds=MOVED, **more):
    """Returns a program of one operand that only moves its elements."""
    count = math.prod(map(int, dimensions.split(",")))
    return Program(name, reason, kinds, f"x:T[{dimensions}]", lines, lambda *k: [counted(count, k[0])], **more)


def joined(name, reason, lines):
    """Returns a program of two operands that only moves their elements."""
    return Program(name, reason, ("f32", "s8", "pred"), "x:T[4,3] y:T[2,3]", lines,
                   lambda kind: [counted(12, kind), counted(26, kind)[20:]], "y")


PADDED = ("f32", "s8", "bf16", "u64")
ZERO = "z = T[] constant(0)\no = T[] constant(1)\n"
PROGRAMS = [
    moved("transpose_of_transpose", "two permutations are their product, in this order", "2,3,4",
          "t = T[4,2,3] transpose(x), dimensions={2,0,1}\nr = T[2,4,3] transpose(t), dimensions={1,0,2}"),
    moved("transpose_back", "a permutation and its inverse; the same one twice is no inverse", "3,3,3",
          "t = T transpose(x), dimensions={1,2,0}\ns = T transpose(t), dimensions={2,0,1}\n"
          "u = T transpose(t), dimensions={1,2,0}\nr = (T[3,3,3], T[3,3,3]) tuple(s, u)"),
    moved("reshape_of_transpose", "a transpose between two reshapes moves elements", "2,6",
          "a = T[2,3,2] reshape(x)\nt = T[3,2,2] transpose(a), dimensions={1,0,2}\nr = T[6,2] reshape(t)"),
    moved("transpose_as_reshape", "a transpose of an extent of 1 is a reshape, one of two others is none", "1,4,3",
          "t = T[4,1,3] transpose(x), dimensions={1,0,2}\nu = T[3,4,1] transpose(t), dimensions={2,0,1}\n"
          "r = T[12] reshape(u)"),
    moved("reshape_of_reshape", "two reshapes are one", "4,3", "a = T[2,6] reshape(x)\nb = T[3,2,2] reshape(a)\n"
          "r = T[4,3] reshape(b)"),
    moved("bitcast_between_copies", "PR openxla/xla#18441: copies to other layouts round a reshape, an extent being 1",
          "3,1,2", "c = T[3,1,2]{0,1,2} copy(x)\nb = T[3,2]{0,1} reshape(c)\nr = T[3,2]{1,0} copy(b)"),
    moved("layouts_in_turn", "PR openxla/xla#21511: layouts change nothing but the order in memory", "2,3,4",
          "a = T[2,3,4]{0,1,2} copy(x)\nt = T[4,2,3]{1,0,2} transpose(a), dimensions={2,0,1}\n"
          "b = T[4,2,3]{0,2,1} copy(t)\nr = T[8,3] reshape(b)"),
    moved("broadcast_of_broadcast", "two broadcasts are one, with the dimensions of both", "3",
          "a = T[2,3] broadcast(x), dimensions={1}\nr = T[2,4,3] broadcast(a), dimensions={0,2}"),
    moved("transpose_of_broadcast", "a transpose of a broadcast is a broadcast into other dimensions", "3",
          "a = T[2,3,4] broadcast(x), dimensions={1}\nr = T[4,3,2] transpose(a), dimensions={2,1,0}"),
    moved("broadcast_of_transpose", "a broadcast of a transpose has the order of the transpose", "2,3",
          "t = T[3,2] transpose(x), dimensions={1,0}\nr = T[3,4,2] broadcast(t), dimensions={0,2}"),
    moved("reshape_of_broadcast", "a reshape may split a broadcast dimension, and join two of which one is", "4",
          "a = T[3,4] broadcast(x), dimensions={1}\nb = T[12] reshape(a)\nr = T[2,6] reshape(b)"),
    moved("broadcast_of_reshape", "an extent of 1 that a reshape adds and a broadcast leaves", "2,3",
          "a = T[2,1,3] reshape(x)\nb = T[6] reshape(a)\nr = T[2,6] broadcast(b), dimensions={1}"),
    moved("slice_of_broadcast", "a slice of what is the same everywhere, and along what is not", "4",
          "a = T[3,4] broadcast(x), dimensions={1}\nr = T[2,2] slice(a), slice={[1:3], [1:4:2]}"),
    moved("slice_of_slice", "a stride of a stride: starts are multiplied", "17",
          "a = T[5] slice(x), slice={[2:16:3]}\nr = T[2] slice(a), slice={[1:5:3]}"),
    moved("slice_of_reverse", "a slice of a reversed array ends where it began", "7",
          "a = T[7] reverse(x), dimensions={0}\nr = T[3] slice(a), slice={[1:7:2]}"),
    moved("slice_of_transpose", "the bounds move with the dimensions", "3,4",
          "a = T[4,3] transpose(x), dimensions={1,0}\nr = T[2,2] slice(a), slice={[1:4:2], [1:3]}"),
    moved("slice_of_reshape", "a slice of rows that a reshape made", "3,4",
          "a = T[2,6] reshape(x)\nr = T[1,5] slice(a), slice={[1:2], [1:6]}"),
    moved("reverse_of_reverse", "twice along one dimension is nothing, along another it is not", "2,3,2",
          "a = T[2,3,2] reverse(x), dimensions={0,1}\nr = T[2,3,2] reverse(a), dimensions={1,2}"),
    moved("reverse_of_transpose", "the dimension to reverse moves with the transpose", "2,3",
          "a = T[3,2] transpose(x), dimensions={1,0}\nr = T[3,2] reverse(a), dimensions={0}"),
    moved("reverse_of_broadcast", "of what is the same everywhere nothing changes, of the other dimension it does", "3",
          "a = T[2,3] broadcast(x), dimensions={1}\nr = T[2,3] reverse(a), dimensions={0,1}"),
    moved("adjacent_slices", "slices that meet are the array, in this order only", "6",
          "a = T[2] slice(x), slice={[0:2]}\nb = T[4] slice(x), slice={[2:6]}\nc = T[6] concatenate(a, b), "
          "dimensions={0}\n"
          "d = T[6] concatenate(b, a), dimensions={0}\nr = (T[6], T[6]) tuple(c, d)"),
    moved("slices_with_a_gap", "slices that overlap, or leave a gap, are not the array", "6",
          "a = T[3] slice(x), slice={[0:3]}\nb = T[3] slice(x), slice={[2:5]}\nc = T[6] concatenate(a, b), "
          "dimensions={0}\n"
          "d = T[2] slice(x), slice={[4:6]}\ne = T[5] concatenate(a, d), dimensions={0}\nr = (T[6], T[5]) tuple(c, e)"),
    moved("roll_by_slices", "jax#7461: a roll by two slices", "3,5",
          "a = T[3,2] slice(x), slice={[0:3], [3:5]}\nb = T[3,3] slice(x), slice={[0:3], [0:3]}\n"
          "r = T[3,5] concatenate(a, b), dimensions={1}"),
    moved("even_and_odd", "strided slices interleaved by a transpose", "2,6",
          "a = T[2,3] slice(x), slice={[0:2], [0:6:2]}\nb = T[2,3] slice(x), slice={[0:2], [1:6:2]}\n"
          "c = T[1,2,3] reshape(b)\nd = T[1,2,3] reshape(a)\ne = T[2,2,3] concatenate(c, d), dimensions={0}\n"
          "f = T[2,3,2] transpose(e), dimensions={1,2,0}\nr = T[2,6] reshape(f)"),
    joined("concatenate_of_concatenate", "a concatenation in another along the same dimension, and across it",
           "a = T[6,3] concatenate(x, y), dimensions={0}\nb = T[10,3] concatenate(a, x), dimensions={0}\n"
           "r = T[10,6] concatenate(b, b), dimensions={1}"),
    joined("slice_of_concatenate", "a slice over the seam, and one with a stride that steps over it",
           "a = T[6,3] concatenate(x, y), dimensions={0}\nb = T[3,2] slice(a), slice={[2:5], [1:3]}\n"
           "c = T[2,3] slice(a), slice={[1:6:3], [0:3]}\nr = (T[3,2], T[2,3]) tuple(b, c)"),
    joined("reverse_of_concatenate", "the pieces in the other order, each reversed",
           "a = T[6,3] concatenate(x, y), dimensions={0}\nr = T[6,3] reverse(a), dimensions={0}"),
    joined("transpose_of_concatenate", "the pieces side by side in the other dimension",
           "a = T[6,3] concatenate(x, y), dimensions={0}\nr = T[3,6] transpose(a), dimensions={1,0}"),
    joined("nested_concatenate", "jax#40588: concatenations within one another, with parts of one array",
           "a = T[1,3] slice(x), slice={[0:1], [0:3]}\nb = T[3,3] concatenate(a, y), dimensions={0}\n"
           "c = T[3,3] slice(x), slice={[1:4], [0:3]}\nd = T[6,3] concatenate(c, b), dimensions={0}\n"
           "r = T[8,3] concatenate(y, d), dimensions={0}"),
    moved("pad_of_pad", "two pads are one only if they pad with the same number", "3",
          ZERO + "a = T[7] pad(x, z), padding=1_1_1\nr = T[9] pad(a, o), padding=1_1", PADDED),
    moved("equal_pads", "sound: two pads with the same number, without interior, are one", "3",
          ZERO + "a = T[6] pad(x, o), padding=1_2\nr = T[9] pad(a, o), padding=0_3", PADDED),
    moved("interior_pads", "an interior pad of an interior pad is none with another interior: low edges are spread too",
          "3", ZERO + "a = T[6] pad(x, z), padding=1_0_1\nr = T[16] pad(a, z), padding=0_0_2", PADDED),
    moved("negative_pads", "a negative edge after a positive one cuts the padding first", "4",
          ZERO + "a = T[7] pad(x, o), padding=3_0\nr = T[4] pad(a, z), padding=-4_1", PADDED),
    moved("padded_after_cut", "a positive edge after a negative one does not bring elements back", "4",
          ZERO + "a = T[2] pad(x, o), padding=-1_-1\nr = T[4] pad(a, z), padding=1_1", PADDED),
    moved("slice_of_pad", "a slice in the padding, over its edge, and of nothing but it", "4",
          ZERO + "a = T[9] pad(x, o), padding=3_2\nb = T[4] slice(a), slice={[1:5]}\nc = T[2] slice(a), slice={[7:9]}\n"
          "d = T[4] slice(a), slice={[3:7]}\nr = (T[4], T[2], T[4]) tuple(b, c, d)", PADDED),
    moved("slice_of_interior_pad", "a strided slice of an interior pad hits the elements, or the padding alone", "3",
          ZERO + "a = T[7] pad(x, o), padding=1_1_1\nb = T[3] slice(a), slice={[1:7:2]}\nc = T[4] slice(a), "
          "slice={[0:7:2]}\nr = (T[3], T[4]) tuple(b, c)", PADDED),
    moved("pad_of_slice", "a pad puts back what a slice cut, and not the elements", "5",
          ZERO + "a = T[3] slice(x), slice={[1:4]}\nr = T[5] pad(a, o), padding=1_1", PADDED),
    moved("pad_of_transpose", "the padding moves with the dimensions", "2,3",
          ZERO + "a = T[3,2] transpose(x), dimensions={1,0}\nr = T[4,4] pad(a, o), padding=1_0x0_2", PADDED),
    moved("pad_of_broadcast", "the padding stays outside of what is repeated", "2",
          ZERO + "a = T[3,2] broadcast(x), dimensions={1}\nr = T[4,4] pad(a, o), padding=0_1x1_1", PADDED),
    moved("pads_added", "openxla/xla#49119: pads on either side, added: a concatenation", "3",
          ZERO + "a = T[6] pad(x, z), padding=0_3\nb = T[6] pad(x, z), padding=3_0\nr = T[6] add(a, b)", PADDED),
    moved("pads_multiplied", "pads with 1 on either side, multiplied", "3",
          ZERO + "a = T[6] pad(x, o), padding=0_3\nb = T[6] pad(x, o), padding=3_0\nr = T[6] multiply(a, b)", PADDED),
    Program("pad_with_nan", "a number that pads is used as it is, though all of it is cut again", FLOATS, "x:T[4]",
            "n = T[] constant(nan)\na = T[6] pad(x, n), padding=1_1\nb = T[4] slice(a), slice={[1:5]}\n"
            "c = T[4] slice(a), slice={[0:4]}\nr = (T[4], T[4]) tuple(b, c)", lambda k: [[1, NAN, -0.0, INF]]),
    Program("iota_sums", "sums and products of an iota wrap with its type", ("s8", "u8", "s32", "f32", "bf16"),
            "x:T[4]",
            "i = T[300] iota(), iota_dimension=0\na = T[300] add(i, i)\nb = T[4] slice(a), slice={[60:300:64]}\n"
            "r = T add(b, x)", [[0, 1, 2, 3]]),
    Program("iota_sliced", "an iota sliced, reversed and transposed is no iota that begins with 0", ("s8", "f32",
            "u64"),
            "x:T[3,2]", "i = T[2,8] iota(), iota_dimension=1\na = T[2,3] slice(i), slice={[0:2], [1:8:3]}\n"
            "b = T[2,3] reverse(a), dimensions={1}\nt = T[3,2] transpose(b), dimensions={1,0}\nr = T add(x, t)",
            [[0, 10, 20, 30, 40, 50]]),
    Program("iota_of_two_dimensions", "an iota along each dimension, compared: the diagonal, and what is below it",
            ("s8", "u32", "f32", "bf16"), "x:T[3,4]",
            "i = T iota(), iota_dimension=0\nj = T iota(), iota_dimension=1\nc = pred compare(i, j), direction=GE\n"
            "z = T splat 0\nr = T select(c, x, z)", [list(range(1, 13))]),
    Program("iota_reshaped", "an iota of a reshaped array counts along one dimension of it", ("s32", "f32", "u8"),
            "x:T[2,3]", "i = T[6] iota(), iota_dimension=0\na = T[2,3] reshape(i)\nb = T[2,3] iota(), "
            "iota_dimension=1\n"
            "c = T subtract(a, b)\nr = T add(c, x)", [[0, 0, 0, 0, 0, 0]]),
    Program("scalar_operations_broadcast", "sound: a sum of broadcast scalars is the broadcast sum, wrapped or not",
            ("f32", "s8", "bf16", "u64"), "x:T[] y:T[]",
            "a = T[3] broadcast(x), dimensions={}\nb = T[3] broadcast(y), dimensions={}\nc = T[3] add(a, b)\n"
            "r = T[3] multiply(c, c)", lambda k: [[100], [27]] if k in ("s8", "u64") else [[maximum(k)], [maximum(k)]],
            "y"),
    Program("select_of_pads", "which pads, by a predicate of its own padding", ("f32", "s8"), "x:T[3]",
            "z = T[] constant(0)\no = T[] constant(1)\na = T[5] pad(x, z), padding=1_1\nb = T[5] pad(x, o), "
            "padding=1_1\n"
            "c = pred[5] compare(a, b), direction=EQ\nn = T[5] negate(a)\nr = T[5] select(c, n, b)", [[1, 2, 3]]),
    Program("reverse_and_add", "x and x reversed in one program: neither is the other", ("f32", "s8", "u64"), "x:T[5]",
            "a = T reverse(x), dimensions={0}\nb = T subtract(x, a)\nr = T multiply(b, x)", [[1, 2, 3, 4, 100]]),
]
PROGRAMS += [Program(f"{op}_of_pad", reason, ("f32", "s8", "bf16"), "x:T[3] z:T[] i:T[]",
                     f"a = T[6] pad(x, z), padding=1_0_1\nr = T[] reduce(a, i), dimensions={{0}}, to_apply={op}_T",
                     [[3, 4, 5], [2], [1]], "z i", combiner(op)) for op, reason in
             (("add", "a sum of what is padded counts the padding, number by number"),
              ("multiply", "a product of what is padded counts the padding"),
              ("maximum", "the maximum of what is padded counts the padding once"))]
