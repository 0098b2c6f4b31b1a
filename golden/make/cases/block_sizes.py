"""Sizes beyond the blocks into which loops are divided: folds in several pieces, long windows, sorts of several
segments.

golden/<op>/blocks.hlo; golden/<op>/large.hlo has sizes next to those of vectors, tiles and pages.
"""

from golden.make.modules import add_file, add_family, combiner
from golden.make.values import Sample, called

ORACLE = "exact arithmetic"
INF, NAN = float("inf"), float("nan")


def add_to(corpus):
    """Adds all files of this module."""
    add_family(corpus, "reduce-window/strides_and_dilations", strides_and_dilations(), ORACLE, level=2)
    for op, samples in (("reduce", reductions()), ("reduce-window", windows()), ("sort", sorts()),
                        ("convolution", convolutions()), ("scatter", scatters())):
        add_family(corpus, f"{op}/blocks", samples, ORACLE, digests=True, level=2)
    sliding_specials(corpus)
    all_reduces(corpus)


def seeded(parameters, root, reason, computations=(), body=(), last=()):
    """Returns a Sample with seeded arguments, except for the `last` ones."""
    arguments = [f"{shape} seeded {i + 1}" for i, shape in enumerate(parameters[: len(parameters) - len(last)])]
    return Sample(parameters, root, arguments + [[value] for value in last], body, computations, reason)


def horner(kind="s32"):
    """Returns a computation whose result depends on the order of the steps: 3 x + y."""
    return called(f"horner_{kind}", f"x:{kind}[] y:{kind}[]", f"c = {kind}[] constant(3)",
                  f"t = {kind}[] multiply(x, c)", f"ROOT z = {kind}[] add(t, y)")


PAIR = called("pair", "v:s32[] w:f32[] x:s32[] y:f32[]", "m = s32[] subtract(x, v)", "n = f32[] maximum(w, y)",
              "ROOT t = (s32[], f32[]) tuple(m, n)")


def reductions():
    """reduce: more lanes than a piece has, and more elements than the first halves that are folded."""
    def fold(shape, dimensions, result, reducer, reason, kind="s32", init=0):
        return seeded([f"{kind}[{shape}]", f"{kind}[]"],
                      f"{kind}[{result}] reduce(a, b), dimensions={{{dimensions}}}, to_apply={reducer}_{kind}", reason,
                      [horner(kind) if reducer == "horner" else combiner(reducer, kind, f"{reducer}_{kind}")],
                      last=(init,))

    return {
        "halves": fold("66001", "0", "", "add", "an odd number of elements, whose halves take several pieces", init=5),
        "halves_of_rows": fold("22001,3", "0", "3", "xor", "three lanes: rows are folded in halves", init=5),
        "few_lanes": fold("9,70", "0", "70", "add", "just over the number of elements that is folded in halves"),
        "many_lanes": fold("3,2100", "0", "2100", "horner", "each step over several pieces of lanes"),
        "inner_and_outer": fold("13,5,30", "0,2", "5", "horner", "reduced dimensions on both sides of a kept one"),
        "middle": fold("20,9,33", "1", "20,33", "horner", "a reduced dimension between kept ones"),
        "sums": fold("3,300,9", "1", "3,9", "add", "exact sums with lanes outside and inside", "f32"),
        "pairs": seeded(["s32[3,2100]", "f32[3,2100]", "s32[]", "f32[]"],
                        "(s32[2100], f32[2100]) reduce(a, b, c, d), dimensions={0}, to_apply=pair",
                        "two arrays in steps over several pieces of lanes", [PAIR], last=(1, -2)),
    }


