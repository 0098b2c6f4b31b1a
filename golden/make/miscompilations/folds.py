"""Reductions, sorts, gathers, scatters and products of the results of other ops."""

from golden.make.miscompilations.forms import INF, NAN, Program, combiner, limits, maximum, order
from golden.make.values import called

KINDS = ("f32", "s8", "s32", "bf16", "u64")
TWELVE = [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]
ADD, MAXIMUM, MINIMUM = map(combiner, ("add", "maximum", "minimum"))
LESS, GREATER = order("LT"), order("GT")
BY_KEY = called("order_T", "x:T[] y:T[] v:s32[] w:s32[]", "ROOT c = pred[] compare(x, y), direction=LT")
IN_TOTAL_ORDER = BY_KEY.replace("direction=LT", "direction=GT, type=TOTALORDER")
SECOND = "second_T {\n  a = T[] parameter(0)\n  ROOT b = T[] parameter(1)\n}"
ROWS = ("offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}")
POINTS = "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}"
PUT = ("update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
       "to_apply=")
PRODUCT = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
Z = "z = T[] constant(0)\n"


def fold(name, reason, lines, computations=ADD, operands="x:T[3,4]", kinds=KINDS, values=TWELVE, **more):
    """Returns a program with a computation."""
    return Program(name, reason, kinds, operands, lines, values, computations=computations, **more)


def of_floats(name, reason, lines, values, computations=ADD, operands="x:T[4]", kinds=("f32", "f64", "bf16"), **more):
    """Returns a program with a computation at the limits of floats."""
    return Program(name, reason, kinds, operands, lines, values, computations=computations, **more)


def argmax(direction):
    """Returns JAX's reducer of an argmax or argmin: NaN wins, then the smaller index of equal numbers."""
    return called("best_T", "x:T[] i:s32[] y:T[] j:s32[]", f"a = pred[] compare(x, y), direction={direction}",
                  "b = pred[] compare(x, x), direction=NE", "c = pred[] or(a, b)",
                  "d = pred[] compare(x, y), direction=EQ", "e = pred[] compare(i, j), direction=LT",
                  "f = pred[] and(d, e)", "g = pred[] or(c, f)", "v = T[] select(c, x, y)", "k = s32[] select(g, i, j)",
                  "ROOT t = (T[], s32[]) tuple(v, k)")


def indexed(name, report, direction, initial):
    """Returns an argmax or argmin of rows of many lengths."""
    for length in (3, 5, 7, 8, 13, 16, 20):
        row = [float((7 * i) % length) for i in range(length)]
        last = [*row[:-1], NAN]
        first = [NAN, *row[1:]]
        yield Program(f"{name}_of_{length}", f"{report}: {name} of {length} numbers, of one NaN, of NaN alone",
                      ("f32", "bf16", "f64") if length in (5, 16) else ("f32",), f"x:T[{length}]",
                      f"n = s32[{length}] iota(), iota_dimension=0\nb = T[] constant({initial})\n"
                      f"z = s32[] constant(0)\n" "r = (T[], s32[]) reduce(x, n, b, z), dimensions={0}, to_apply=best_T",
                      [row], computations=argmax(direction), folds=False,
                      more={"nan_last": [last], "nan_first": [first], "nan_alone": [[NAN] * length],
                            "ties": [[1.0] * length], "two_nans": [[row[0], NAN, *row[2:-1], NAN]]})


