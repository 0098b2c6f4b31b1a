"""Goldens of the ops that move elements, and of sort, gather, scatter and dot."""

from golden.make.modules import add_file, combiner, numbers
from golden.make.values import called

INF = float("inf")
NAN = float("nan")


def add_to(corpus):
    """Adds all files of this module."""
    shape_cases(corpus)
    slice_cases(corpus)
    dynamic_slice_cases(corpus)
    join_cases(corpus)
    dot_cases(corpus)
    sort_cases(corpus)
    gather_cases(corpus)
    scatter_cases(corpus)


def shape_cases(corpus):
    """iota, broadcast, reshape, transpose, reverse."""
    for kind in ("f32", "s32", "u8", "bf16"):
        add_file(corpus, f"iota/{kind}_0", f"-> {kind}[3,2]", "iota_dimension=0",
                 ("rows", "the first dimension counts"))
        add_file(corpus, f"iota/{kind}_1", f"-> {kind}[2,3]", "iota_dimension=1",
                 ("columns", "the last dimension counts"))
    add_file(corpus, "iota/s4_wrap", "-> s4[20]", "iota_dimension=0", ("wrap", "counting past the range wraps"))
    add_file(corpus, "iota/bf16_rounded", "-> bf16[260]", "iota_dimension=0",
             ("rounded", "257 lies between two numbers"))
    add_file(corpus, "iota/s32_empty", "-> s32[0,3]", "iota_dimension=1", ("empty", "a result without elements"))

    add_file(corpus, "broadcast/f32_scalar", "f32[] -> f32[2,3]", "dimensions={}",
             ("scalar", "one value everywhere", [-0.0]))
    add_file(corpus, "broadcast/f32_rows", "f32[2] -> f32[2,3]", "dimensions={0}", ("rows", "along the last", [1, NAN]))
    add_file(corpus, "broadcast/s32_columns", "s32[3] -> s32[2,3]", "dimensions={1}",
             ("columns", "along the first", [1, 2, 3]))
    add_file(corpus, "broadcast/s8_middle", "s8[2,2] -> s8[2,3,2]", "dimensions={0,2}",
             ("middle", "between", numbers(4)))
    add_file(corpus, "broadcast/pred_inner", "pred[2] -> pred[3,2,2]", "dimensions={1}",
             ("inner", "both sides", [1, 0]))
    add_file(corpus, "broadcast/f32_empty", "f32[2] -> f32[2,0]", "dimensions={0}",
             ("empty", "a result without elements", [1, 2]))

    add_file(corpus, "reshape/f32_split", "f32[6] -> f32[2,3]", "", ("split", "row-major order stays", numbers(6)))
    add_file(corpus, "reshape/s32_join", "s32[2,3] -> s32[6]", "", ("join", "row-major order stays", numbers(6)))
    add_file(corpus, "reshape/s8_ones", "s8[1,3,1] -> s8[3]", "", ("ones", "dimensions of size one vanish", [1, 2, 3]))
    add_file(corpus, "reshape/f32_scalar", "f32[1,1] -> f32[]", "", ("scalar", "one element", [5]))
    add_file(corpus, "reshape/f32_empty", "f32[0,3] -> f32[3,0]", "", ("empty", "a result without elements", []))

    add_file(corpus, "transpose/f32_10", "f32[2,3] -> f32[3,2]", "dimensions={1,0}",
             ("matrix", "rows and columns", numbers(6)))
    for order, shape in (("1,2,0", "3,2,2"), ("2,0,1", "2,2,3"), ("0,2,1", "2,2,3"), ("2,1,0", "2,3,2")):
        add_file(corpus, f"transpose/s32_{order.replace(',', '')}", f"s32[2,3,2] -> s32[{shape}]",
                 f"dimensions={{{order}}}",
                 ("cube", "result dimension i is operand dimension dimensions[i]", numbers(12)))
    add_file(corpus, "transpose/pred_01", "pred[2,2] -> pred[2,2]", "dimensions={0,1}",
             ("same", "no change", [1, 0, 0, 1]))
    add_file(corpus, "transpose/s4_10", "s4[2,3] -> s4[3,2]", "dimensions={1,0}",
             ("matrix", "packed type", [-8, 7, 0, 1, -1, 2]))

    for dimensions in ("0", "1", "0,1", ""):
        add_file(corpus, f"reverse/f32_{dimensions.replace(',', '') or 'none'}", "f32[2,3] -> f32[2,3]",
                 f"dimensions={{{dimensions}}}", ("order", "the named dimensions turn round", [1, NAN, -0.0, 4, 5, 6]))
    add_file(corpus, "reverse/u8_one", "u8[1,4] -> u8[1,4]", "dimensions={0,1}",
             ("one", "a dimension of size one", [1, 2, 3, 255]))