def windows():
    """reduce-window: more positions than a block has, and windows that are summed as they slide."""
    def fold(shape, result, window, reducer, reason, kind="s32", init=0):
        init = init if isinstance(init, tuple) else (init,)
        sample = seeded([f"{kind}[{shape}]", f"{kind}[]"],
                        f"{kind}[{result}] reduce-window(a, b), window={{{window}}}, to_apply={reducer}_{kind}", reason,
                        [horner(kind) if reducer == "horner" else combiner(reducer, kind, f"{reducer}_{kind}")])
        sample.arguments[1] = list(init)
        return sample

    samples = {
        "rows_cut": fold("2,100,97", "2,99,96", "size=1x2x2", "add", "blocks cut the middle dimension"),
        "first_cut": fold("100,97", "101,97", "size=2x3 pad=1_1x1_1", "add", "blocks cut the first dimension"),
        "one_long_row": fold("9001", "9000", "size=2", "add", "a row longer than a block"),
        "plain_rows": fold("5,3,700", "5,2,700", "size=1x2x1", "add", "rows of one cell"),
        "sums_of_rows": fold("2,100,97", "2,99,96", "size=1x2x2", "add", "exact sums, blocks cut the middle dimension",
                             "f32"),
        "pairs": seeded(["s32[9001]", "f32[9001]", "s32[]", "f32[]"],
                        "(s32[9000], f32[9000]) reduce-window(a, b, c, d), window={size=2}, to_apply=pair",
                        "two arrays in several blocks", [PAIR], last=(1, -2)),
        "slides": fold("2,150,2", "2,150,2", "size=1x131x1 pad=0_0x65_65x0_0", "add",
                       "a long window slides, between other dimensions", "f32", 0),
        "slides_apart": fold("400", "91", "size=130 stride=3", "add", "each step leaves three elements", "f32", 0.5),
        "slides_far": fold("700", "2", "size=200 stride=400", "add", "a step longer than the window", "f32", 0.5),
        "slides_over_padding": fold("150", "401", "size=150 pad=200_200", "add", "windows over padding alone", "f32",
                                    0),
        "slides_cropped": fold("300", "140", "size=150 pad=-3_-8", "add", "negative padding", "f32", 0),
        "slides_dilated": fold("200", "41", "size=290 stride=3 pad=5_7 lhs_dilate=2", "add",
                               "a base with holes under a long window", "f32", 0),
        "slides_not": fold("300", "42", "size=130 rhs_dilate=2", "add", "a long window with holes", "f32", 0.5),
        "slides_in_two": fold("130,3", "3,2", "size=128x2", "add", "a long window of two dimensions", "f32", 0.5),
        "slides_127": fold("200", "74", "size=127", "add", "just short of a window that slides", "f32", 0.5),
        "slides_128": fold("200", "73", "size=128", "add", "the shortest window that slides", "f32", 0.5),
        "slides_c64": fold("200,2", "71,2", "size=130x1", "add", "a long window of complex numbers", "c64", (0.5, -3)),
        "slides_bf16": fold("200", "71", "size=130", "add", "each sum is rounded once", "bf16", 0.5),
    }
    # Windows with more cells than the dilated base has places.
    for name, window, length in (("", "size=40 pad=45_30 lhs_dilate=3", 49),
                                 ("_strided", "size=40 stride=7 pad=33_30 lhs_dilate=4", 6),
                                 ("_far", "size=9 pad=40_40 lhs_dilate=5", 93),
                                 ("_cropped", "size=11 pad=-4_9 lhs_dilate=3", 8),
                                 ("_both", "size=20 pad=50_40 lhs_dilate=3 rhs_dilate=2", 65)):
        for reducer in ("horner", "maximum"):
            samples[f"wider_than_base{name}_{reducer}"] = fold("5", str(length), window, reducer,
                                                               "more cells than the dilated base has places")
    for size in (0, 1):
        samples[f"wider_than_{size}"] = fold(str(size), "140", f"size=131 pad={135 - size}_135 lhs_dilate=4", "add",
                                             "a long window over a base of one element or none", "f32", 0)
    return samples


def strides_and_dilations():
    """reduce-window: strides and base dilations with common divisors, so that a cell meets every other element."""
    samples = {}
    for stride, dilation in ((2, 4), (3, 6), (4, 6), (6, 4), (4, 10), (10, 4), (6, 15), (9, 6), (8, 12)):
        places = (4 - 1) * dilation + 1 + dilation + stride
        length = (places - 2 * 3) // stride + 1
        samples[f"{stride}_{dilation}"] = Sample(
            f"s32[4] s32[] -> s32[{length}]", f"window={{size=3 stride={stride} pad={dilation}_{stride} "
            f"lhs_dilate={dilation} rhs_dilate=3}}, to_apply=add_s32", [[1, 10, 100, 1000], [0]],
            computations=[combiner("add", "s32", "add_s32")],
            reason=f"stride {stride} over a base dilated by {dilation}")
    return samples


