"""Goldens of select-and-scatter, scan, map, topk and the ops of run-time sizes."""

import math

from golden.make.modules import add_family, combiner, numbers
from golden.make.values import Sample, called

NAN, INF = float("nan"), float("inf")


def add_to(corpus):
    """Adds all files of this module."""
    add_family(corpus, "select-and-scatter/windows", select_and_scatter_samples())
    add_family(corpus, "scan/steps", scan_samples())
    add_family(corpus, "map/functions", map_samples())
    add_family(corpus, "topk/orders", topk_samples())
    add_family(corpus, "set-dimension-size/sizes", size_samples())
    add_family(corpus, "dynamic-reshape/sizes", reshape_samples())
    add_family(corpus, "dynamic-reshape/run_time_sizes", run_time_reshapes())
    add_family(corpus, "shuffle/rotations", shuffle_samples())


def select_and_scatter_samples():
    """select-and-scatter: windows, padding and ties."""
    def sample(shape, source, window, operand, values, start, reason, select="at_least", scatter="add", kind="f32",
               **more):
        direction = {"at_least": "GE", "at_most": "LE", "above": "GT"}[select]
        computations = [combiner("compare", kind, f"{select}_{kind}", f", direction={direction}"),
                        combiner(scatter, kind, f"{scatter}_{kind}")]
        return Sample(f"{kind}[{shape}] {kind}[{source}] {kind}[] -> {kind}[{shape}]",
                      f"window={{{window}}}, select={select}_{kind}, scatter={scatter}_{kind}",
                      [operand, values, [start]], computations=computations, reason=reason,
                      more={f"_{name}": [other, values, [start]] for name, other in more.items()})

    image = [7, 2, 5, 3, 10, 2, 3, 8, 9, 3, 4, 2, 1, 5, 7, 5, 6, 2, 0, 6, 2, 7, 2, 8]
    return {
        "overlap": sample("5", "4", "size=2", [1, 9, 2, 7, 7], [1, 2, 3, 4], 0, "an element chosen twice adds up",
                          nan=[1, NAN, 2, 7, 7], zeros=[0.0, -0.0, 0.0, -0.0, 0.0]),
        "image": sample("4,6", "2,2", "size=2x3 stride=2x3", image, [2, 6, 3, 1], 0, "windows side by side"),
        "image_overlap": sample("4,5", "2,2", "size=2x3 stride=2x2", image[:20], [2, 6, 3, 1], 0,
                                "one column in two windows: 2 + 6 where both choose it"),
        "padded": sample("4", "3", "size=3 stride=2 pad=1_2", [3, 1, 4, 1], [10, 20, 30], 0, "padding is never chosen"),
        "initial": sample("4", "2", "size=2 stride=2", [1, 2, 3, 4], [5, 6], 100, "where nothing is chosen"),
        "ties_first": sample("4", "2", "size=2 stride=2", [3, 3, 3, 3], [5, 6], 0, "the first of equal ones stays"),
        "ties_last": sample("4", "2", "size=2 stride=2", [3, 3, 3, 3], [5, 6], 0,
                            "a strict order moves on to the last of equal ones", select="above"),
        "least": sample("4", "2", "size=2 stride=2", [3, -3, INF, -INF], [5, 6], 0, "another order", select="at_most"),
        "dilated": sample("5", "1", "size=3 rhs_dilate=2", [1, 9, 2, 9, 3], [5], 0, "a window with holes"),
        "product": sample("4", "3", "size=2", [1, 9, 2, 7], [2, 3, 5], 1, "another fold", scatter="multiply"),
        "s32": sample("4", "3", "size=2", [1, 9, 2, 7], [2**31 - 1, 1, 5], 0, "sums wrap", kind="s32"),
    }