def slice_cases(corpus):
    """slice."""
    for name, shape, bounds in (
        ("f32_part", "f32[2,2]", "[1:3], [0:2]"), ("f32_all", "f32[4,3]", "[0:4], [0:3]"),
        ("f32_stride", "f32[2,2]", "[0:4:2], [0:3:2]"), ("f32_long_stride", "f32[1,1]", "[1:4:5], [2:3]"),
        ("f32_uneven", "f32[2,1]", "[0:4:3], [1:3:2]"), ("f32_empty", "f32[0,3]", "[2:2], [0:3]"),
    ):
        add_file(corpus, f"slice/{name}", f"f32[4,3] -> {shape}", f"slice={{{bounds}}}",
                 ("bounds", "from the start, up to the limit, by the stride", numbers(12)))
    add_file(corpus, "slice/s8_last", "s8[5] -> s8[1]", "slice={[4:5]}", ("last", "the last element", numbers(5)))
    add_file(corpus, "slice/pred_stride", "pred[5] -> pred[2]", "slice={[1:5:2]}",
             ("stride", "odd places", [0, 1, 0, 0, 1]))


def dynamic_slice_cases(corpus):
    """dynamic-slice and dynamic-update-slice."""
    starts = (("inside", "no clamping", 1, 1), ("negative", "clamped to 0", -1, -2147483648),
              ("past", "clamped so that the slice ends with the operand", 3, 2147483647))
    for kind in ("f32", "s8"):
        add_file(corpus, f"dynamic-slice/{kind}_s32", f"{kind}[4,3] s32[] s32[] -> {kind}[2,2]",
                 "dynamic_slice_sizes={2,2}", *[(name, reason, numbers(12), [i], [j]) for name, reason, i, j in starts])
    add_file(corpus, "dynamic-slice/f32_u8", "f32[300] u8[] -> f32[2]", "dynamic_slice_sizes={2}",
             ("high-bit", "an unsigned index has no sign", "f32[300] seeded 4", [255]))
    add_file(corpus, "dynamic-slice/f32_s8", "f32[300] s8[] -> f32[2]", "dynamic_slice_sizes={2}",
             ("negative", "a negative index is clamped to 0", "f32[300] seeded 4", [-1]),
             ("last", "the greatest index of the type", "f32[300] seeded 4", [127]))
    add_file(corpus, "dynamic-slice/f32_u32", "f32[5] u32[] -> f32[2]", "dynamic_slice_sizes={2}",
             ("high-bit", "past the end, not negative", numbers(5), [0xFFFFFFFF]))
    add_file(corpus, "dynamic-slice/f32_s64", "f32[5] s64[] -> f32[2]", "dynamic_slice_sizes={2}",
             ("wide", "2^32 is past the end, not 0", numbers(5), [2**32]),
             ("wide-negative", "-2^32 is before the start", numbers(5), [-(2**32)]))

    for kind in ("f32", "u8", "pred"):
        base = numbers(12) if kind != "pred" else [0] * 12
        update = [21, 22, 23, 24] if kind != "pred" else [1] * 4
        add_file(corpus, f"dynamic-update-slice/{kind}_s32", f"{kind}[4,3] {kind}[2,2] s32[] s32[] -> {kind}[4,3]", "",
                 *[(name, reason, base, update, [i], [j]) for name, reason, i, j in starts])
    add_file(corpus, "dynamic-update-slice/f32_all", "f32[3] f32[3] s32[] -> f32[3]", "",
             ("all", "the start is clamped to 0", [1, 2, 3], [4, 5, 6], [2]))
    add_file(corpus, "dynamic-update-slice/f32_empty", "f32[3] f32[0] s32[] -> f32[3]", "",
             ("empty", "nothing to write", [1, 2, 3], [], [1]))
    add_file(corpus, "dynamic-update-slice/f32_s8", "f32[300] f32[1] s8[] -> f32[300]", "",
             ("narrow", "the index type is narrower than the dimension", [0] * 300, [1], [127]))