def sliding_specials(corpus):
    """reduce-window: numbers that are not finite enter a long window, and leave it."""
    kept, length = 130, 220
    places = {"nan": {20: NAN, 21: INF}, "infinities": {10: INF, 30: -INF, 60: INF, 170: -INF},
              "negative": {40: -INF}, "twice": {10: INF, 20: INF, 150: NAN, 151: NAN}}
    cases = []
    for name, special in places.items():
        values = [special.get(i, (i % 7) - 3.5) for i in range(length)]
        cases.append((name, "each result has what its window holds", values, [0.25]))
    zeros = [0.0 if i in (3, 100, 219) else -0.0 for i in range(length)]
    cases += [("zeros", "a sum of -0 alone is -0", zeros, [-0.0]), ("zero", "the start is 0", [-0.0] * length, [0.0]),
              ("negative_zeros", "no other zero", [-0.0] * length, [-0.0]),
              ("start", "an infinite start", [(i % 5) - 2.0 for i in range(length)], [-INF]),
              ("large", "each sum is exact: large numbers leave nothing behind",
               [1e38 if i % 50 == 7 else 2.0**-100 if i % 3 else -1e38 if i % 50 == 27 else 1.0 for i in range(length)],
               [0.0])]
    cases = [(name, reason, ["xfe967699" if v == -1e38 else "x7e967699" if v == 1e38 else v for v in values], start) for
             name, reason, values, start in cases]
    add_file(corpus, "reduce-window/long_window_specials", f"f32[{length}] f32[]",
             f"f32[{length - kept + 1}] reduce-window(a, b), window={{size={kept}}}, to_apply=add", *cases,
             computations=combiner("add", "f32"), tags="level2", oracle=ORACLE)


def sorts():
    """sort: comparators other than a plain comparison, so that runs are merged, in segments if they are long."""
    def by(name, lines, root, kinds):
        pairs = [f"  {letter} = {kinds[i // 2]}[] parameter({i})" for i, letter in enumerate("pqrs"[: 2 * len(kinds)])]
        return "\n".join([f"{name} {{", *pairs, *[f"  {line}" for line in lines], f"  ROOT z = pred[] {root}", "}"])

    remainder = by("remainder_below",
                   ["c = s32[] constant(5)", "x = s32[] remainder(p, c)", "y = s32[] remainder(q, c)"],
                   "compare(x, y), direction=LT", ["s32", "s32"])
    both = by("both_below",
              ["g = pred[] compare(p, q), direction=GT", "e = pred[] compare(p, q), direction=EQ",
               "l = pred[] compare(r, s), direction=LT", "t = pred[] and(e, l)"], "or(g, t)", ["s32", "s32"])

    def order(shape, dimension, computation, reason):
        name = computation.split(" ")[0]
        return seeded([f"s32[{shape}]"], f"(s32[{shape}], s32[{shape}]) sort(a, i), dimensions={{{dimension}}}, "
                      f"is_stable=true, to_apply={name}", reason, [computation],
                      [f"i = s32[{shape}] iota(), iota_dimension={dimension}"])

    return {
        "segments": order("2,700", 1, remainder, "merges of several segments; equal elements stay in order"),
        "segment": order("2,257", 1, remainder, "one element more than a segment"),
        "columns": order("300,2", 0, remainder, "segments of columns"),
        "both": order("5,450", 1, both, "by two operands, more merges than advance together"),
        "rows": order("1050,3", 1, both, "more rows than are merged together"),
        "reversed": seeded(["s32[700]"], "(s32[700], s32[700]) sort(i, a), dimensions={0}, is_stable=true, "
                           "to_apply=both_below", "in each merge all of the second run comes first", [both],
                           ["i = s32[700] iota(), iota_dimension=0"]),
    }


