"""Programs of public reports that no other family has."""

from golden.make.miscompilations.forms import INF, NAN, Program, combiner, maximum

ADD, MAXIMUM = combiner("add"), combiner("maximum")
PRODUCT = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
NINE = [[1, 2, 3, 4, 5, 6, 7, 8, 9]]


def report(name, reason, lines, values, operands, kinds=("f32",), computations="", **more):
    """Returns a program of a public report."""
    return Program(name, reason, kinds, operands, lines, values, computations=computations, **more)


PROGRAMS = [
    report("floor_division_identity", "tensorflow#118642: floor(x / y) * y + floor remainder, "
           "for x near the largest number: the quotient is rounded, the remainder is exact",
           "q = T divide(x, y)\nf = T floor(q)\nm = T remainder(x, y)\np = T multiply(f, y)\ns = T add(p, m)\n"
           "r = (T[5], T[5]) tuple(s, m)", [[7, -7, 16777216, 1e10, -0.0], [2, 2, 3, 4096, 3]], "x:T[5] y:T[5]",
           ("f32", "f64")),
    report("product_of_bytes_in_words", "openxla/xla#47329: a product of s8 in s32, narrowed: neither saturates",
           f"d = U[3,3] dot(x, x), {PRODUCT}\nc = T[3,3] convert(d)\nr = (U[3,3], T[3,3]) tuple(d, c)",
           [[100, 127, -128, 50, -60, 70, 127, 127, 127]], "x:T[3,3]", ({"T": "s8", "U": "s32"},)),
    report("product_widened", "openxla/xla#47329: a product of bf16 in f32 is not rounded to bf16 first",
           f"d = U[3,3] dot(x, x), {PRODUCT}\nr = U[3,3] add(d, d)", [[1, 2, 3, 100, 101, 102, 7, 8, 255]], "x:T[3,3]",
           ({"T": "bf16", "U": "f32"}, {"T": "f16", "U": "f32"}, {"T": "f8e5m2", "U": "f32"})[:2]),
    report("product_and_bias", "openxla/xla#15153: a product, a bias on each column, a relu",
           f"d = T[3,3] dot(x, x), {PRODUCT}\nb = T[3] constant({{-40, 5, -100}})\n"
           "c = T[3,3] broadcast(b), dimensions={1}\ns = T[3,3] add(d, c)\nz = T[] constant(0)\n"
           "y = T[3,3] broadcast(z), dimensions={}\nr = T[3,3] maximum(s, y)", NINE, "x:T[3,3]",
           ("f32", "bf16", "s32")),
    report("product_of_products", "openxla/xla#19780: a product of a product, rounded between them",
           f"d = T[3,3] dot(x, x), {PRODUCT}\nr = T[3,3] dot(d, x), {PRODUCT}", [[1, 2, 3, 4, 5, 6, 7, 8, 9]],
           "x:T[3,3]", ("f32", "s8", "s32", "f64")),
    report("column_major_product", "openxla/xla#17276: operands in column-major order have the same product",
           f"a = T[2,3]{{0,1}} copy(x)\nb = T[3,2]{{0,1}} copy(y)\nr = T[2,2]{{0,1}} dot(a, b), {PRODUCT}",
           [[1, 2, 3, 4, 5, 6], [1, 0, 2, 1, 0, 3]], "x:T[2,3] y:T[3,2]", ("f32", "bf16", "s8")),
    report("softmax_with_two_results", "jax#39486: a softmax with its maximum and its sum, of numbers that are exact",
           "n = T[] constant(-inf)\nz = T[] constant(0)\nm = T[2] reduce(x, n), dimensions={1}, to_apply=maximum_T\n"
           "b = T[2,4] broadcast(m), dimensions={0}\nd = T[2,4] subtract(x, b)\ne = T[2,4] exponential(d)\n"
           "s = T[2] reduce(e, z), dimensions={1}, to_apply=add_T\nc = T[2,4] broadcast(s), dimensions={0}\n"
           "q = T[2,4] divide(e, c)\nr = (T[2,4], T[2], T[2]) tuple(q, m, s)",
           [[5, 5, -INF, -INF, -INF, -INF, 7, -INF]], "x:T[2,4]", ("f32", "f64", "bf16"), ADD + "\n\n" + MAXIMUM,
           more={"all_negative": [[1, 1, 1, 1, -INF, -INF, -INF, -INF]], "infinity": [[INF, 0, 0, 0, 0, NAN, 0, 0]]}),
    report("image_plus_scalar", "jax#7229: an image of odd extents plus a number, its corners",
           "i = T[131,111,3] iota(), iota_dimension=0\nj = T[131,111,3] iota(), iota_dimension=1\n"
           "k = T[131,111,3] iota(), iota_dimension=2\ns = T[131,111,3] add(i, j)\nt = T[131,111,3] add(s, k)\n"
           "b = T[131,111,3] broadcast(x), dimensions={}\nu = T[131,111,3] add(t, b)\n"
           "r = T[2,2,3] slice(u), slice={[0:131:130], [0:111:110], [0:3]}", [[5]], "x:T[]", ("f32", "u8", "s32")),
    report("three_dimensional_transforms", "jax#16909: a batch of transforms over three dimensions, there and back",
           "a = c64[2,2,2,2] convert(x)\nb = c64[2,2,2,2] fft(a), fft_type=FFT, fft_length={2,2,2}\n"
           "c = c64[2,2,2,2] fft(b), fft_type=IFFT, fft_length={2,2,2}\nd = T[2,2,2,2] real(b)\n"
           "e = T[2,2,2,2] real(c)\nr = (T[2,2,2,2], T[2,2,2,2]) tuple(d, e)", [list(range(1, 17))], "x:T[2,2,2,2]"),
    report("bounded_concatenation",
           "tensorflow#118384, 120241: a sum of what was joined with fewer elements than the bound",
           "d = T[<=4] set-dimension-size(x, n), dimensions={0}\nz = T[] constant(0)\n"
           "a = T[] reduce(d, z), dimensions={0}, to_apply=add_T\n"
           "b = T[] reduce(x, z), dimensions={0}, to_apply=add_T\nm = s32[] get-dimension-size(d), dimensions={0}\n"
           "r = (T[], T[], s32[]) tuple(a, b, m)", [[1, 2, 3, 4], [3]], "x:T[4] n:s32[]", ("f32", "s32"), ADD,
           folds=False, more={"none": [[1, 2, 3, 4], [0]], "all": [[1, 2, 3, 4], [4]]}),
    report("infinity_squared_and_divided", "jax#37919: sqrt(x * x) * sqrt(x * x) / x overflows twice",
           "s = T multiply(x, x)\nq = T sqrt(s)\np = T multiply(q, q)\nr = T divide(p, x)",
           lambda k: [[maximum(k), -maximum(k), 3, -4]], "x:T[4]", ("f32", "f64")),
    report("power_chain", "jax#21628: a matrix to the eighth by squaring it three times",
           f"a = T[2,2] dot(x, x), {PRODUCT}\nb = T[2,2] dot(a, a), {PRODUCT}\nr = T[2,2] dot(b, b), {PRODUCT}",
           [[1, 1, 1, 0]], "x:T[2,2]", ("f32", "f64", "s32", "u8")),
    report("leading_zeros_of_negatives", "HloEvaluator: of a negative number no bit is a leading zero, in any width",
           "n = T negate(x)\na = T abs(n)\nb = T negate(a)\nc = T count-leading-zeros(b)\n"
           "d = T count-leading-zeros(a)\nr = (T[4], T[4]) tuple(c, d)", [[1, 5, 100, 0]], "x:T[4]",
           ("s8", "s16", "s32", "s64")),
    report("equal_rows", "jax#39025: a gradient of a gather adds rows by indices that repeat",
           "i = s32[4,1] constant({{2}, {0}, {2}, {2}})\nz = T[] constant(0)\nb = T[3,2] broadcast(z), dimensions={}\n"
           "r = T[3,2] scatter(b, i, x), update_window_dims={1}, inserted_window_dims={0}, "
           "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_T", [list(range(1, 9))], "x:T[4,2]",
           ("f32", "s32", "bf16"), ADD),
]
