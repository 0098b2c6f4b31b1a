"""Goldens that kill mutants of operators by numbers chosen for it: ties, digits, ends of ranges, subnormal numbers."""

from corpus.modules import OneOp, combiner

# Two numbers whose sum is a tie of the format, and one that f32 loses beside them: if first rounded to f32, the sum is
# the tie itself.
NEAR_TIES = {"f16": [1, 2.0**-11, 2.0**-24], "bf16": [1, 2.0**-8, 2.0**-40]}
# Two numbers whose sum is halfway between two others, of which the smaller one is even.
TIES = {"f32": [2.0**24, 1], "f16": [2048, 1], "bf16": [256, 1]}
LEAST = {"f64": 2.0**-1074, "f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133}
SUMMED_ONCE = "one rounding: f32 would lose what lifts the sum above the tie"
TO_EVEN = "a tie goes to the even number"
GRADUAL = "subnormal numbers count"


def add_to(corpus):
    """Adds all files of this module."""
    add_sums(corpus)
    add_quotients(corpus)
    add_normalizations(corpus)
    add_factors(corpus)
    add_subnormals(corpus)
    add_counts(corpus)
    add_ranges(corpus)
    add_orders(corpus)


def add_sums(corpus):
    """Adds all ops that add, with three numbers, or two."""
    cases = {f"{kind}_once": (kind, numbers, SUMMED_ONCE) for kind, numbers in NEAR_TIES.items()}
    cases |= {f"{kind}_tie": (kind, [*numbers, 0], TO_EVEN) for kind, numbers in TIES.items()}
    for name, (kind, numbers, reason) in cases.items():
        add = combiner("add", kind)
        ones = [1, 1, 1]

        def file(op, parameters, root, *arguments, computations="", body=()):
            OneOp(corpus, op).file(f"sum_{name}", parameters, root, ("sum", reason, *arguments),
                                   computations=computations, body=body)

        file("reduce", [f"{kind}[3]", f"{kind}[]"], f"{kind}[] reduce(a, b), dimensions={{0}}, to_apply=add", numbers,
             [0], computations=add)
        file("reduce-window", [f"{kind}[3]", f"{kind}[]"],
             f"{kind}[1] reduce-window(a, b), window={{size=3}}, to_apply=add", numbers, [0], computations=add)
        file("dot", [f"{kind}[3]"] * 2, f"{kind}[] dot(a, b), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}",
             numbers, ones)
        file("ragged-dot", [f"{kind}[1,3]", f"{kind}[1,3,1]", "s32[1]"],
             f"{kind}[1,1] ragged-dot(a, b, c), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}, "
             "lhs_ragged_dims={0}, rhs_group_dims={0}", numbers, ones, [1])
        file("convolution", [f"{kind}[1,3,1]", f"{kind}[3,1,1]"],
             f"{kind}[1,1,1] convolution(a, b), window={{size=3}}, dim_labels=b0f_0io->b0f", numbers, ones)
        file("scatter", [f"{kind}[1]", "s32[2,1]", f"{kind}[2]"],
             f"{kind}[1] scatter(a, b, c), update_window_dims={{}}, inserted_window_dims={{0}}, "
             "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
             numbers[:1], [0, 0], numbers[1:], computations=add)


def add_quotients(corpus):
    """Results that are halfway between two subnormal numbers."""
    least = LEAST["f32"]
    OneOp(corpus, "divide").file("f32_subnormal_ties", ["f32[3]"] * 2, "f32[3] divide(a, b)",
                                 ("halves", TO_EVEN, [least, 3 * least, -5 * least], [2, 2, 2]))
    OneOp(corpus, "power").file("f32_subnormal_tie", ["f32[2]"] * 2, "f32[2] power(a, b)",
                                ("half", TO_EVEN, [2.0**-75, 2.0**-50], [2, 3]))
    OneOp(corpus, "count-leading-zeros").file("s64_digits", ["s64[2]"], "s64[2] count-leading-zeros(a)",
                                              ("ones", "more digits than f64 has", [2**62 - 1, 2**60 - 1]))
    OneOp(corpus, "convert").file("s64_digits", ["s64[2]"], "s64[2] convert(a)",
                                  ("odd", "more digits than f64 has", [2**53 + 1, -(2**62) - 1]))
    OneOp(corpus, "compare").file("c64_digits", ["c64[2]"] * 2, "pred[2] compare(a, b), direction=EQ",
                                  ("digits", "numbers that differ in their last digits",
                                   [4097, 1, 2, 8193], [4096, 1, 2, 8192]))


def add_normalizations(corpus):
    """batch-norm-inference with a variance of 1: (x - mean) scale + offset."""
    for kind in ("f32", "f16", "bf16"):
        shapes = [f"{kind}[1,1]"] + [f"{kind}[1]"] * 4
        op = OneOp(corpus, "batch-norm-inference")
        root = f"{kind}[1,1] batch-norm-inference(a, b, c, d, e), epsilon=0, feature_index=1"
        large, small = TIES[kind]
        op.file(f"{kind}_tie", shapes, root, ("sum", TO_EVEN, [large], [1], [small], [0], [1]))
        if kind in NEAR_TIES:
            one, tie, rest = NEAR_TIES[kind]
            op.file(f"{kind}_once", shapes, root, ("sum", SUMMED_ONCE, [one], [1], [rest], [-tie], [1]))
    for kind, least in LEAST.items():
        shapes = [f"{kind}[1,1]"] + [f"{kind}[1]"] * 4
        OneOp(corpus, "batch-norm-inference").file(
            f"{kind}_subnormal", shapes, f"{kind}[1,1] batch-norm-inference(a, b, c, d, e), epsilon=0, feature_index=1",
            ("offset", GRADUAL, [1], [1], [3 * least], [1], [1]))


def add_factors(corpus):
    """Factors of matrices of one or two rows."""
    for kind, least in LEAST.items():
        op = OneOp(corpus, "cholesky")
        op.file(f"{kind}_subnormal", [f"{kind}[1,1]"], f"{kind}[1,1] cholesky(a), lower=true",
                ("root", GRADUAL, [4 * least]))
        op.file(f"{kind}_subnormal_row", [f"{kind}[2,2]"], f"{kind}[2,2] cholesky(a), lower=true",
                ("row", "a subnormal number divided by one", [1, 0, 3 * least, 1]))
        OneOp(corpus, "triangular-solve").file(
            f"{kind}_tie", [f"{kind}[1,1]", f"{kind}[1,1]"],
            f"{kind}[1,1] triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE",
            ("half", TO_EVEN, [2], [5 * least]))
        op.file(f"{kind}_tie", [f"{kind}[2,2]"], f"{kind}[2,2] cholesky(a), lower=true",
                ("row", TO_EVEN, [4, 0, 5 * least, 1]))


def add_subnormals(corpus):
    """Subnormal numbers through ops that add, choose or move."""
    for kind, least in LEAST.items():
        values = [least, 2 * least, 5 * least]
        add = combiner("add", kind)

        def file(op, parameters, root, *arguments, computations=""):
            OneOp(corpus, op).file(f"{kind}_subnormal", parameters, root, ("numbers", GRADUAL, *arguments),
                                   computations=computations)

        vector, scalar = f"{kind}[3]", f"{kind}[]"
        file("reduce", [vector, scalar], f"{scalar} reduce(a, b), dimensions={{0}}, to_apply=add", values, [0],
             computations=add)
        file("reduce-window", [vector, scalar], f"{kind}[2] reduce-window(a, b), window={{size=2}}, to_apply=add",
             values, [0], computations=add)
        file("map", [vector, vector], f"{vector} map(a, b), dimensions={{0}}, to_apply=add", values, values,
             computations=add)
        file("slice", [vector], f"{kind}[2] slice(a), slice={{[1:3]}}", values)
        file("dynamic-slice", [vector, "s32[]"], f"{kind}[2] dynamic-slice(a, b), dynamic_slice_sizes={{2}}", values,
             [1])
        file("gather", [vector, "s32[2,1]"],
             f"{kind}[2] gather(a, b), offset_dims={{}}, collapsed_slice_dims={{0}}, start_index_map={{0}}, "
             "index_vector_dim=1, slice_sizes={1}", values, [2, 0])
        file("dot", [vector, vector], f"{scalar} dot(a, b), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}",
             values, [1, 1, 1])
        file("convolution", [f"{kind}[1,3,1]", f"{kind}[2,1,1]"],
             f"{kind}[1,2,1] convolution(a, b), window={{size=2}}, dim_labels=b0f_0io->b0f", values, [1, 1])
        choose = combiner("compare", kind, "choose", ", direction=GE")
        file("select-and-scatter", [vector, f"{kind}[1]", scalar],
             f"{vector} select-and-scatter(a, b, c), window={{size=3}}, select=choose, scatter=add", values,
             [3 * least], [0], computations=f"{choose}\n\n{add}")
    for wide, narrow in (("f64", "f32"), ("f32", "f16"), ("f32", "bf16"), ("f64", "f64"), ("f32", "f64")):
        OneOp(corpus, "convert").file(f"{wide}_{narrow}_subnormal", [f"{wide}[2]"], f"{narrow}[2] convert(a)",
                                      ("numbers", GRADUAL, [3 * LEAST[wide], 3 * LEAST[narrow]]
                                       if LEAST[narrow] >= LEAST[wide] else [3 * LEAST[wide], -LEAST[wide]]))


def add_counts(corpus):
    """Adds iota beyond the range of a narrower type."""
    for kind, count in (("s16", 300), ("u16", 300), ("f16", 300), ("f32", 2100), ("c64", 2100), ("s32", 33000),
                        ("u32", 65600), ("bf16", 66000)):
        text = f"HloModule iota\n\nENTRY main {{\n  ROOT r = {kind}[{count}] iota(), iota_dimension=0\n}}"
        case = corpus.file(f"iota/{kind}_far", text, f"iota {kind} level2", "exact arithmetic, XLA:CPU", digests=True)
        case("far", "counts past the range, or the digits, of the next narrower type")


def add_ranges(corpus):
    """rng over ranges of one number."""
    for name, low, reason in (("odd", 2**24 + 1, "f32 does not have the only number, nor has s16"),
                              ("negative", -5, "the only number is negative"),
                              ("least", -(2**31), "the only number is the least")):
        OneOp(corpus, "rng").file(f"s32_{name}_value", ["s32[]", "s32[]"],
                                  "s32[65] rng(a, b), distribution=rng_uniform",
                                  (name, reason, [low], [low + 1]), oracle="XLA:CPU")


def add_orders(corpus):
    """Folds that compare, of numbers on both sides of the sign bit."""
    for kind, bits in (("u8", 8), ("u32", 32), ("u64", 64), ("s8", 8), ("s32", 32), ("s64", 64)):
        ends = [1, 2**bits - 1, 2 ** (bits - 1)] if kind[0] == "u" else [1, -1, -(2 ** (bits - 1))]
        larger = combiner("maximum", kind)
        OneOp(corpus, "reduce").file(f"{kind}_order", [f"{kind}[3]", f"{kind}[]"],
                                     f"{kind}[] reduce(a, b), dimensions={{0}}, to_apply=maximum",
                                     ("largest", "the order is that of the type's sign", ends, ends[:1]),
                                     computations=larger)
        OneOp(corpus, "reduce-window").file(f"{kind}_order", [f"{kind}[3]", f"{kind}[]"],
                                            f"{kind}[2] reduce-window(a, b), window={{size=2}}, to_apply=maximum",
                                            ("largest", "the order is that of the type's sign", ends, ends[:1]),
                                            computations=larger)
        OneOp(corpus, "scatter").file(f"{kind}_order", [f"{kind}[1]", "s32[2,1]", f"{kind}[2]"],
                                      f"{kind}[1] scatter(a, b, c), update_window_dims={{}}, "
                                      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                                      "index_vector_dim=1, to_apply=maximum",
                                      ("largest", "the order is that of the type's sign", ends[:1], [0, 0], ends[1:]),
                                      computations=larger)
        text = "\n\n".join(["HloModule all_reduce, replica_count=2", larger,
                            f"ENTRY main {{\n  a = {kind}[1] parameter(0)\n"
                            f"  ROOT r = {kind}[1] all-reduce(a), replica_groups={{}}, to_apply=maximum\n}}"])
        case = corpus.file(f"all-reduce/{kind}_order", text, f"all-reduce {kind} level2", "exact arithmetic, XLA:CPU")
        case("largest", "the order is that of the type's sign", (f"{kind}[1]", ends[:1]), (f"{kind}[1]", ends[1:2]))
