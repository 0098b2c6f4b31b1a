"""Classes in which random instructions showed differences between the second evaluator and the reference: a case for
each rule."""

from corpus.modules import OneOp, combiner

INF, NAN = float("inf"), float("nan")
LARGE = 2.0**24  # f32 loses a one beside it


def add_to(corpus):
    """Adds all files of this module."""
    scatters(corpus)
    folds(corpus)
    scans(corpus)
    windows(corpus)
    loops(corpus)
    scales(corpus)
    angles(corpus)
    normalizations(corpus)
    matrices(corpus)
    others(corpus)
    devices(corpus)


def side_by_side(first, second, kinds=("f32", "f32"), name="both"):
    """Returns a computation of two accumulators and two elements, an op for each pair."""
    lines = [f"  {letter} = {kind}[] parameter({i})" for i, (letter, kind) in enumerate(zip("vwxy", kinds * 2))]
    lines += [f"  m = {kinds[0]}[] {first}(v, x)", f"  n = {kinds[1]}[] {second}(w, y)",
              f"  ROOT t = ({kinds[0]}[], {kinds[1]}[]) tuple(m, n)"]
    return f"{name} {{\n" + "\n".join(lines) + "\n}"


def scatters(corpus):
    """Batching dimensions, and several arrays."""
    scatter = OneOp(corpus, "scatter")
    scatter.file(
        "batching", ["s32[2,3]", "s32[3,1,2]", "s32[3,2]"],
        "s32[2,3] scatter(a, b, c), update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
        "input_batching_dims={0}, scatter_indices_batching_dims={2}, index_vector_dim=1, to_apply=add",
        ("turned", "row b of the operand takes the updates [.., b] at the indices [.., 0, b]; one is outside",
         [0] * 6, [0, 2, 0, 1, 5, 1], [1, 10, 2, 20, 4, 40]), computations=combiner("add", "s32"))
    arrays = ["f32[1]", "f32[1]", "s32[2,1]", "f32[2]", "f32[2]"]
    root = ("(f32[1], f32[1]) scatter(a, b, c, d, e), update_window_dims={}, inserted_window_dims={0}, "
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both")
    values = [[LARGE], [LARGE], [0, 0], [1, 1], [1, 1]]
    scatter.file("sums_side_by_side", arrays, root, ("sums", "each sum is exact and rounded once", *values),
                 computations=side_by_side("add", "add"))
    scatter.file("sum_and_product", arrays, root, ("steps", "beside a product the sum is taken step by step", *values),
                 computations=side_by_side("add", "multiply"))


def folds(corpus):
    """Several arrays in one fold."""
    for op, root in (("reduce", "reduce(a, b, c, d), dimensions={0}"),
                     ("reduce-window", "reduce-window(a, b, c, d), window={size=3}")):
        shape, kinds = ("", ("f32", "f32")) if op == "reduce" else ("1", ("f32", "f16"))
        numbers = [LARGE if op == "reduce" else 2048, 1, 1]
        for name, steps, reason in (
                ("sums_side_by_side", ("add", "add"), "each sum is exact, in its own type"),
                ("sum_and_maximum", ("add", "maximum"), "beside a maximum the sum is taken step by step")):
            OneOp(corpus, op).file(
                name, [f"{kinds[0]}[3]", f"{kinds[1]}[3]", f"{kinds[0]}[]", f"{kinds[1]}[]"],
                f"({kinds[0]}[{shape}], {kinds[1]}[{shape}]) {root}, to_apply=both",
                ("numbers", reason, [LARGE, 1, 1], numbers, [0], [0]), computations=side_by_side(*steps, kinds))


def scans(corpus):
    """is_associative."""
    for name, flag, reason in (("associative", ", is_associative=true", "cumulative sums, each exact and rounded once"),
                               ("in_steps", "", "every step rounds: 2^24 + 1 is 2^24, twice"),
                               ("associative_reverse", ", is_reverse=true, is_associative=true",
                                "from the last element on, the carry among the terms of each sum")):
        add = ("step {\n  x = f32[2] parameter(0)\n  y = f32[2] parameter(1)\n  s = f32[2] add(y, x)\n"
               "  ROOT t = (f32[2], f32[2]) tuple(s, s)\n}")
        OneOp(corpus, "scan").file(
            f"sums_{name}", ["f32[3,2]", "f32[2]"],
            f"(f32[3,2], f32[2]) scan(a, b), dimensions={{0}}, num_carries=1{flag}, to_apply=step",
            ("sums", reason, [1, 0.5, 1, 0.25, 3, 0.125], [LARGE, 0]), computations=add)


def windows(corpus):
    """rhs_reversal."""
    keep = "last {\n  x = s32[] parameter(0)\n  ROOT y = s32[] parameter(1)\n}"
    for name, reversal, reason in (("forward", "0", "the last cell visited is the window's last"),
                                   ("reversed", "1", "the last cell visited is the window's first")):
        OneOp(corpus, "reduce-window").file(
            f"last_{name}", ["s32[5]", "s32[]"],
            f"s32[3] reduce-window(a, b), window={{size=3 rhs_reversal={reversal}}}, to_apply=last",
            ("last", reason, [1, 2, 3, 4, 5], [0]), computations=keep)
        choose = combiner("compare", "s32", "choose", ", direction=GE")
        OneOp(corpus, "select-and-scatter").file(
            f"ties_{name}", ["s32[4]", "s32[2]", "s32[]"],
            f"s32[4] select-and-scatter(a, b, c), window={{size=2 stride=2 rhs_reversal={reversal}}}, select=choose, "
            "scatter=add", ("ties", f"of equal elements the first visited stays: {reason}", [7, 7, 3, 3], [1, 2], [0]),
            computations=f"{choose}\n\n{combiner('add', 's32')}")


def loops(corpus):
    """A complex number in the state of a loop."""
    text = ("more {{\n  s = (s32[], {0}[2]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
            "  n = s32[] constant(3)\n  ROOT p = pred[] compare(i, n), direction=LT\n}}\n\n"
            "next {{\n  s = (s32[], {0}[2]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
            "  z = {0}[2] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
            "  q = {0}[2] multiply(z, z)\n  w = {0}[2] {1}(q)\n  ROOT t = (s32[], {0}[2]) tuple(j, w)\n}}")
    for kind in ("c64", "c128"):
        for op in ("sine", "logistic"):
            OneOp(corpus, "while").file(
                f"{kind}_{op}", ["s32[]", f"{kind}[2]"],
                f"(s32[], {kind}[2]) while(t), condition=more, body=next",
                ("squares", f"the {op} of a square, three times: each step rounds both parts once", [0],
                 [0.5, 0.25, -1, 0]), computations=text.format(kind, op),
                body=[f"t = (s32[], {kind}[2]) tuple(a, b)"])


def scales(corpus):
    """scaled-dot."""
    dot = OneOp(corpus, "scaled-dot")
    attributes = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
    tiny = 2.0**-30
    dot.file("c128_cancels", ["c128[1,1]"] * 4, f"c128[1,1] scaled-dot(a, b, c, d), {attributes}",
             ("cancels", "a scaled element is the exact product: its real part is 2^-60, not 0", [1 + tiny, 1], [1, 0],
              [1 + tiny, 1 + 2 * tiny], [1, 0]),
             ("infinite", "infinity times a number is an infinity, not NaN + NaN i", [INF, INF], [1, 0], [1, 1],
              [1, 0]))
    dot.file("f64_rounds", ["f64[1,2]", "f64[2,1]", "f64[1,1]", "f64[1,1]"],
             f"f64[1,1] scaled-dot(a, b, c, d), {attributes}",
             ("rounds", "a scaled f64 is rounded: (1 + 2^-30)^2 loses 2^-60 before the sum", [1 + tiny, 1],
              [1, -1 - 2 * tiny], [1 + tiny], [1]))
    dot.file("bf16_not_scaled", ["bf16[1,2]", "bf16[2,1]", "bf16[1,1]", "bf16[]"],
             f"f32[1,1] scaled-dot(a, b, c, d), {attributes}",
             ("unread", "a bf16 scale of one element is not read", [1, 2], [3, 4], [64], [NAN]))
    dot.file("f8e4m3fn_nan", ["f8e4m3fn[2,1]", "f8e4m3fn[1,2]", "f8e8m0fnu[2,1]", "f8e8m0fnu[1,1]"],
             f"f32[2,2] scaled-dot(a, b, c, d), {attributes}",
             ("one", "a scale that is NaN concerns its own rows alone", [1, 2], [3, 4], [1, NAN], [2]))


def angles(corpus):
    """Complex functions whose small part is lost if the large one has few bits."""
    for op, cases in {
        "atan2": [[1.5, 2.0**-900, -2, 2.0**-800], [3, 2.0**-1000, 2, 0], [2.0**-700, 1, 2.0**800, 2.0**180],
                  [0.5, 0, 0.5, 0]],
        "power": [[1.5, 2.0**-900, 3, 0], [1, 1, 3, 0.5], [2, 2.0**-1000, 0.5, 2.0**-1000], [-2, 0, 0.25, 0]],
    }.items():
        OneOp(corpus, op).file("c128_small_parts", ["c128[4]"] * 2, f"c128[4] {op}(a, b)", (
            "parts", "both parts have all of their digits, whatever their sizes",
            [n for case in cases for n in case[:2]], [n for case in cases for n in case[2:]]))
    numbers = [0.5, 2.0**-900, 2.0**-900, 0.5, 2.0**900, 2.0**-60, -0.0, 2.0**-1074]
    for op in ("acos", "asin", "atan", "atanh", "asinh", "acosh", "tan", "tanh", "log-plus-one",
               "exponential-minus-one", "logistic", "rsqrt", "log"):
        OneOp(corpus, op).file("c128_small_parts", ["c128[4]"], f"c128[4] {op}(a)", (
            "parts", "both parts have all of their digits, whatever their sizes", numbers))


def normalizations(corpus):
    """Batch norms of numbers that have no root."""
    shapes = ["f32[1,4]"] + ["f32[4]"] * 4
    OneOp(corpus, "batch-norm-inference").file(
        "f32_no_root", shapes, "f32[1,4] batch-norm-inference(a, b, c, d, e), epsilon=0.5, feature_index=1",
        ("roots", "variance + epsilon: 0 divides, below it is no root, infinity gives a zero", [2, 2, 2, -2], [1] * 4,
         [0] * 4, [1, 1, 1, -1], [-0.5, -1, INF, INF]),
        ("zeros", "a zero product has its sign, a zero sum is +0", [1, 1, 3, 3], [-0.0, 0, -0.0, 1],
         [-0.0, -0.0, 0, -0.0], [1, 1, 1, 3], [0.5] * 4))
    OneOp(corpus, "batch-norm-training").file(
        "f32_no_elements", ["f32[0,2]", "f32[2]", "f32[2]"],
        "(f32[0,2], f32[2], f32[2]) batch-norm-training(a, b, c), epsilon=0, feature_index=1",
        ("none", "mean and variance of no elements are NaN", [], [1, 1], [0, 0]))
    OneOp(corpus, "batch-norm-training").file(
        "f32_constant", ["f32[2,2]", "f32[2]", "f32[2]"],
        "(f32[2,2], f32[2], f32[2]) batch-norm-training(a, b, c), epsilon=0, feature_index=1",
        ("equal", "equal elements over a variance of 0, and an infinity among them", [5, INF, 5, 1], [1, 1], [0, 0]))
    OneOp(corpus, "batch-norm-grad").file(
        "f32_no_root", ["f32[2,2]"] + ["f32[2]"] * 3 + ["f32[2,2]"],
        "(f32[2,2], f32[2], f32[2]) batch-norm-grad(a, b, c, d, e), epsilon=0, feature_index=1",
        ("roots", "a variance of 0, and one below it", [1, 2, 3, 4], [1, 1], [2, 3], [0, -1], [1, -1, 2, 1]))


def matrices(corpus):
    """Signs of zeros, and divisions by them."""
    OneOp(corpus, "cholesky").file(
        "f32_zeros", ["f32[2,2]"], "f32[2,2] cholesky(a), lower=true",
        ("negative", "-0 over a positive root is -0; the other triangle is +0", [4, 0, -0.0, 9]))
    solve = OneOp(corpus, "triangular-solve")
    root = "triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE"
    solve.file("f32_singular", ["f32[2,2]", "f32[2,3]"], f"f32[2,3] {root}",
               ("zero", "a zero on the diagonal: infinities, NaN, and what comes of them in the next row",
                [0, 0, 1, 2], [1, -1, 0, 4, 4, 4]))
    solve.file("f32_not_finite", ["f32[2,2]", "f32[2,2]"], f"f32[2,2] {root}",
               ("numbers", "an infinite coefficient, and a NaN in one column alone", [2, 0, INF, 1], [2, 0, 1, NAN]))
    solve.file("f32_zeros", ["f32[2,2]", "f32[2,2]"], f"f32[2,2] {root}",
               ("signs", "a zero quotient has its sign, a zero difference is +0", [-1, 0, 1, 1], [0, -0.0, 0, 1]))


def others(corpus):
    """Transforms, literals, and conversions."""
    OneOp(corpus, "fft").file("c64_not_finite", ["c64[2,2]"], "c64[2,2] fft(a), fft_type=FFT, fft_length={2}",
                              ("rows", "a row with an infinity is NaN throughout, the other is not concerned",
                               [1, 0, INF, 0, 1, 2, 3, 4]))
    OneOp(corpus, "fft").file("f64_subnormal", ["f64[4]"], "c128[3] fft(a), fft_type=RFFT, fft_length={4}",
                              ("small", "subnormal numbers count, also beside what cancels",
                               [2.0**-1074, 2.0**100, 0, -(2.0**100)]))
    kinds = (("bf16", 1 + 2.0**-10, 2.0**-133, 2.0**100), ("f8e5m2", 1.125, 2.0**-16, 1.25),
             ("f16", 2.0**-25, 2.0**-24, 1 + 2.0**-10))  # fmt: skip
    for kind, low, least, wide in kinds:
        bits = [0, 2**15, 2**16 + 5, 2**32 - 1]
        OneOp(corpus, "stochastic-convert").file(
            f"f32_{kind}", ["f32[4]", "u32[4]"], f"{kind}[4] stochastic-convert(a, b)",
            ("ways", "up where the random number is below the part that is cut off", [low, -low, low, -low], bits),
            ("kept", "what the type has stays, subnormal numbers too", [least, -3 * least, wide, -wide], bits))
    text = "HloModule constant\n\nENTRY main {\n  ROOT r = f8e8m0fnu[3] constant({5.9e-39, 8.7e-39, 8.9e-39})\n}"
    case = corpus.file("constant/f8e8m0fnu_least", text, "constant f8e8m0fnu level1", "exact arithmetic")
    case("least", "to the nearest of 2^-127 and 2^-126, which numpy's type misses")
    OneOp(corpus, "dynamic-slice").file(
        "vector_of_starts", ["s32[2,4]", "s32[2]"], "s32[1,2] dynamic-slice(a, b), dynamic_slice_sizes={1,2}",
        ("vector", "the starts as one vector, clamped", list(range(8)), [1, 9]))
    OneOp(corpus, "multiply").file(
        "c64_infinities", ["c64[4]"] * 2, "c64[4] multiply(a, b)",
        ("infinities", "an infinity times anything but zero is infinite, though its parts are NaN",
         [INF, INF, INF, NAN, INF, 0, 1, NAN], [1, 1, 2, 3, 0, 0, INF, -INF]))
    OneOp(corpus, "divide").file(
        "c64_infinities", ["c64[5]"] * 2, "c64[5] divide(a, b)",
        ("infinities", "by zero, of an infinity, by one, and zero by zero",
         [1, -2, INF, 1, 3, 4, 0, 0, INF, NAN], [0, 0, 1, 1, INF, -INF, 0, 0, 2, 0]))


def devices(corpus):
    """Permutes and reductions to places that are operands."""

    def file(op, name, header, lines, parameters, reason, *values, blocks=()):
        body = [f"  {n} = {shape} parameter({i})" for i, (n, shape) in enumerate(zip("abcdefgh", parameters))]
        text = "\n\n".join([f"HloModule {op.replace('-', '_')}, {header}", *blocks,
                            "ENTRY main {\n" + "\n".join([*body, *(f"  {line}" for line in lines)]) + "\n}"])
        case = corpus.file(f"{op}/{name}", text, f"{op} s32 level1", "exact arithmetic, XLA:CPU")
        case("devices", reason, *[(shape, v) for device in values for shape, v in zip(parameters, device)])

    starts = ["p = (s32[]) tuple(c)", "q = (s32[]) tuple(d)"]
    file("collective-permute", "in_place", "replica_count=2",
         [*starts, "ROOT r = s32[3] collective-permute(a, b, p, q), source_target_pairs={{0,1}}, slice_sizes={{2}}"],
         ["s32[4]", "s32[3]", "s32[]", "s32[]"],
         "two elements from the sender's start to the receiver's, which is clamped; replica 0 keeps its output",
         ([1, 2, 3, 4], [-1, -2, -3], [1], [0]), ([5, 6, 7, 8], [-5, -6, -7], [0], [9]))
    file("collective-reduce", "dynamic_root", "replica_count=3",
         ["ROOT r = s32[2] collective-reduce(a, b), replica_groups={{2,0},{1}}, has_dynamic_root=true, to_apply=add"],
         ["s32[2]", "s32[1]"], "the first device of the group, replica 2, names position 1, which is replica 0",
         ([1, 2], [0]), ([10, 20], [0]), ([100, 200], [1]), blocks=[combiner("add", "s32")])
    for op, line in (("all-reduce", "all-reduce(a), replica_groups={}, to_apply=add"),
                     ("all-gather", "all-gather(a), replica_groups={}, dimensions={0}"),
                     ("all-to-all", "all-to-all(a), replica_groups={{0}}, dimensions={0}"),
                     ("collective-permute", "collective-permute(a), source_target_pairs={}")):
        OneOp(corpus, op).file("one_device", ["s32[2]"], f"s32[2] {line}", ("alone", "the only device meets nobody",
                                                                          [3, 4]),
                               computations=combiner("add", "s32") if "to_apply" in line else "")
