"""Slices and updates at starts that are operands, in sequence: each is clamped by its own array."""

from golden.make.miscompilations.forms import Program

INDEX = ("s32", "s8", "u8", "u64")
ROW = list(range(1, 9))


def starts(name, reason, lines, pairs, shapes="x:f32[8] i:I[] j:I[]", fixed="i j"):
    """Returns a program whose starts have each index type; `pairs` are the starts of its cases, negative ones for
    signed types."""
    cases = {"_".join(str(n).replace("-", "minus") for n in row): [ROW, *([n] for n in row)] for row in pairs}
    first, *rest = cases
    more = {end: lambda kind, row=cases[end]: row if in_range(row, kind) else None for end in rest}
    kinds = tuple({"I": kind} for kind in INDEX)
    return Program(name, reason, kinds, shapes, lines, cases[first], fixed, "", False, ("s32",), more)


def one_start(name, reason, lines, *further):
    """Returns a program with one start; `further` are more of them."""
    return starts(name, reason, lines, [*ONE, *further], "x:f32[8] i:I[]", "i")


def in_range(row, kind):
    """True if an index type can represent the starts of a row."""
    low = -(1 << (int(kind[1:]) - 1)) if kind[0] == "s" else 0
    return all(low <= n[0] < (1 << int(kind[1:])) + low for n in row[1:])


SLICE = "a = f32[4] dynamic-slice(x, i), dynamic_slice_sizes={4}\n"
OUTSIDE = [(2, 1), (7, 1), (-1, 2), (5, 3), (3, -2), (127, 127), (-128, 127), (200, 3)]
ONE = [(2,), (7,), (-1,), (5,), (127,), (-128,), (200,), (0,)]