def join_cases(corpus):
    """concatenate and pad."""
    add_file(corpus, "concatenate/f32_0", "f32[1,2] f32[2,2] -> f32[3,2]", "dimensions={0}",
             ("rows", "in the order of the operands", [1, -0.0], [NAN, 4, 5, 6]))
    add_file(corpus, "concatenate/s32_1", "s32[2,1] s32[2,2] s32[2,1] -> s32[2,4]", "dimensions={1}",
             ("columns", "in the order of the operands", [1, 2], [3, 4, 5, 6], [7, 8]))
    add_file(corpus, "concatenate/s8_empty", "s8[0] s8[2] s8[0] -> s8[2]", "dimensions={0}",
             ("empty", "empty operands add nothing", [], [1, 2], []))
    add_file(corpus, "concatenate/pred_one", "pred[2] -> pred[2]", "dimensions={0}",
             ("one", "a single operand", [1, 0]))

    for name, shape, padding, reason in (
        ("low", "6", "1_0", "before"), ("high", "7", "0_2", "after"), ("negative_low", "3", "-2_0",
        "elements fall off"),
        ("negative_high", "2", "0_-3", "elements fall off"), ("mixed", "5", "-3_3", "off at one end, on at the other"),
        ("interior", "13", "0_0_2", "between elements"), ("interior_negative", "8", "-2_1_1", "holes are cut off too"),
        ("gone", "0", "-2_-3", "nothing stays"), ("beyond", "3", "-6_4", "past the other end: only padding"),
    ):
        for kind in ("f32", "s32"):
            add_file(corpus, f"pad/{kind}_{name}", f"{kind}[5] {kind}[] -> {kind}[{shape}]", f"padding={padding}",
                     ("padding", reason, numbers(5), [9]))
    add_file(corpus, "pad/f32_matrix", "f32[2,2] f32[] -> f32[4,4]", "padding=1_1x-1_1_2",
             ("matrix", "each dimension its own way, padded with -0", numbers(4), [-0.0]))
    add_file(corpus, "pad/f32_empty", "f32[0,2] f32[] -> f32[2,2]", "padding=1_1_3x0_0",
             ("empty", "an empty operand has no interior", [], [NAN]))