def convolutions():
    """convolution: windows with more cells than the dilated base has places."""
    def convolve(window, length, reason, kernel=40):
        return seeded(["f32[1,5,1]", f"f32[{kernel},1,2]"],
                      f"f32[1,{length},2] convolution(a, b), window={{{window}}}, dim_labels=b0f_0io->b0f", reason)

    return {
        "wider_than_base": convolve("size=40 pad=45_30 lhs_dilate=3", 49,
                                    "more cells than the dilated base has places"),
        "wider_than_base_strided": convolve("size=40 stride=7 pad=33_30 lhs_dilate=4", 6, "the same with a stride"),
        "wider_than_base_reversed": convolve("size=40 pad=45_30 lhs_dilate=3 rhs_reversal=1", 49, "the same reversed"),
        "wider_than_base_both": convolve("size=20 pad=50_40 lhs_dilate=3 rhs_dilate=2", 65, "both dilated", 20),
    }


def scatters():
    """scatter: so many updates of one element that they are in several pieces."""
    def scatter(reducer, reason, kind):
        body = ["i = s32[5000] iota(), iota_dimension=0", "c = s32[] constant(3)",
                "n = s32[5000] broadcast(c), dimensions={}", "j = s32[5000] remainder(i, n)"]
        return seeded([f"{kind}[3]", f"{kind}[5000]"], f"{kind}[3] scatter(a, j, b), update_window_dims={{}}, "
                      f"inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, "
                      f"to_apply={reducer}_{kind}", reason,
                      [horner(kind) if reducer == "horner" else combiner(reducer, kind, f"{reducer}_{kind}")], body)

    return {
        "one_sum": scatter("add", "the updates of an element are one sum, rounded once", "f32"),
        "in_order": scatter("horner", "the updates of an element come one after the other", "s32"),
        "rows": rows(),
        "rows_in_doubt": rows_in_doubt(),
    }


def rows():
    """Returns a scatter of so many rows that the updates of one are in two pieces."""
    body = ["i = s32[8300,1] iota(), iota_dimension=0", "c = s32[] constant(3)",
            "n = s32[8300,1] broadcast(c), dimensions={}", "j = s32[8300,1] remainder(i, n)"]
    return seeded(["f32[3,8]", "f32[8300,8]"], "f32[3,8] scatter(a, j, b), update_window_dims={1}, "
                  "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32",
                  "whole rows as updates", [combiner("add", "f32", "add_f32")], body)


def rows_in_doubt():
    """Returns a scatter of rows whose sums cancel, are ties, or are not finite."""
    large = 2.0**60
    own = [1, 0, -0.0, -0.0, 1, INF, NAN, large]
    first = [large, 3, -0.0, 0, 2.0**-24, 1, 1, 1]
    second = [-large, -3, -0.0, 0, 2.0**-60, -INF, 2, 2]
    third = [0.5, 0, -0.0, 0, 0, 5, 3, -large]
    return Sample("f32[2,8] f32[4,8]", "f32[2,8] scatter(a, i, b), update_window_dims={1}, inserted_window_dims={0}, "
                  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32",
                  [own + own, first + second + first + third], ["i = s32[4,1] constant({ {1}, {1}, {0}, {1} })"],
                  [combiner("add", "f32", "add_f32")], "rows whose sums cancel, are ties, or are not finite")


def all_reduces(corpus):
    """all-reduce: many devices, and arrays of several pieces."""
    for name, devices, size, reducer in (("many_devices", 9, 100, "add"), ("long", 2, 2100, "horner"),
                                         ("long_sum", 3, 2100, "add")):
        computation = horner() if reducer == "horner" else combiner(reducer, "s32", f"{reducer}_s32")
        text = (f"HloModule all_reduce_blocks, replica_count={devices}\n\n{computation}\n\nENTRY main {{\n"
                f"  x = s32[{size}] parameter(0)\n"
                f"  ROOT r = s32[{size}] all-reduce(x), replica_groups={{}}, to_apply={reducer}_s32\n}}")
        case = corpus.file(f"all-reduce/blocks_{name}", text, "all-reduce s32 level2", ORACLE, digests=True)
        case(name, f"{devices} devices with {size} elements each",
             *[f"s32[{size}] seeded {i + 1}" for i in range(devices)])