def scan_samples():
    """scan: directions and carries."""
    def step(name, kind, shape, lines, root):
        return (f"{name} {{\n  x = {kind}[{shape}] parameter(0)\n  y = {kind}[{shape}] parameter(1)\n" +
                "".join(f"  {line}\n" for line in lines) + f"  ROOT t = {root}\n}}")

    running = step("running", "f32", "", ["z = f32[] add(y, x)"], "(f32[], f32[]) tuple(z, z)")
    before = step("before", "s32", "", ["z = s32[] add(y, x)"], "(s32[], s32[]) tuple(y, z)")
    rows = step("rows", "f32", "3", ["z = f32[3] add(y, x)", "w = f32[3] multiply(z, x)"],
                "(f32[3], f32[3]) tuple(w, z)")
    most = step("most", "f32", "2", ["z = f32[2] maximum(y, x)"], "(f32[2], f32[2]) tuple(z, z)")
    two = called("two", "w:f32[] x:f32[] y:f32[] z:f32[]", "s = f32[] add(y, w)", "t = f32[] add(z, x)",
                 "ROOT r = (f32[], f32[], f32[], f32[]) tuple(s, t, s, t)")
    end = ", num_carries=1, is_associative=true, to_apply="

    def scan(parameters, result, attributes, *arguments, computation, reason):
        operands = ", ".join("abcd"[: len(parameters)])
        return Sample(parameters, f"{result} scan({operands}), {attributes}", list(arguments),
                      computations=[computation], reason=reason)

    return {
        "sum": scan(["f32[5]", "f32[]"], "(f32[5], f32[])", f"dimensions={{0}}{end}running", numbers(5), [0],
                    computation=running, reason="a running sum and the last one"),
        "sum_reverse": scan(["f32[5]", "f32[]"], "(f32[5], f32[])",
                            "dimensions={0}, num_carries=1, is_reverse=true, is_associative=true, to_apply=running",
                            numbers(5), [0], computation=running, reason="from the end"),
        "before": scan(["s32[4]", "s32[]"], "(s32[4], s32[])", f"dimensions={{0}}{end}before", numbers(4), [2**31 - 1],
                       computation=before, reason="what came before, wrapping"),
        "rows": scan(["f32[2,3]", "f32[3]"], "(f32[2,3], f32[3])", f"dimensions={{0}}{end}rows", numbers(6),
                     [1, 10, 100], computation=rows, reason="row by row, output and carry differ"),
        "columns": scan(["f32[2,4]", "f32[2]"], "(f32[2,4], f32[2])", f"dimensions={{1}}{end}most",
                        [1, NAN, 3, 4, -1, 5, 2, 9], [2, 2], computation=most, reason="along the last, NaN stays"),
        "two": scan(["f32[3]", "f32[3]", "f32[]", "f32[]"], "(f32[3], f32[3], f32[], f32[])",
                    "dimensions={0}, num_carries=2, is_associative=true, to_apply=two", [1, 2, 4], [8, 16, 32], [0],
                    [64], computation=two, reason="two running sums, each with a carry"),
        "none": scan(["f32[0]", "f32[]"], "(f32[0], f32[])", f"dimensions={{0}}{end}running", [], [7],
                     computation=running, reason="no step: the carry as it came"),
    }


def map_samples():
    """map."""
    mixed = called("mixed", "x:f32[] n:s32[]", "m = f32[] convert(n)", "ROOT y = f32[] multiply(x, m)")
    three = called("three", "x:s32[] y:s32[] z:s32[]", "p = s32[] multiply(x, y)", "ROOT r = s32[] add(p, z)")
    halved = called("halved", "x:f32[]", "h = f32[] constant(0.5)", "ROOT y = f32[] multiply(x, h)")
    nested = called("nested", "x:f32[]", "y = f32[] map(x), dimensions={}, to_apply=halved", "ROOT z = f32[] add(y, y)")
    seven = "seven {\n  x = s8[] parameter(0)\n  ROOT c = s8[] constant(7)\n}"
    return {
        "mixed": Sample("f32[3] s32[3] -> f32[3]", "dimensions={0}, to_apply=mixed", [[1.5, NAN, -0.0], [2, 3, -4]],
                        computations=[mixed], reason="operands of two types"),
        "three": Sample("s32[2,2] s32[2,2] s32[2,2] -> s32[2,2]", "dimensions={0,1}, to_apply=three",
                        [numbers(4), numbers(4, 5), numbers(4, -9)], computations=[three], reason="three operands"),
        "nested": Sample("f32[2] -> f32[2]", "dimensions={0}, to_apply=nested", [[3, -5]],
                         computations=[halved, nested], reason="a map in a map, with a constant"),
        "constant": Sample("s8[3] -> s8[3]", "dimensions={0}, to_apply=seven", [[1, 2, 3]], computations=[seven],
                           reason="a function that ignores its operand"),
        "scalar": Sample("f32[] -> f32[]", "dimensions={}, to_apply=halved", [[3]], computations=[halved],
                         reason="a scalar"),
        "empty": Sample("f32[0] -> f32[0]", "dimensions={0}, to_apply=halved", [[]], computations=[halved],
                        reason="no element"),
    }


def topk_samples():
    """topk: orders, ties and NaN."""
    def topk(kind, shape, k, values, reason, largest="true", **more):
        result = ",".join([*shape.split(",")[:-1], str(k)])
        return Sample(f"{kind}[{shape}] -> ({kind}[{result}], s32[{result}])", f"k={k}, largest={largest}", [values],
                      reason=reason, more={f"_{name}": [other] for name, other in more.items()})

    return {
        "f32": topk("f32", "6", 3, [1, 5, -2, 5, 3, 5], "equal ones in the order of their places",
                    nan=[1, NAN, INF, 2, NAN, -INF], zeros=[0.0, -0.0, 0.0, -0.0, -1, 0.0]),
        "f32_least": topk("f32", "6", 3, [1, -5, 2, -5, 3, -5], "the smallest first", "false",
                          nan=[1, "xffc00000", INF, 2, NAN, -INF]),
        "rows": topk("s32", "2,4", 2, [4, 1, 3, 2, -1, -2, -3, -4], "each row by itself"),
        "batch": topk("f32", "2,2,3", 1, numbers(12, -6), "two batch dimensions"),
        "all": topk("u8", "4", 4, [3, 255, 0, 255], "all of them: a sort"),
        "none": topk("f32", "2,3", 0, numbers(6), "none"),
        "s8_least": topk("s8", "4", 2, [-128, 127, 0, -128], "signed, smallest first", "false"),
        "f16": topk("f16", "4", 2, [1, INF, NAN, 65504], "NaN above infinity"),
    }