def dot_cases(corpus):
    """dot."""
    matrix = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
    left, right = [1, 2, 3, 4, 5, 6], [1, -1, 2, 0, -3, 4]
    for kind in ("f32", "f64", "bf16", "f16", "s32", "s8"):
        add_file(corpus, f"dot/{kind}_matrix", f"{kind}[2,3] {kind}[3,2] -> {kind}[2,2]", matrix,
                 ("small", "small integers: every order gives the same", left, right))
    add_file(corpus, "dot/s8_s32", "s8[2,4] s8[4,1] -> s32[2,1]", matrix,
             ("wide", "products and sums past the range of s8", [127, 127, 127, 127, -128, -128, -128, 127],
              [127, 127, -128, 1]))
    add_file(corpus, "dot/u8_u32", "u8[1,3] u8[3,1] -> u32[1,1]", matrix,
             ("wide", "the greatest products", [255] * 3, [255] * 3))
    add_file(corpus, "dot/s32_wrap", "s32[1,2] s32[2,1] -> s32[1,1]", matrix,
             ("wrap", "sums wrap at the width", [2**31 - 1, 2**31 - 1], [2, 3]))
    add_file(corpus, "dot/bf16_f32", "bf16[1,4] bf16[4,1] -> f32[1,1]", matrix,
             ("wide", "products that bf16 could not hold", [256, 3, 1.0078125, 1], [256, 3, 1.0078125, 2**-10]))
    batch = "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}"
    add_file(corpus, "dot/s32_f32", "s32[1,1] s32[1,1] -> f32[1,1]", matrix,
             ("rounded", "integers are rounded to the result's type first: 2^24 times 2^24", [16777217], [16777217]))
    add_file(corpus, "dot/f32_batch", "f32[2,2,3] f32[2,3,2] -> f32[2,2,2]", batch,
             ("batch", "matrices in pairs", numbers(12), numbers(12, -6)))
    batch = "lhs_batch_dims={2}, lhs_contracting_dims={0}, rhs_batch_dims={1}, rhs_contracting_dims={2}"
    add_file(corpus, "dot/f32_batch_inside", "f32[3,2,2] f32[2,2,3] -> f32[2,2,2]", batch,
             ("batch", "batch and contracted dimensions anywhere", numbers(12), numbers(12, -6)))
    add_file(corpus, "dot/f32_two_contracted", "f32[2,2,3] f32[3,2] -> f32[2]",
             "lhs_contracting_dims={1,2}, rhs_contracting_dims={1,0}",
             ("contracted", "two dimensions at once, in different places", numbers(12), numbers(6, -2)))
    add_file(corpus, "dot/f32_outer", "f32[2] f32[3] -> f32[2,3]", "",
             ("outer", "nothing contracted: every product", [2, -0.0], [1, 3, INF]))
    add_file(corpus, "dot/f32_inner", "f32[3] f32[3] -> f32[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}",
             ("inner", "a scalar", [1, 2, 3], [4, 5, 6]),
             ("nan", "one NaN spoils the sum", [1, NAN, 3], [4, 5, 6]),
             ("infinities", "inf - inf is NaN", [INF, 1, 1], [1, -INF, 1]),
             ("overflow", "products past the range", [2.0**127, 1, 1], [2, 1, 1]))
    add_file(corpus, "dot/f32_empty", "f32[2,0] f32[0,2] -> f32[2,2]", matrix, ("empty", "an empty sum is 0", [], []))
    add_file(corpus, "dot/f32_long", "f32[1,2000] f32[2000,1] -> f32[1,1]", matrix,
             ("one-term", "one product that is not zero among many", [0] * 1999 + [3], [1] * 1999 + [5]))
    add_file(corpus, "dot/s8_long", "s8[2,3000] s8[3000,2] -> s32[2,2]", matrix,
             ("many", "many small integers", "s8[2,3000] seeded 1", "s8[3000,2] seeded 2"))
    add_file(corpus, "dot/c64_matrix", "c64[1,2] c64[2,1] -> c64[1,1]", matrix,
             ("small", "not conjugated", [1, 2, 0, 1], [3, -1, 2, 2]))


def less(kind, suffix=""):
    """Returns a computation that compares two numbers."""
    return combiner("compare", kind, "less", f", direction=LT{suffix}")


def less_of_first(first, second):
    """Returns a computation that compares the first of two pairs."""
    return called("less", f"x:{first}[] y:{first}[] p:{second}[] q:{second}[]",
                  "ROOT z = pred[] compare(x, y), direction=LT")