PROGRAMS = [
    fold("reduce_of_reduce", "sound: a sum of sums is the sum over both dimensions",
         Z +
         "a = T[3] reduce(x, z), dimensions={1}, to_apply=add_T\nr = T[] reduce(a, z), dimensions={0}, to_apply=add_T"),
    fold("reduce_of_reduce_of_others", "a maximum of sums is no sum of maxima", Z +
         "a = T[3] reduce(x, z), dimensions={1}, to_apply=add_T\n"
         "r = T[] reduce(a, z), dimensions={0}, to_apply=maximum_T", ADD + "\n\n" + MAXIMUM),
    fold("reduce_of_transpose", "the reduced dimension moves with the transpose",
         Z + "t = T[4,3] transpose(x), dimensions={1,0}\nr = T[4] reduce(t, z), dimensions={1}, to_apply=add_T"),
    fold("reduce_of_reshape", "a reduction of part of what a reshape split",
         Z + "a = T[3,2,2] reshape(x)\nr = T[3,2] reduce(a, z), dimensions={1}, to_apply=add_T"),
    fold("reduce_of_joined", "a reduction of a dimension that joins rows",
         Z + "a = T[2,6] reshape(x)\nr = T[2] reduce(a, z), dimensions={1}, to_apply=add_T"),
    fold("reduce_of_reverse", "sound: a sum of the reversed is the sum; of the other dimension the order changes",
         Z + "a = T[3,4] reverse(x), dimensions={0,1}\nr = T[3] reduce(a, z), dimensions={1}, to_apply=add_T"),
    fold("reduce_of_concatenate", "sound: a sum of a concatenation is the sum of the sums",
         "o = T[] constant(0)\na = T[3,8] concatenate(x, x), dimensions={1}\n"
         "r = T[3] reduce(a, o), dimensions={1}, to_apply=add_T"),
    fold("maximum_of_concatenate", "sound: a maximum of a concatenation is that of the maxima",
         "o = T[] constant(0)\na = T[6,4] concatenate(x, x), dimensions={0}\n"
         "r = T[4] reduce(a, o), dimensions={0}, to_apply=maximum_T", MAXIMUM),
    fold("reduce_of_broadcast", "a sum of what is the same n times is n times it: it wraps, or is rounded",
         Z + "a = T[4,100] broadcast(x), dimensions={0}\nr = T[4] reduce(a, z), dimensions={1}, to_apply=add_T",
         operands="x:T[4]", values=[[1, 2, 3, 5]]),
    fold("maximum_of_broadcast", "sound: a maximum of what is the same is it",
         "o = T[] constant(0)\na = T[4,5] broadcast(x), dimensions={0}\n"
         "r = T[4] reduce(a, o), dimensions={1}, to_apply=maximum_T", MAXIMUM, "x:T[4]", values=[[1, 2, 3, 5]]),
    fold("reduce_of_slice", "a sum of every other column",
         Z + "a = T[3,2] slice(x), slice={[0:3], [1:4:2]}\nr = T[2] reduce(a, z), dimensions={0}, to_apply=add_T"),
    fold("reduce_of_one", "sound: a sum over an extent of 1 is a reshape",
         "o = T[] constant(0)\na = T[3,4,1] reshape(x)\nr = T[3,4] reduce(a, o), dimensions={2}, to_apply=add_T"),
    fold("reduce_of_nothing", "a reduction of an extent of 0 is its start",
         "o = T[] constant(5)\na = T[3,0] slice(x), slice={[0:3], [2:2]}\n"
         "r = T[3] reduce(a, o), dimensions={1}, to_apply=add_T"),
    fold("window_as_reduce", "a window of the whole row is a reduction of it; with padding it is a prefix",
         Z +
         "a = T[3,1] reduce-window(x, z), window={size=1x4}, to_apply=add_T\n"
         "b = T[3,4] reduce-window(x, z), window={size=1x4 pad=0_0x3_0}, to_apply=add_T\n"
         "r = (T[3,1], T[3,4]) tuple(a, b)"),
    fold("window_of_pad", "a window of a padded array, where the padding is the start, and where it is not",
         Z +
         "o = T[] constant(1)\na = T[3,6] pad(x, z), padding=0_0x1_1\nb = T[3,6] pad(x, o), padding=0_0x1_1\n"
         "c = T[3,4] reduce-window(a, z), window={size=1x3}, to_apply=add_T\n"
         "d = T[3,4] reduce-window(b, z), window={size=1x3}, to_apply=add_T\nr = (T[3,4], T[3,4]) tuple(c, d)"),
    fold("absolute_maximum", "PR openxla/xla#48378: a reducer of more than one instruction: max(|x|, |y|)",
         Z + "n = T negate(x)\nr = T[3] reduce(n, z), dimensions={1}, to_apply=larger_T",
         called("larger_T", "x:T[] y:T[]", "a = T[] abs(x)", "b = T[] abs(y)", "ROOT c = T[] maximum(a, b)"),
         kinds=("f32", "s8", "s32", "bf16")),
    fold("sum_modulo_eight", "PR openxla/xla#48378: a reducer that adds and cuts: (x + y) and 7",
         Z + "r = T[3] reduce(x, z), dimensions={1}, to_apply=sum_T",
         called("sum_T", "x:T[] y:T[]", "a = T[] add(x, y)", "s = T[] constant(7)", "ROOT c = T[] and(a, s)"),
         kinds=("s8", "u8", "s32", "u64")),
    fold("window_sum_modulo_eight", "PR openxla/xla#48378: the same in a window",
         Z + "r = T[3,3] reduce-window(x, z), window={size=1x2}, to_apply=sum_T",
         called("sum_T", "x:T[] y:T[]", "a = T[] add(x, y)", "s = T[] constant(7)", "ROOT c = T[] and(a, s)"),
         kinds=("s8", "u8", "s32", "u64")),
    fold("clipped_sum", "PR openxla/xla#48378: a sum that saturates, min(x + y, 20)",
         Z + "r = T[3] reduce(x, z), dimensions={1}, to_apply=sum_T",
         called("sum_T", "x:T[] y:T[]", "a = T[] add(x, y)", "s = T[] constant(20)", "ROOT c = T[] minimum(a, s)"),
         kinds=("f32", "s32", "u8", "bf16")),
    fold("two_folds_at_once", "PR openxla/xla#48378: a sum and a maximum in one reducer",
         Z + "r = (T[3], T[3]) reduce(x, x, z, z), dimensions={1}, to_apply=both_T",
         called("both_T", "a:T[] b:T[] x:T[] y:T[]", "s = T[] add(a, x)", "m = T[] maximum(b, y)",
                "ROOT t = (T[], T[]) tuple(s, m)")),
    fold("chain_of_windows", "stablehlo#1662: sums of windows of sums of windows",
         Z +
         "a = T[3,3] reduce-window(x, z), window={size=1x2}, to_apply=add_T\n"
         "b = T[2,3] reduce-window(a, z), window={size=2x1}, to_apply=add_T\n"
         "r = T[2] reduce(b, z), dimensions={1}, to_apply=add_T"),
    fold("reduction_that_wraps", "a sum of products wraps in its type, not in a wider one",
         Z + "p = T multiply(x, x)\nr = T[3] reduce(p, z), dimensions={1}, to_apply=add_T", kinds=("s8", "u8", "s32"),
         values=lambda k: [[*[limits(k)[1]] * 4, *[limits(k)[0]] * 4, 11, 12, 13, 14]]),
    fold("mean_of_wrapped", "a mean is the quotient of a sum that wraps", Z +
         "s = T[3] reduce(x, z), dimensions={1}, to_apply=add_T\nf = T[] constant(4)\n"
         "d = T[3] broadcast(f), dimensions={}\nr = T[3] divide(s, d)", kinds=("s8", "u8", "s32"),
         values=lambda k: [[*[limits(k)[1]] * 4, *[limits(k)[0]] * 4, 11, 12, 13, 14]]),
    of_floats("sum_of_broadcast_infinity", "a sum of no infinities is 0, of one it is infinite",
              Z +
              "a = T[4,0] broadcast(x), dimensions={0}\nb = T[4,3] broadcast(x), dimensions={0}\n"
              "c = T[4] reduce(a, z), dimensions={1}, to_apply=add_T\n"
              "d = T[4] reduce(b, z), dimensions={1}, to_apply=add_T\nr = (T[4], T[4]) tuple(c, d)",
              [[INF, -INF, NAN, 2]]),
    of_floats("sum_that_overflows_on_the_way", "an exact sum is finite whatever the order; each order alone may not be",
              Z + "r = T[] reduce(x, z), dimensions={0}, to_apply=add_T",
              lambda k: [[maximum(k), -maximum(k), maximum(k) / 2, -maximum(k) / 2]]),
    of_floats("sum_of_negative_zeros", "a sum of -0 from 0 is 0",
              Z + "r = T[] reduce(x, z), dimensions={0}, to_apply=add_T", [[-0.0] * 4]),
    of_floats("sum_from_negative_zero", "a sum of -0 from -0 is -0",
              "z = T[] constant(-0)\nr = T[] reduce(x, z), dimensions={0}, to_apply=add_T", [[-0.0] * 4]),
    of_floats("maximum_with_nan", "openxla/xla#21461: a maximum over NaN is NaN, wherever it stands",
              "n = T[] constant(-inf)\nr = T[] reduce(x, n), dimensions={0}, to_apply=maximum_T", [[NAN, 1, 2, 3]],
              MAXIMUM,
              more={"last": [[1, 2, 3, NAN]], "inside": [[5, NAN, 1, 2]], "infinities": [[-INF] * 4],
                    "negative_zeros": [[-0.0] * 4]}),
    of_floats("minimum_with_nan", "openxla/xla#21461: a minimum over NaN is NaN",
              "n = T[] constant(inf)\nr = T[] reduce(x, n), dimensions={0}, to_apply=minimum_T", [[NAN, 1, 2, 3]],
              MINIMUM, more={"last": [[1, 2, 3, NAN]], "infinities": [[INF] * 4], "zeros": [[0, -0.0, 0, -0.0]]}),
    of_floats("negative_zeros_long", "openxla/xla#5544: the maximum of 8193 times -0 is -0, not the start",
              "n = T[] constant(-inf)\nb = T[8193] broadcast(x), dimensions={}\n"
              "r = T[] reduce(b, n), dimensions={0}, to_apply=maximum_T", [[-0.0]], MAXIMUM, "x:T[]", ("f32", "bf16")),
    of_floats("nan_among_many", "openxla/xla#21461: NaN as the only number of 8193 that is none",
              "n = T[] constant(-inf)\no = T[] constant(1)\nu = T[1] reshape(x)\n"
              "b = T[8193] broadcast(o), dimensions={}\ni = s32[] constant(8190)\n"
              "d = T[8193] dynamic-update-slice(b, u, i)\nr = T[] reduce(d, n), dimensions={0}, to_apply=maximum_T",
              [[NAN]], MAXIMUM, "x:T[]", ("f32", "f64")),
    of_floats("logsumexp", "jax#939: a logsumexp of infinities, shifted by the maximum: inf - inf is NaN",
              Z +
              "n = T[] constant(-inf)\nm = T[] reduce(x, n), dimensions={0}, to_apply=maximum_T\n"
              "b = T[4] broadcast(m), dimensions={}\nd = T[4] subtract(x, b)\ne = T[4] exponential(d)\n"
              "s = T[] reduce(e, z), dimensions={0}, to_apply=add_T\nl = T[] log(s)\nr = T[] add(l, m)",
              [[INF, 0, 1, 2]], ADD + "\n\n" + MAXIMUM,
              more={"all_negative": [[-INF] * 4], "nan": [[0, NAN, 1, 2]], "one": [[5, -INF, -INF, -INF]]}),
    *indexed("argmax", "tensorflow#118647, jax#3193, 4640, 6762", "GT", "-inf"),
    *indexed("argmin", "tensorflow#118647, jax#3193, 4640", "LT", "inf"),
    fold("sort_of_iota", "an iota is sorted already; in the other order it is reversed",
         "i = T[4] iota(), iota_dimension=0\na = T[4] add(i, x)\ns = T[4] sort(i), dimensions={0}, to_apply=order_T\n"
         "r = (T[4], T[4]) tuple(s, a)", GREATER, "x:T[4]", values=[[1, 1, 1, 1]]),
    fold("sort_of_wrapped_iota", "an iota that wraps is not in order",
         "i = T[300] iota(), iota_dimension=0\ns = T[300] sort(i), dimensions={0}, to_apply=order_T\n"
         "a = T[4] slice(s), slice={[0:300:99]}\nr = T[4] add(a, x)", LESS, "x:T[4]", ("s8", "u8", "s32"),
         [[0, 0, 0, 0]]),
    fold("sort_of_sort", "sound: what is sorted stays so; the other order reverses it",
         "s = T[3,4] sort(x), dimensions={1}, to_apply=order_T\nr = T[3,4] sort(s), dimensions={1}, to_apply=down_T",
         LESS + "\n\n" + GREATER.replace("order_T", "down_T"), values=[[3, 1, 2, 2, 9, 8, 7, 9, 0, 5, 0, 5]]),
    fold("sorts_of_both_dimensions", "rows sorted, then columns",
         "s = T[3,4] sort(x), dimensions={1}, to_apply=order_T\nr = T[3,4] sort(s), dimensions={0}, to_apply=order_T",
         LESS, values=[[3, 1, 2, 2, 9, 8, 7, 9, 0, 5, 0, 5]]),
    fold("sort_of_reverse", "jax#2779: equal keys keep their order, that of the reversed array",
         "i = s32[6] iota(), iota_dimension=0\na = T[6] reverse(x), dimensions={0}\n"
         "r = (T[6], s32[6]) sort(a, i), dimensions={0}, is_stable=true, to_apply=order_T", BY_KEY, "x:T[6]",
         values=[[2, 1, 2, 1, 2, 1]]),
    fold("argsort_of_argsort", "the rank of each element: ties in their order",
         "i = s32[6] iota(), iota_dimension=0\n"
         "a = (T[6], s32[6]) sort(x, i), dimensions={0}, is_stable=true, to_apply=order_T\n"
         "b = s32[6] get-tuple-element(a), index=1\n"
         "c = (s32[6], s32[6]) sort(b, i), dimensions={0}, is_stable=true, to_apply=index_order\n"
         "r = s32[6] get-tuple-element(c), index=1",
         BY_KEY + "\n\n" + BY_KEY.replace("order_T", "index_order").replace("T[]", "s32[]"), "x:T[6]",
         values=[[3, 1, 3, 0, 1, 2]]),
    fold("slice_of_sort", "openxla/xla#48119: the three largest, by a sort and a slice",
         "i = s32[6] iota(), iota_dimension=0\n"
         "a = (T[6], s32[6]) sort(x, i), dimensions={0}, is_stable=true, to_apply=order_T\n"
         "b = T[6] get-tuple-element(a), index=0\nc = s32[6] get-tuple-element(a), index=1\n"
         "d = T[3] slice(b), slice={[0:3]}\ne = s32[3] slice(c), slice={[0:3]}\nr = (T[3], s32[3]) tuple(d, e)",
         BY_KEY.replace("LT", "GT"), "x:T[6]", values=[[3, 1, 3, 0, 1, 3]]),
    of_floats("sort_in_total_order", "stablehlo#2497, openxla/xla#48119: NaN of either sign and zeros, in total order",
              "n = T[6] negate(x)\na = T[12] concatenate(x, n), dimensions={0}\ni = s32[12] iota(), iota_dimension=0\n"
              "s = (T[12], s32[12]) sort(a, i), dimensions={0}, is_stable=true, to_apply=order_T\n"
              "r = s32[12] get-tuple-element(s), index=1", [[1, 0, INF, NAN, -2, 0]], IN_TOTAL_ORDER, "x:T[6]",
              folds=False),
    fold("gather_of_gather", "rows of rows: the inner index is clamped by the gathered extent",
         "i = s32[4,1] constant({{2}, {0}, {5}, {1}})\nj = s32[3,1] constant({{3}, {-1}, {9}})\n"
         f"a = T[4,3] gather(x, i), {ROWS}\nr = T[3,3] gather(a, j), {ROWS}", "", "x:T[4,3]"),
    fold("gather_as_slice", "one index is a slice, clamped as one",
         "i = s32[1,1] constant({{3}})\nj = s32[1] constant({7})\n"
         "a = T[1,2,3] gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, "
         "index_vector_dim=1, slice_sizes={2,3}\n"
         "b = T[3] gather(x, j), offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, "
         "slice_sizes={1,3}\nr = (T[1,2,3], T[3]) tuple(a, b)", "", "x:T[4,3]"),
    fold("gather_of_iota", "indices in order give the array, shifted ones are clamped at the end",
         "i = s32[6] iota(), iota_dimension=0\no = s32[] constant(1)\np = s32[6] broadcast(o), dimensions={}\n"
         "k = s32[6] add(i, p)\na = s32[6,1] reshape(i)\nb = s32[6,1] reshape(k)\n"
         f"c = T[6] gather(x, a), {POINTS}\nd = T[6] gather(x, b), {POINTS}\nr = (T[6], T[6]) tuple(c, d)", "",
         "x:T[6]", values=[[1, 2, 3, 4, 5, 6]]),
    fold("gather_of_reshape", "indices of the array as a row: row and column of it",
         "a = T[12] reshape(x)\ni = s32[4,1] constant({{0}, {5}, {11}, {12}})\n" f"r = T[4] gather(a, i), {POINTS}", "",
         "x:T[4,3]"),
    fold("gather_of_pad", "an index in the padding", "z = T[] constant(0)\na = T[8] pad(x, z), padding=1_1\n"
         f"i = s32[4,1] constant({{{{0}}, {{1}}, {{7}}, {{8}}}})\nr = T[4] gather(a, i), {POINTS}", "", "x:T[6]",
         values=[[1, 2, 3, 4, 5, 6]]),
    fold("gather_of_scatter", "what was put in place is read there; what fell outside is not",
         "i = s32[3,1] constant({{4}, {9}, {-1}})\nu = T[3] constant({50, 60, 70})\n"
         f"s = T[6] scatter(x, i, u), {PUT}second_T\nr = T[3] gather(s, i), {POINTS}", SECOND, "x:T[6]",
         values=[[1, 2, 3, 4, 5, 6]]),
    fold("scatter_by_duplicates", "sums by indices that repeat: each counts",
         "i = s32[6,1] constant({{0}, {2}, {0}, {2}, {0}, {7}})\nz = T[] constant(0)\nb = T[4] broadcast(z), "
         f"dimensions={{}}\nr = T[4] scatter(b, i, x), {PUT}add_T", ADD, "x:T[6]", values=[[1, 2, 3, 4, 5, 6]]),
    fold("scatter_of_two", "openxla/xla#29362: a scatter of two arrays at once: each has its own result",
         "i = s32[3,1] constant({{2}, {0}, {2}})\nu = T[3] slice(x), slice={[0:3]}\nv = T[3] slice(x), slice={[3:6]}\n"
         "z = T[] constant(0)\nb = T[4] broadcast(z), dimensions={}\no = T[] constant(1)\nd = T[4] broadcast(o), "
         f"dimensions={{}}\nr = (T[4], T[4]) scatter(b, d, i, u, v), {PUT}both_T",
         called("both_T", "a:T[] b:T[] x:T[] y:T[]", "s = T[] add(a, x)", "m = T[] multiply(b, y)",
                "ROOT t = (T[], T[]) tuple(s, m)"), "x:T[6]", values=[[1, 2, 3, 4, 5, 6]], folds=False),
    fold("transposed_scatter", "PR openxla/xla#44890: a scatter of a transposed array with a batch dimension",
         "t = T[4,3] transpose(x), dimensions={1,0}\ni = s32[4,1] constant({{1}, {0}, {2}, {3}})\n"
         "u = T[4] constant({50, 60, 70, 80})\n"
         "r = T[4,3] scatter(t, i, u), update_window_dims={}, inserted_window_dims={1}, "
         "scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, "
         "index_vector_dim=1, to_apply=add_T", folds=False),
    fold("dot_of_transpose", "a transposed operand contracts the other dimension",
         f"t = T[4,3] transpose(x), dimensions={{1,0}}\nr = T[3,3] dot(x, t), {PRODUCT}", ""),
    fold("transpose_of_dot", "the transpose of a product is the product of the transposes, in the other order",
         "t = T[4,3] transpose(x), dimensions={1,0}\ny = T[4,2] slice(t), slice={[0:4], [0:2]}\n"
         f"d = T[3,2] dot(x, y), {PRODUCT}\nr = T[2,3] transpose(d), dimensions={{1,0}}", ""),
    fold("dot_of_concatenate", "a product of concatenations is the sum of products",
         "a = T[3,8] concatenate(x, x), dimensions={1}\nt = T[4,3] transpose(x), dimensions={1,0}\n"
         "n = T[4,3] negate(t)\n" f"b = T[8,3] concatenate(t, n), dimensions={{0}}\nr = T[3,3] dot(a, b), {PRODUCT}",
         ""),
    fold("dot_of_broadcast", "a product with ones sums the rows",
         f"o = T[] constant(1)\na = T[4,2] broadcast(o), dimensions={{}}\nr = T[3,2] dot(x, a), {PRODUCT}", ""),
    fold("dot_of_one", "a product over an extent of 1 multiplies",
         "a = T[12,1] reshape(x)\nb = T[1,2] slice(x), slice={[1:2], [0:2]}\n" + f"r = T[12,2] dot(a, b), {PRODUCT}",
         ""),
    fold("dot_of_none", "a product over an extent of 0 is 0",
         "a = T[3,0] slice(x), slice={[0:3], [1:1]}\nt = T[0,3] transpose(a), dimensions={1,0}\n"
         f"r = T[3,3] dot(a, t), {PRODUCT}", ""),
    of_floats("dot_with_zero", "a product with a matrix of zeros is NaN where an infinity is",
              f"z = T[] constant(0)\nb = T[2,2] broadcast(z), dimensions={{}}\na = T[2,2] reshape(x)\n"
              f"r = T[2,2] dot(a, b), {PRODUCT}", [[INF, 1, 2, 3]], ""),
    of_floats("product_of_three", "(AB)C is no A(BC) where AB overflows", "a = T[2,2] reshape(x)\n"
              f"b = T[2,2] dot(a, a), {PRODUCT}\nz = T[2,2] constant({{{{0, 0}}, {{0, 0}}}})\n"
              f"r = T[2,2] dot(b, z), {PRODUCT}", lambda k: [[maximum(k), 0, 0, 1]], ""),
    fold("dot_that_wraps", "a product of s8 wraps in s8, and does not in s32",
         "t = T[4,3] transpose(x), dimensions={1,0}\n"
         f"a = T[3,3] dot(x, t), {PRODUCT}\nb = s32[3,4] convert(x)\nd = s32[4,3] convert(t)\n"
         f"e = s32[3,3] dot(b, d), {PRODUCT}\nr = (T[3,3], s32[3,3]) tuple(a, e)", "", kinds=("s8", "u8"),
         values=[[100, 100, 3, 4, 5, 6, 7, 8, 120, 10, 11, 127]]),
    fold("convolution_of_pad", "openxla/xla#48713: padding folded into the window of a convolution",
         "z = T[] constant(0)\na = T[5,7] pad(x, z), padding=1_1x2_1\nb = T[1,5,7,1] reshape(a)\n"
         "k = T[2,2,1,1] constant({{{{1}}, {{2}}}, {{{3}}, {{4}}}})\n"
         "r = T[1,5,5,1] convolution(b, k), window={size=2x2 pad=1_0x-1_0}, dim_labels=b01f_01io->b01f", "",
         kinds=("f32", "s32", "bf16")),
    fold("convolution_of_negative_pad",
         "openxla/xla#48713: a low edge of -1, the high one not above 1: nothing is read beside the row",
         "b = T[1,3,4,1] reshape(x)\nk = T[1,2,1,1] constant({{{{1}}, {{10}}}})\n"
         "r = T[1,3,3,1] convolution(b, k), window={size=1x2 pad=0_0x-1_1}, dim_labels=b01f_01io->b01f", "",
         kinds=("f32", "s32", "bf16", "f64")),
    fold("convolution_of_reverse", "a reversed kernel is a window with rhs_reversal",
         "b = T[1,12,1] reshape(x)\nk = T[3,1,1] constant({{{1}}, {{2}}, {{4}}})\n"
         "n = T[3,1,1] reverse(k), dimensions={0}\n"
         "c = T[1,10,1] convolution(b, n), window={size=3}, dim_labels=b0f_0io->b0f\n"
         "d = T[1,10,1] convolution(b, k), window={size=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f\n"
         "r = T[1,10,1] subtract(c, d)", "", kinds=("f32", "s32")),
    fold("grouped_convolution", "openxla/xla#49123: s8 in two feature groups: the last channel is right too",
         "b = T[1,3,4] reshape(x)\nk = T[1,2,4] constant({{{1, 2, 3, 4}, {5, 6, 7, 8}}})\n"
         "r = T[1,3,4] convolution(b, k), window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2", "",
         kinds=("s8", "s32", "f32")),
    fold("convolution_bias_relu", "a convolution, a bias and a relu, as they are fused",
         "b = T[1,12,1] reshape(x)\nk = T[3,1,2] constant({{{1, -1}}, {{2, 0}}, {{-4, 1}}})\n"
         "c = T[1,10,2] convolution(b, k), window={size=3}, dim_labels=b0f_0io->b0f\nv = T[2] constant({5, -3})\n"
         "w = T[1,10,2] broadcast(v), dimensions={2}\ns = T[1,10,2] add(c, w)\nz = T[] constant(0)\n"
         "y = T[1,10,2] broadcast(z), dimensions={}\nr = T[1,10,2] maximum(s, y)", "", kinds=("f32", "s32", "bf16")),
    fold("padded_source", "jax#6010: what is scattered to a padded window never comes from the padding",
         Z +
         "s = T[2] constant({10, 20})\n"
         "r = T[3] select-and-scatter(x, s, z), window={size=2 stride=2 pad=0_1}, select=ge_T, scatter=add_T",
         order("GE", "ge") + "\n\n" + ADD, "x:T[3]", ("f32", "s32", "bf16"), [[-5, -7, -9]]),
    of_floats("all_below_the_start", "jax#6010: every number is below the start, -inf among them",
              "z = T[] constant(0)\ns = T[2] constant({10, 20})\n"
              "r = T[4] select-and-scatter(x, s, z), window={size=2 stride=2}, select=ge_T, scatter=add_T",
              [[-INF, -INF, -3, -4]], order("GE", "ge") + "\n\n" + ADD),
    fold("sums_by_matrix", "sums so far by a product with a triangle, and by a window",
         Z + "i = T[4,4] iota(), iota_dimension=0\nj = T[4,4] iota(), iota_dimension=1\nc = pred[4,4] compare(i, j), "
         f"direction=LE\nm = T[4,4] convert(c)\na = T[3,4] dot(x, m), {PRODUCT}\n"
         "b = T[3,4] reduce-window(x, z), window={size=1x4 pad=0_0x3_0}, to_apply=add_T\nr = T[3,4] subtract(a, b)"),
    Program("sum_of_dynamic", "PR openxla/xla#46618: sums so far of as many elements as there are", ("f32", "s32"),
            "x:T[6] n:s32[]",
            "d = T[<=6] set-dimension-size(x, n), dimensions={0}\nz = T[] constant(0)\n"
            "r = T[] reduce(d, z), dimensions={0}, to_apply=add_T", [[1, 2, 3, 4, 5, 6], [4]], computations=ADD,
            folds=False, more={"none": [[1, 2, 3, 4, 5, 6], [0]], "all": [[1, 2, 3, 4, 5, 6], [6]]}),
]
