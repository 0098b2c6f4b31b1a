"""The worked examples of the specification, with the values that it prints."""

import re

from golden.make.modules import add_file, combiner, numbers
from golden.make.values import called

SEED = "the specification's example"
CUBE = [10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47]
TURNED = [10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47]
TABLE = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]


def add_to(corpus):
    """Adds all files of this module."""
    def seed(path, signature, rest, reason, arguments, *want, **options):
        op, name = path.split("/")
        result = signature.partition("->")[2].strip() or re.match(r"\(.*?\)|\S+", rest).group()
        wanted = list(zip(re.findall(r"\w+\[[\d,]*\]", result), want, strict=True))
        add_file(corpus, f"{op}/seed_{name}", signature, rest, ("example", reason, *arguments, wanted), oracle=SEED,
                 provenance="seed", **options)

    seed("clamp/scalars", "s32[3]", "s32[3] clamp(l, a, h)", "Clamp(0, {-1, 5, 9}, 6)", [[-1, 5, 9]], [0, 5, 6],
         body=["min = s32[] constant(0)", "l = s32[3] broadcast(min), dimensions={}", "max = s32[] constant(6)",
               "h = s32[3] broadcast(max), dimensions={}"])
    seed("broadcast/scalar", "f32[] -> f32[2,3]", "dimensions={}", "Broadcast(2.0f, {2, 3})", [[2]], [2] * 6)
    # The specification swaps two results: it prints f32[4x6] for Collapse(v, {0,1}) and f32[8x3] for Collapse(v,
    # {1,2}). By its own rule, the product of the dimensions' sizes, they are 8x3 and 4x6.
    for name, shape in (("012", "24"), ("12", "4,6"), ("01", "8,3")):
        seed(f"reshape/collapse_{name}", f"f32[4,2,3] -> f32[{shape}]", "", f"Collapse(v, dimensions {name})", [CUBE],
             CUBE)
    for name, shape in (("24", "24"), ("83", "8,3")):
        seed(f"reshape/in_order_{name}", f"f32[4,2,3] -> f32[{shape}]", "", "Reshape(v, {0,1,2}, ...)", [CUBE], CUBE)
    for name, shape in (("24", "24"), ("8_3", "8,3"), ("2_6_2", "2,6,2")):
        seed(f"reshape/turned_{name}", "f32[4,2,3]", f"f32[{shape}] reshape(t)", "Reshape(v, {1,2,0}, ...)", [CUBE],
             TURNED, body=["t = f32[2,3,4] transpose(a), dimensions={1,2,0}"])
    seed("reshape/to_scalar", "f32[1,1] -> f32[]", "", "Reshape(f32[1x1] { {5} }, {0,1}, {})", [[5]], [5])
    seed("reshape/from_scalar", "f32[] -> f32[1,1]", "", "Reshape(5, {}, {1,1})", [[5]], [5])
    seed("concatenate/1d", "s32[2] s32[2] s32[2] -> s32[6]", "dimensions={0}", "Concat({ {2, 3}, {4, 5}, {6, 7} }, 0)",
         [[2, 3], [4, 5], [6, 7]], [2, 3, 4, 5, 6, 7])
    seed("concatenate/2d", "s32[3,2] s32[1,2] -> s32[4,2]", "dimensions={0}", "Concat({a, b}, 0)",
         [[1, 2, 3, 4, 5, 6], [7, 8]], [1, 2, 3, 4, 5, 6, 7, 8])
    seed("convert/s32_f32", "s32[3] -> f32[3]", "", "convert(s32[3] {0, 1, 2}, f32)", [[0, 1, 2]], [0, 1, 2])
    seed("dot/contracting", "f32[2,3] f32[2,3] -> f32[2,2]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}",
         "DotGeneral, contracting dimensions 1", [[1, 2, 3, 4, 5, 6], [1, 1, 1, 2, 2, 2]], [6, 12, 15, 30])
    seed("dot/batch", "f32[2,2,2] f32[2,2,2] -> f32[2,2,2]",
         "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}",
         "DotGeneral, batch size 2", [[1, 2, 3, 4, 5, 6, 7, 8], [1, 0, 0, 1, 1, 0, 0, 1]], [1, 2, 3, 4, 5, 6, 7, 8])
    seed("dynamic-slice/1d", "f32[5] s32[] -> f32[2]", "dynamic_slice_sizes={2}", "DynamicSlice(a, {2}, {2})",
         [[0, 1, 2, 3, 4], [2]], [2, 3])
    seed("dynamic-slice/2d", "f32[4,3] s32[] s32[] -> f32[2,2]", "dynamic_slice_sizes={2,2}",
         "DynamicSlice(b, {2, 1}, {2, 2})", [TABLE, [2], [1]], [7, 8, 10, 11])
    seed("dynamic-update-slice/1d", "f32[5] f32[2] s32[] -> f32[5]", "", "DynamicUpdateSlice(a, u, {2})",
         [[0, 1, 2, 3, 4], [5, 6], [2]], [0, 1, 5, 6, 4])
    seed("dynamic-update-slice/2d", "f32[4,3] f32[3,2] s32[] s32[] -> f32[4,3]", "", "DynamicUpdateSlice(b, u, {1, 1})",
         [TABLE, [12, 13, 14, 15, 16, 17], [1], [1]], [0, 1, 2, 3, 12, 13, 6, 14, 15, 9, 16, 17])
    seed("get-tuple-element/second", "f32[10] s32[]", "s32[] get-tuple-element(t), index=1", "gettupleelement(t, 1)",
         [numbers(10, 0), [5]], [5], body=["t = (f32[10], s32[]) tuple(a, b)"])
    seed("tuple/two", "f32[10] s32[] -> (f32[10], s32[])", "", "tuple(v, s)", [numbers(10, 0), [5]],
         [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [5])
    seed("iota/rows", "-> s32[4,8]", "iota_dimension=0", "Iota(s32[4, 8], 0)", [],
         [0] * 8 + [1] * 8 + [2] * 8 + [3] * 8)
    seed("iota/columns", "-> s32[4,8]", "iota_dimension=1", "Iota(s32[4, 8], 1)", [], [0, 1, 2, 3, 4, 5, 6, 7] * 4)
    for name, dimensions, shape, want in (
        ("0", "0", "2,3", [4, 8, 12, 16, 20, 24]), ("2", "2", "4,2", [6, 15, 6, 15, 6, 15, 6, 15]),
        ("01", "0,1", "3", [20, 28, 36]), ("012", "0,1,2", "", [84]),
    ):
        seed(f"reduce/add_{name}", f"f32[4,2,3] f32[] -> f32[{shape}]", f"dimensions={{{dimensions}}}, to_apply=add",
             "the sums of the 4x2x3 array", [[1, 2, 3, 4, 5, 6] * 4, [0]], want, computations=combiner("add", "f32"))
    for name, length, pad, want in (("valid", 2, "", [100, 1]), ("same", 3, " pad=1_1", [1000, 10, 1])):
        seed(f"reduce-window/minimum_{name}", f"f32[5] f32[] -> f32[{length}]",
             f"window={{size=3 stride=2{pad}}}, to_apply=minimum",
             f"windows of 3, stride 2, {name} padding, from MAX_FLOAT", [[10000, 1000, 100, 10, 1], ["x7f7fffff"]],
             want, computations=combiner("minimum", "f32"))
    seed("select/array", "pred[4] s32[4] s32[4] -> s32[4]", "", "Select(pred, v1, v2)",
         [[1, 0, 0, 1], [1, 2, 3, 4], [100, 200, 300, 400]], [1, 200, 300, 4])
    seed("select/scalar", "pred[] s32[4] s32[4]", "s32[4] select(p, b, c)", "Select(true, v1, v2)",
         [[1], [1, 2, 3, 4], [100, 200, 300, 400]], [1, 2, 3, 4], body=["p = pred[4] broadcast(a), dimensions={}"])
    seed("slice/1d", "f32[5] -> f32[2]", "slice={[2:4]}", "Slice(a, {2}, {4})", [[0, 1, 2, 3, 4]], [2, 3])
    seed("slice/2d", "f32[4,3] -> f32[2,2]", "slice={[2:4], [1:3]}", "Slice(b, {2, 1}, {4, 3})", [TABLE],
         [7, 8, 10, 11])
    less = called("less", "x:s32[] y:s32[] c:s32[] d:s32[] e:f32[] f:f32[]",
                  "ROOT z = pred[] compare(x, y), direction=LT")
    seed("sort/three", "s32[2] s32[2] f32[2] -> (s32[2], s32[2], f32[2])", "dimensions={0}, to_apply=less",
         "three operands, ordered by the first", [[3, 1], [42, 50], [-3.0, "x3f8ccccd"]], [1, 3], [50, 42],
         ["x3f8ccccd", -3.0], computations=less)
    # The specification prints these as sums and products: 1 + 2 + 3 + 4 + 5, 1 * 2 * 3 * 4 * 5 and 1 + 2 + 3 + 4 + 5 +
    # 6.
    for name, fold, start, size, want in (("sum_five", "add", 0, 5, 15), ("product_five", "multiply", 1, 5, 120),
                                          ("sum_six", "add", 0, 6, 21)):
        seed(f"set-dimension-size/{name}", "f32[10] s32[] f32[]",
             f"f32[] reduce(v, c), dimensions={{0}}, to_apply={fold}", f"{fold} over the first {size} of ten elements",
             [numbers(10), [size], [start]], [want], computations=combiner(fold, "f32"),
             body=["v = f32[<=10] set-dimension-size(a, b), dimensions={0}"])
    for name, source, result in (("narrower", "f32[10]", "f16[10,2]"), ("scalar", "f32[]", "f16[2]"),
                                 ("wider", "f16[10,2]", "f32[10]")):
        add_file(corpus, f"bitcast-convert/example_{name}", [source], f"{result} bitcast-convert(a)",
                 ("shape", "the shapes of the specification's example", f"{source} seeded 3"),
                 oracle="numpy view, XLA:CPU")
    iterate = ("more {\n  s = (s32[], f32[10]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
               "  n = s32[] constant(1000)\n  ROOT p = pred[] compare(i, n), direction=LT\n}\n\nnext {\n"
               "  s = (s32[], f32[10]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
               "  v = f32[10] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
               "  c = f32[] constant(1)\n  w = f32[10] broadcast(c), dimensions={}\n  u = f32[10] add(v, w)\n"
               "  ROOT t = (s32[], f32[10]) tuple(j, u)\n}")
    # The specification has this as pseudo-code, with a constant vector without values.
    add_file(corpus, "while/accumulate", "s32[] f32[10]", "(s32[], f32[10]) while(t), condition=more, body=next",
             ("example", "a counter to 1000 and a vector that grows by ones", [0], [0] * 10), computations=iterate,
             body=["t = (s32[], f32[10]) tuple(a, b)"])
    broadcasting(seed)
    layouts(seed)
    described(corpus)


def described(corpus):
    """Adds examples that the specification describes by shapes, formulas or programs, with our own numbers."""
    slices = ("offset_dims={{{}}}, collapsed_slice_dims={{{}}}, start_index_map={{{}}}, index_vector_dim={}, "
              "slice_sizes={{{}}}")
    matrix = "f32[16,11]"
    add_file(corpus, "gather/example_slices", [matrix, "s64[5,2]"],
             "f32[5,8,6] gather(a, b), " + slices.format("1,2", "", "0,1", 1, "8,6"),
             ("five", "five slices of 8 x 6 out of 16 x 11", f"{matrix} seeded 21", [0, 0, 8, 5, 3, 2, 20, -1, 7, 1]))
    add_file(corpus, "gather/example_batches", [matrix, "s64[4,5,2]"],
             "f32[4,5,8,6] gather(a, b), " + slices.format("2,3", "", "0,1", 2, "8,6"),
             ("twenty", "two batch dimensions", f"{matrix} seeded 21", "s64[4,5,2] seeded 22"))
    add_file(corpus, "gather/example_rows", [matrix, "s64[4,5,1]"],
             "f32[4,5,11] gather(a, b), " + slices.format("2", "0", "0", 2, "1,11"),
             ("rows", "as tf.gather_nd: whole rows", f"{matrix} seeded 21", "s64[4,5,1] seeded 23"))
    add_file(corpus, "gather/example_remapped", "f32[2,2,3,2,2,2] s32[3,2]",
             "f32[3,2,2,1,2] gather(a, b), " + slices.format("1,2,3,4", "0,2", "2,0", 1, "1,2,1,2,1,2"),
             ("mapped", "offset dimensions 0 to 3 become 1, 3, 4, 5", "f32[2,2,3,2,2,2] seeded 24", [0, 1, 2, 0, 1, 1]))
    add_file(corpus, "reduce/example_fold", "s32[4] s32[] -> s32[]", "dimensions={0}, to_apply=add",
             ("fold", "f(10, f(11, f(12, f(init_value, 13))))", [10, 11, 12, 13], [0]),
             computations=combiner("add", "s32"))
    argmax = called("argmax", "m:f32[] i:s32[] v:f32[] j:s32[]", "c = pred[] compare(v, m), direction=GE",
                    "x = f32[] select(c, v, m)", "k = s32[] select(c, j, i)", "ROOT r = (f32[], s32[]) tuple(x, k)")
    add_file(corpus, "reduce/example_argmax", "f32[6] s32[6] f32[] s32[] -> (f32[], s32[])",
             "dimensions={0}, to_apply=argmax",
             ("argmax", "if value >= max: the last of equal maxima", [1, 9, -2, 9, 3, 4], numbers(6, 0),
              [float("-inf")], [-1]), computations=argmax)
    add_file(corpus, "reduce-window/example_maximum", "f32[4,6] f32[] -> f32[2,2]",
             "window={size=2x3 stride=2x3}, to_apply=maximum",
             ("pooling", "windows of 2 x 3 side by side", "f32[4,6] seeded 25", ["xff7fffff"]),
             computations=combiner("maximum", "f32"))
    add_file(corpus, "convolution/example_program", "f32[1,2,5,4] f32[3,2,2,3] -> f32[1,3,3,2]",
             "window={size=2x3 stride=2x2 pad=1_0x0_1}, dim_labels=bf01_oi01->bf01",
             ("program", "input z, padding and stride as the loops have them", numbers(40, -20), numbers(36, -18)))


def broadcasting(seed):
    """Adds the examples of the page on broadcasting (three translations with the same numbers)."""
    matrix, vector = [1, 2, 3, 4, 5, 6], [7, 8, 9]
    added, square = [8, 10, 12, 11, 13, 15], vector * 3
    seed("broadcast/rows", "s32[3] -> s32[2,3]", "dimensions={1}", "|7 8 9| ==> |7 8 9|, |7 8 9|", [vector],
         [7, 8, 9, 7, 8, 9])
    seed("broadcast/square_1", "s32[3] -> s32[3,3]", "dimensions={1}", "a 3x3 matrix, broadcasting dimension 1",
         [vector], square)
    seed("broadcast/square_0", "s32[3] -> s32[3,3]", "dimensions={0}", "a 3x3 matrix, broadcasting dimension 0",
         [vector], [7, 7, 7, 8, 8, 8, 9, 9, 9])
    seed("broadcast/composed_in_dim", "s32[4] -> s32[4,2]", "dimensions={0}", "|1 2 3 4| up to rank 2", [[1, 2, 3, 4]],
         [1, 1, 2, 2, 3, 3, 4, 4])
    seed("broadcast/composed_degenerate", "s32[1,2]", "s32[4,2] broadcast(v), dimensions={1}",
         "[5 6] along dimension zero", [[5, 6]], [5, 6] * 4, body=["v = s32[2] reshape(a)"])
    seed("add/matrix_vector", "s32[2,3] s32[3]", "s32[2,3] add(a, v)", "|1 2 3|, |4 5 6| + |7 8 9|", [matrix, vector],
         added, body=["v = s32[2,3] broadcast(b), dimensions={1}"])
    seed("add/matrix_scalar", "s32[2,3] s32[]", "s32[2,3] add(a, v)", "|1 2 3|, |4 5 6| + 7", [matrix, [7]],
         [8, 9, 10, 11, 12, 13], body=["v = s32[2,3] broadcast(b), dimensions={}"])
    seed("add/composed", "s32[4] s32[1,2]", "s32[4,2] add(x, y)", "|1 2 3 4| + [5 6], broadcast dimensions (0)",
         [[1, 2, 3, 4], [5, 6]], [6, 7, 7, 8, 8, 9, 9, 10],
         body=["x = s32[4,2] broadcast(a), dimensions={0}", "v = s32[2] reshape(b)",
               "y = s32[4,2] broadcast(v), dimensions={1}"])


def layouts(seed):
    """Adds the examples of the page on shapes and layout, letters as ASCII numbers; a bitcast shows the order in
    memory."""

    def letters(text):
        return [0 if letter == "0" else ord(letter) for letter in text.split()]

    table = letters("a b c d e f")
    seed("bitcast/column_major", "u8[2,3]", "u8[6]{0} bitcast(c)", "minor_to_major {0, 1}: a d b e c f", [table],
         letters("a d b e c f"), body=["c = u8[2,3]{0,1} copy(a)"])
    seed("bitcast/row_major", "u8[2,3]", "u8[6]{0} bitcast(c)", "minor_to_major {1, 0}: a b c d e f", [table],
         letters("a b c d e f"), body=["c = u8[2,3]{1,0} copy(a)"])
    seed("pad/layout", "u8[2,3] u8[] -> u8[3,5]", "padding=0_1x0_2", "padded to 3 x 5: a b c 0 0, d e f 0 0, 0 0 0 0 0",
         [table, [0]], letters("a b c 0 0 d e f 0 0 0 0 0 0 0"))
    seed("bitcast/padded", "u8[2,3] u8[]", "u8[15]{0} bitcast(c)",
         "padded to 3 x 5, minor_to_major {0, 1}: a d 0 b e 0 c f 0 0 0 0 0 0 0", [table, [0]],
         letters("a d 0 b e 0 c f 0 0 0 0 0 0 0"),
         body=["p = u8[3,5] pad(a, b), padding=0_1x0_2", "c = u8[3,5]{0,1} copy(p)"])