def sort_cases(corpus):
    """sort."""
    for kind, values in (("s32", [3, -2147483648, 7, 0, 2147483647]), ("u8", [3, 255, 0, 128, 127]),
                         ("f32", [3, -1.5, INF, -INF, 0.5]), ("bf16", [3, -1.5, 1, -7, 0.5])):
        add_file(corpus, f"sort/{kind}", f"{kind}[5] -> {kind}[5]", "dimensions={0}, to_apply=less",
                 ("ascending", "different keys", values), computations=less(kind))
    add_file(corpus, "sort/f32_total", "f32[8] -> f32[8]", "dimensions={0}, to_apply=less",
             ("specials", "-NaN, -inf, -0, +0, inf, NaN in total order",
              [NAN, 0.0, -0.0, INF, "xffc00000", -INF, 1, -1]), computations=less("f32", ", type=TOTALORDER"))
    add_file(corpus, "sort/s32_descending", "s32[5] -> s32[5]", "dimensions={0}, to_apply=greater",
             ("descending", "the comparator says which way", [3, 1, 4, 1, 5]),
             computations=combiner("compare", "s32", "greater", ", direction=GT"))
    for dimension in (0, 1):
        add_file(corpus, f"sort/s32_dimension{dimension}", "s32[3,3] -> s32[3,3]",
                 f"dimensions={{{dimension}}}, to_apply=less",
                 ("lines", "each line by itself", [9, 2, 5, 1, 8, 4, 7, 3, 6]), computations=less("s32"))
    add_file(corpus, "sort/s32_pairs", "s32[6] f32[6] -> (s32[6], f32[6])",
             "dimensions={0}, is_stable=true, to_apply=less",
             ("ties", "a stable sort keeps the order of ties", [2, 1, 2, 1, 2, 1], [10, 20, 30, 40, 50, 60]),
             computations=less_of_first("s32", "f32"))
    add_file(corpus, "sort/f32_pairs", "f32[5] s32[5] -> (f32[5], s32[5])",
             "dimensions={0}, is_stable=true, to_apply=less",
             ("zeros", "-0 and +0 are a tie in the usual order", [0.0, -0.0, 1, -0.0, 0.0], [0, 1, 2, 3, 4]),
             computations=less_of_first("f32", "s32"))
    six = "".join(f"  p{i} = {'f32' if i < 2 else 's32'}[] parameter({i})\n" for i in range(6))
    add_file(corpus, "sort/f32_apart", "f32[6] s32[6] s32[6] -> (f32[6], s32[6], s32[6])",
             "dimensions={0}, is_stable=true, to_apply=well_below",
             ("ties", "numbers less than a half apart are a tie", [3.25, 1, 3, 2, 1.25, 3.125], [1, 2, 3, 4, 5, 6],
              [6, 5, 4, 3, 2, 1]),
             computations=f"well_below {{\n{six}  half = f32[] constant(0.5)\n  below = f32[] subtract(p1, half)\n"
             "  ROOT z = pred[] compare(p0, below), direction=LT\n}")
    add_file(corpus, "sort/s32_two_operands", "f32[4] s32[4] s32[4] -> (f32[4], s32[4], s32[4])",
             "dimensions={0}, to_apply=second_below_first",
             ("keys", "one operand of an element with another operand of the other: keys descend", [1, 2, 3, 4],
              [3, 9, 1, 5], [3, 9, 1, 5]),
             computations=f"second_below_first {{\n{six}  ROOT z = pred[] compare(p3, p4), direction=LT\n}}")
    add_file(corpus, "sort/s32_empty", "s32[0] -> s32[0]", "dimensions={0}, to_apply=less", ("empty", "nothing", []),
             computations=less("s32"))


def gather_cases(corpus):
    """gather."""
    rows = "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}"
    for index in ("s32", "u32", "s64"):
        far = 2**32 - 1 if index == "u32" else 1000 if index == "s32" else 2**32
        before = 0 if index == "u32" else -5
        add_file(corpus, f"gather/f32_rows_{index}", f"f32[4,3] {index}[4] -> f32[4,3]", rows,
                 ("rows", "in any order, repeated", numbers(12), [3, 0, 3, 1]),
                 ("bounds", "out of bounds: clamped to the first and the last row", numbers(12), [4, far, before, 3]))
    add_file(corpus, "gather/s8_rows_u8", "s8[200,1] u8[3] -> s8[3,1]",
             "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,1}",
             ("high-bit", "indices past 127 are not negative", "s8[200,1] seeded 5", [150, 255, 0]))
    add_file(corpus, "gather/f32_windows", "f32[4,4] s32[2,2] -> f32[2,2,3]",
             "offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={2,3}",
             ("inside", "windows at index vectors", numbers(16), [0, 0, 2, 1]),
             ("bounds", "a start is clamped so that its window fits", numbers(16), [3, 3, -1, 2]))
    add_file(corpus, "gather/f32_map_swapped", "f32[4,4] s32[2,2] -> f32[2]",
             "offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={1,0}, index_vector_dim=1, slice_sizes={1,1}",
             ("swapped", "start_index_map says which number is which dimension", numbers(16), [0, 3, 2, 1]))
    add_file(corpus, "gather/f32_vector_first", "f32[4,4] s32[2,3] -> f32[3]",
             "offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=0, slice_sizes={1,1}",
             ("first", "index vectors along the first dimension", numbers(16), [0, 1, 2, 3, 2, 1]))
    add_file(corpus, "gather/f32_offset_first", "f32[4,3] s32[2] -> f32[3,2]",
             "offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}",
             ("columns", "the offset dimension before the batch dimension", numbers(12), [2, 0]))
    add_file(corpus, "gather/f32_batching", "f32[2,3] s32[2,2] -> f32[2,2]", "offset_dims={}, "
             "collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, "
             "start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}",
             ("batching", "each batch has its own indices", numbers(6), [2, 0, 1, 1]))
    add_file(corpus, "gather/f32_empty", "f32[4,3] s32[0] -> f32[0,3]", rows, ("empty", "no index", numbers(12), []))