PROGRAMS = [
    starts("slice_of_slice_at", "openxla/xla#49121: the outer start is clamped before the inner one is added",
           SLICE + "r = f32[2] dynamic-slice(a, j), dynamic_slice_sizes={2}", OUTSIDE),
    starts("update_of_slice_at", "openxla/xla#49121: an update of a slice, put back: both starts are clamped",
           SLICE +
           "c = f32[2] constant({50, 60})\nb = f32[4] dynamic-update-slice(a, c, j)\n"
           "r = f32[8] dynamic-update-slice(x, b, i)", OUTSIDE),
    starts("slice_of_update_at", "a slice of what has just been updated, at another place",
           "c = f32[3] constant({50, 60, 70})\na = f32[8] dynamic-update-slice(x, c, i)\n"
           "r = f32[3] dynamic-slice(a, j), dynamic_slice_sizes={3}", OUTSIDE),
    one_start("slice_of_update_at_its_start", "the slice at the start of the update is the update, clamped or not",
              "c = f32[3] constant({50, 60, 70})\na = f32[8] dynamic-update-slice(x, c, i)\n"
              "r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}"),
    one_start("slice_beyond_update", "a slice longer than the update at the same start is clamped elsewhere",
              "c = f32[2] constant({50, 60})\na = f32[8] dynamic-update-slice(x, c, i)\n"
              "r = f32[5] dynamic-slice(a, i), dynamic_slice_sizes={5}"),
    starts("update_of_update", "two updates that overlap: the second one wins",
           "c = f32[3] constant({50, 60, 70})\nd = f32[2] constant({-1, -2})\n"
           "a = f32[8] dynamic-update-slice(x, c, i)\nr = f32[8] dynamic-update-slice(a, d, j)", OUTSIDE),
    one_start("update_at_the_same_start", "an update at the start of a longer one does not cover it",
              "c = f32[4] constant({50, 60, 70, 80})\nd = f32[2] constant({-1, -2})\n"
              "a = f32[8] dynamic-update-slice(x, c, i)\nr = f32[8] dynamic-update-slice(a, d, i)"),
    one_start("update_by_own_slice", "sound: what is put back at the start that it was taken from changes nothing",
              SLICE + "r = f32[8] dynamic-update-slice(x, a, i)"),
    starts("slice_moved", "what is taken at one start and put at another, both clamped",
           SLICE + "r = f32[8] dynamic-update-slice(x, a, j)", OUTSIDE),
    one_start("whole_update", "an update of the whole size starts at 0, whatever its start",
              "c = f32[8] reverse(x), dimensions={0}\nr = f32[8] dynamic-update-slice(x, c, i)"),
    one_start("whole_slice", "a slice of the whole size starts at 0, whatever its start",
              "c = f32[8] dynamic-slice(x, i), dynamic_slice_sizes={8}\nr = f32[8] add(c, x)"),
    one_start("slice_of_pad_at", "a slice at a start of a padded array: clamped by the padded extent",
              "z = f32[] constant(-1)\na = f32[12] pad(x, z), padding=2_2\n"
              "r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}", (9,), (10,)),
    one_start("slice_of_concatenate_at", "a slice over the seam of two arrays",
              "y = f32[8] negate(x)\na = f32[16] concatenate(x, y), dimensions={0}\n"
              "r = f32[4] dynamic-slice(a, i), dynamic_slice_sizes={4}", (6,), (13,)),
    one_start("slice_of_iota_at", "a slice of an iota is the clamped start and what follows",
              "a = f32[8] iota(), iota_dimension=0\nb = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}\n"
              "c = f32[3] slice(x), slice={[0:3]}\nr = f32[3] multiply(b, c)"),
    one_start("slice_of_reverse_at", "a slice of a reversed array is clamped from the other end",
              "a = f32[8] reverse(x), dimensions={0}\nr = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}"),
    one_start("slice_of_reshape_at", "a row of a reshaped array, by its number",
              "a = f32[4,2] reshape(x)\nz = I[] constant(0)\n"
              "b = f32[1,2] dynamic-slice(a, i, z), dynamic_slice_sizes={1,2}\nr = f32[2] reshape(b)"),
    starts("slice_of_transpose_at", "the starts move with the dimensions",
           "a = f32[2,4] reshape(x)\nt = f32[4,2] transpose(a), dimensions={1,0}\n"
           "r = f32[2,1] dynamic-slice(t, i, j), dynamic_slice_sizes={2,1}", OUTSIDE),
    starts("slice_of_broadcast_at", "a start along what is the same everywhere, and along what is not",
           "a = f32[3,8] broadcast(x), dimensions={1}\nr = f32[2,3] dynamic-slice(a, i, j), dynamic_slice_sizes={2,3}",
           OUTSIDE),
    one_start("start_plus_one", "a start that is computed wraps in its own type, and is clamped then",
              "o = I[] constant(1)\nk = I[] add(i, o)\nr = f32[3] dynamic-slice(x, k), dynamic_slice_sizes={3}"),
    starts("start_of_difference", "i - j below zero wraps to a large start if it is unsigned",
           "k = I[] subtract(i, j)\nr = f32[3] dynamic-slice(x, k), dynamic_slice_sizes={3}",
           [(2, 1), (1, 2), (7, 0), (0, 7), (127, 120)]),
    starts("roll_update_and_pad", "openxla/xla#49119: three starts in one fusion, of a roll, of an update, of a pad",
           "y = f32[16] concatenate(x, x), dimensions={0}\nz = f32[] constant(0)\no = I[] constant(1)\n"
           "a = f32[8] dynamic-slice(y, i), dynamic_slice_sizes={8}\nc = f32[2] slice(a), slice={[3:5]}\n"
           "d = f32[8] dynamic-update-slice(x, c, j)\ne = f32[10] pad(d, z), padding=1_1\nk = I[] add(i, o)\n"
           "f = f32[8] dynamic-slice(e, k), dynamic_slice_sizes={8}\nr = f32[8] subtract(f, a)",
           [(2, 5), (5, 2), (0, 7), (7, 0), (-3, 6), (100, 100)]),
]