def size_samples():
    """set-dimension-size."""
    def static(name, size, reason, fold="add", start=0):
        return {name: Sample("f32[6] s32[] f32[]", f"f32[] reduce(d, c), dimensions={{0}}, to_apply={fold}_f32",
                             [[1, 2, 4, 8, 16, 32], [size], [start]], reason=reason,
                             body=["d = f32[<=6] set-dimension-size(a, b), dimensions={0}"],
                             computations=[combiner(fold, "f32", f"{fold}_f32")])}

    inner = Sample("s32[2,3] s32[] s32[]", "s32[2] reduce(d, c), dimensions={1}, to_apply=add_s32",
                   [numbers(6), [2], [0]], reason="the last dimension, each row cut",
                   body=["d = s32[2,<=3] set-dimension-size(a, b), dimensions={1}"],
                   computations=[combiner("add", "s32", "add_s32")])
    chain = Sample("f32[6] s32[] f32[]", "f32[] reduce(m, c), dimensions={0}, to_apply=maximum_f32",
                   [[1, -2, 4, 8, 16, 32], [3], [-INF]], reason="the size goes through element-wise ops",
                   body=["d = f32[<=6] set-dimension-size(a, b), dimensions={0}", "n = f32[<=6] negate(d)",
                         "m = f32[<=6] multiply(n, n)"], computations=[combiner("maximum", "f32", "maximum_f32")])
    return {**static("part", 4, "the first four"), **static("all", 6, "the bound"), **static("none", 0, "nothing"),
            **static("minimum", 3, "another fold", "minimum", INF), "inner": inner, "chain": chain}


def reshape_samples():
    """dynamic-reshape."""
    sizes = ["s32[]", "s32[]"]
    return {
        "split": Sample(["f32[6]", *sizes], "f32[2,3] dynamic-reshape(a, b, c)", [numbers(6), [2], [3]],
                        reason="row-major order stays"),
        "join": Sample("s8[2,3] s32[] -> s8[6]", "", [numbers(6), [6]], reason="row-major order stays"),
    }


def run_time_reshapes():
    """dynamic-reshape: run-time sizes on either side; a copy shows the elements inside of them."""
    def sample(bound, dimension, result, sizes, reason, **more):
        """Returns a Sample. `sizes`: that of the operand's dimension, then those of the result."""
        letters = "cdef"[: len(sizes) - 1]
        dynamic = [str(n) for n in bound]
        dynamic[dimension] = f"<={bound[dimension]}"
        values = numbers(math.prod(bound))
        return Sample([f"s32[{','.join(map(str, bound))}]"] + ["s32[]"] * len(sizes), f"{result} copy(w)",
                      [values, *[[size] for size in sizes]],
                      body=[f"v = s32[{','.join(dynamic)}] set-dimension-size(a, b), dimensions={{{dimension}}}",
                            f"w = {result} dynamic-reshape(v, {', '.join(letters)})"], reason=reason,
                      more={f"_{name}": [values, *[[size] for size in others]] for name, others in more.items()})

    return {
        "joined_rows": sample([4, 3], 0, "s32[<=12]", [2, 6], "two rows of four, in one dimension", none=[0, 0],
                              whole=[4, 12]),
        "joined_columns": sample([3, 4], 1, "s32[<=12]", [2, 6], "two columns of four, which have gaps between them",
                                 one=[1, 3]),
        "split_both": sample([16], 0, "s32[<=4,<=4]", [6, 2, 3], "rows of three in a bound of four", turned=[6, 3, 2],
                             row=[4, 1, 4], empty=[0, 3, 0]),
        "middle": sample([2, 3, 4], 1, "s32[2,<=12]", [2, 2, 8], "two of three rows, twice", one=[1, 2, 4]),
    }


def shuffle_samples():
    """shuffle."""
    def rotation(dimensions, shifts, reason):
        return Sample("s32[2,5] -> s32[2,5]", f"dimensions={{{dimensions}}}, mode=rotate, shifts={{{shifts}}}",
                      [numbers(10)], reason=reason)

    return {"one": rotation("1", "2", "toward the start"), "negative": rotation("1", "-2", "toward the end"),
            "past": rotation("1", "7", "modulo the size"), "both": rotation("0,1", "1,1", "two dimensions")}