def scatter_cases(corpus):
    """scatter."""
    rows = "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1"
    for kind in ("f32", "s32", "bf16"):
        add_file(corpus, f"scatter/{kind}_add_rows", f"{kind}[4,2] s32[3] {kind}[3,2] -> {kind}[4,2]",
                 f"{rows}, to_apply=add",
                 ("duplicates", "updates of one row add up", numbers(8), [1, 3, 1], [10, 20, 30, 40, 50, 60]),
                 ("bounds", "an update out of bounds is dropped", numbers(8), [4, -1, 0], [10, 20, 30, 40, 50, 60]),
                 computations=combiner("add", kind))
    for name in ("multiply", "maximum", "minimum"):
        add_file(corpus, f"scatter/f32_{name}", "f32[4] s32[3,1] f32[3] -> f32[4]",
                 f"update_window_dims={{}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, "
                 f"index_vector_dim=1, to_apply={name}",
                 ("duplicates", "folded in any order", [1, 2, 3, 4], [2, 2, 0], [5, -2, 8]),
                 computations=combiner(name, "f32"))
    second = "second {\n  x = f32[] parameter(0)\n  ROOT y = f32[] parameter(1)\n}"
    add_file(corpus, "scatter/f32_overwrite", "f32[3,3] s32[2,2] f32[2] -> f32[3,3]",
             "update_window_dims={}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, "
             "index_vector_dim=1, unique_indices=true, to_apply=second",
             ("unique", "points by index vector", numbers(9), [0, 2, 2, 1], [-0.0, 20]), computations=second)
    add_file(corpus, "scatter/f32_windows", "f32[4,4] s32[2,2] f32[2,2,2] -> f32[4,4]",
             "update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, "
             "index_vector_dim=1, to_apply=add",
             ("overlap", "windows that overlap", [0] * 16, [0, 0, 1, 1], numbers(8)),
             ("edge", "XLA drops a window that is partly outside as a whole; in part is legal too", [0] * 16,
              [3, 3, -1, 0], numbers(8)), computations=combiner("add", "f32"))
    wide = called("wide", "x:f32[] y:f64[]", "p = f64[] convert(x)", "s = f64[] add(p, y)", "ROOT z = f32[] convert(s)")
    add_file(corpus, "scatter/f32_f64", "f32[4] s32[3,1] f32[3] -> f32[4]",
             "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
             "to_apply=wide", ("converted", "an update is converted to the type of the combiner's parameter",
                               [1, 2, 3, 4], [2, 0, 2], [0.5, -8, 16]), computations=wide)
    add_file(corpus, "scatter/f32_batching", "f32[2,3] s32[2,2] f32[2,2] -> f32[2,3]",
             "update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
             "input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2, to_apply=add",
             ("batching", "each batch has its own indices", numbers(6), [2, 0, 1, 1], [10, 20, 30, 40]),
             computations=combiner("add", "f32"))
    both = called("both", "x:f32[] p:s32[] y:f32[] q:s32[]", "s = f32[] add(x, y)", "m = s32[] maximum(p, q)",
                  "ROOT t = (f32[], s32[]) tuple(s, m)")
    add_file(corpus, "scatter/f32_variadic", "f32[3] s32[3] s32[3,1] f32[3] s32[3] -> (f32[3], s32[3])",
             "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
             "to_apply=both",
             ("two", "two operands, each folded by its own op",
              [1, 2, 3], [4, 5, 6], [0, 2, 0], [10, 20, 30], [3, 9, 7]), computations=both)
