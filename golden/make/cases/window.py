"""Goldens of reduce, reduce-window and convolution."""

from golden.make.modules import add_file, combiner, numbers
from golden.make.values import called

INF = float("inf")
NAN = float("nan")
START = {"add": 0, "multiply": 1, "maximum": -INF, "minimum": INF, "and": 1, "or": 0}


def add_to(corpus):
    """Adds all files of this module."""
    reduce_cases(corpus)
    reduce_window_cases(corpus)
    convolution_cases(corpus)


def reduce_cases(corpus):
    """reduce."""
    for dimensions, shape in (("0", "3"), ("1", "2"), ("0,1", "")):
        for kind in ("f32", "s32", "bf16"):
            add_file(corpus, f"reduce/{kind}_add_{dimensions.replace(',', '')}",
                     f"{kind}[2,3] {kind}[] -> {kind}[{shape}]", f"dimensions={{{dimensions}}}, to_apply=add",
                     ("small", "every order gives the same sum", numbers(6), [0]), computations=combiner("add", kind))
    for name in ("maximum", "minimum", "multiply"):
        add_file(corpus, f"reduce/f32_{name}", "f32[4] f32[] -> f32[]", f"dimensions={{0}}, to_apply={name}",
                 ("ordinary", "signs and fractions", [1, -2, 0.5, 4], [START[name]]),
                 ("nan", "NaN anywhere is the result", [1, NAN, 0.5, 4], [START[name]]),
                 ("infinities", "both infinities", [1, INF, -INF, 4], [START[name]]),
                 computations=combiner(name, "f32"))
    for name in ("and", "or"):
        add_file(corpus, f"reduce/pred_{name}", "pred[2,2] pred[] -> pred[2]", f"dimensions={{1}}, to_apply={name}",
                 ("table", "each row", [1, 1, 0, 1], [START[name]]), computations=combiner(name, "pred"))
    add_file(corpus, "reduce/s8_add_wrap", "s8[4] s8[] -> s8[]", "dimensions={0}, to_apply=add",
             ("wrap", "the sum wraps at the width", [100, 100, 100, 27], [0]), computations=combiner("add", "s8"))
    # A backend may fold the initial value any number of times, which does not change maximum and minimum.
    add_file(corpus, "reduce/f32_maximum_initial", "f32[3] f32[] -> f32[]", "dimensions={0}, to_apply=maximum",
             ("initial", "the initial value takes part", [1, -2, 4], [9]), computations=combiner("maximum", "f32"))
    add_file(corpus, "reduce/f32_maximum_empty", "f32[2,0] f32[] -> f32[2]", "dimensions={1}, to_apply=maximum",
             ("empty", "the initial value alone", [], [5]), computations=combiner("maximum", "f32"))
    add_file(corpus, "reduce/f32_add_none", "f32[2] f32[] -> f32[2]", "dimensions={}, to_apply=add",
             ("none", "no dimension: nothing to fold", [1, 2], [0]), computations=combiner("add", "f32"))
    add_file(corpus, "reduce/f32_add_specials", "f32[4] f32[] -> f32[]", "dimensions={0}, to_apply=add",
             ("infinities", "inf - inf is NaN", [1, INF, -INF, 4], [0]),
             ("nan", "NaN stays", [1, NAN, 2, 3], [0]),
             ("infinity", "one infinity", [1, -INF, 2, 3], [0]),
             ("negative-zeros", "a sum of -0 alone", [-0.0] * 4, [-0.0]), computations=combiner("add", "f32"))
    for kind in ("f32", "s32"):
        add_file(corpus, f"reduce/{kind}_add_long", f"{kind}[10000] {kind}[] -> {kind}[]",
                 "dimensions={0}, to_apply=add",
                 ("last", "one element that is not zero, past any block size", [0] * 9999 + [7], [0]),
                 ("ones", "a sum that counts", [1] * 10000, [0]), computations=combiner("add", kind))
    add_file(corpus, "reduce/f32_maximum_long", "f32[8193] f32[] -> f32[]", "dimensions={0}, to_apply=maximum",
             ("negative-zeros", "the initial value must not win", [-0.0] * 8193, [-INF]),
             ("nan-last", "NaN in the last place", [1] * 8192 + [NAN], [-INF]), computations=combiner("maximum", "f32"))
    argmax = called("argmax", "m:f32[] i:s32[] v:f32[] j:s32[]", "g = pred[] compare(v, m), direction=GT",
                    "e = pred[] compare(v, m), direction=EQ", "l = pred[] compare(j, i), direction=LT",
                    "t = pred[] and(e, l)", "c = pred[] or(g, t)", "x = f32[] select(c, v, m)",
                    "k = s32[] select(c, j, i)", "ROOT r = (f32[], s32[]) tuple(x, k)")
    add_file(corpus, "reduce/f32_argmax", "f32[2,4] s32[2,4] f32[] s32[] -> (f32[2], s32[2])",
             "dimensions={1}, to_apply=argmax",
             ("ties", "the first of equal maxima", [1, 5, 5, 2, -1, -1, -7, -1], [0, 1, 2, 3] * 2, [-INF],
              [2147483647]), computations=argmax)


def window(size, **parts):
    """Returns the attribute of a window."""
    return " ".join(["{size=" + size, *[f"{k}={v}" for k, v in parts.items() if v]]) + "}"


def reduce_window_cases(corpus):
    """reduce-window."""
    for name, length, size, parts, reason in (
        ("plain", 4, "3", {}, "every place"),
        ("stride", 2, "3", {"stride": "2"}, "every second place"),
        ("pad", 6, "3", {"pad": "1_1"}, "windows hang over the ends"),
        ("pad_stride", 3, "3", {"stride": "2", "pad": "0_1"}, "the last window hangs over"),
        ("negative_pad", 3, "2", {"pad": "-1_-1"}, "elements fall off before windows are laid"),
        ("base_dilation", 9, "3", {"lhs_dilate": "2"}, "holes between elements count as initial values"),
        ("window_dilation", 2, "3", {"rhs_dilate": "2"}, "the window has holes"),
        ("both_dilations", 3, "3", {"stride": "3", "pad": "1_0", "lhs_dilate": "2", "rhs_dilate": "2"}, "all at once"),
        ("one", 6, "1", {}, "a window of one element"),
        ("whole", 1, "6", {}, "a window over everything"),
    ):
        for kind, combine in (("f32", "add"), ("s32", "maximum"), ("f32", "minimum")):
            start = {"add": 0, "minimum": INF, "maximum": -(2**31)}[combine]
            add_file(corpus, f"reduce-window/{kind}_{combine}_{name}", f"{kind}[6] {kind}[] -> {kind}[{length}]",
                     f"window={window(size, **parts)}, to_apply={combine}",
                     ("places", reason, [3, -1, 4, 1, -5, 9], [start]), computations=combiner(combine, kind))
    add_file(corpus, "reduce-window/f32_add_matrix", "f32[3,4] f32[] -> f32[2,2]",
             "window={size=2x3 stride=1x2 pad=0_0x1_0}, to_apply=add",
             ("matrix", "two dimensions, each its own way", numbers(12), [0]), computations=combiner("add", "f32"))
    add_file(corpus, "reduce-window/f32_maximum_nan", "f32[4] f32[] -> f32[3]", "window={size=2}, to_apply=maximum",
             ("nan", "only windows that hold the NaN", [1, NAN, 3, 4], [-INF]), computations=combiner("maximum", "f32"))
    add_file(corpus, "reduce-window/f32_add_scan", "f32[5] f32[] -> f32[5]", "window={size=5 pad=4_0}, to_apply=add",
             ("scan", "a running sum", numbers(5), [0]), computations=combiner("add", "f32"))
    pair = called("both", "x:f32[] p:s32[] y:f32[] q:s32[]", "s = f32[] add(x, y)", "m = s32[] maximum(p, q)",
                  "ROOT t = (f32[], s32[]) tuple(s, m)")
    add_file(corpus, "reduce-window/f32_variadic", "f32[4] s32[4] f32[] s32[] -> (f32[3], s32[3])",
             "window={size=2}, to_apply=both",
             ("two", "two operands, each folded by its own op", [1, 2, 3, 4], [4, 9, 1, 1], [0], [0]),
             computations=pair)


def convolution_cases(corpus):
    """convolution."""
    line = "dim_labels=b0f_0io->b0f"
    for name, length, parts, reason in (
        ("plain", 4, {}, "every place"), ("stride", 2, {"stride": "2"}, "every second place"),
        ("pad", 6, {"pad": "1_1"}, "padded with zeros"), ("negative_pad", 2, {"pad": "-1_-1"}, "elements fall off"),
        ("low_negative", 5, {"pad": "-1_2"}, "off at one end, on at the other"),
        ("lhs_dilate", 9, {"lhs_dilate": "2"}, "zeros between elements"),
        ("rhs_dilate", 2, {"rhs_dilate": "2"}, "the kernel has holes"), ("reversed", 4, {"rhs_reversal": "1"},
        "mirrored"),
        ("all", 3, {"stride": "3", "pad": "2_0", "lhs_dilate": "2", "rhs_dilate": "2", "rhs_reversal": "1"}, "at once"),
    ):
        for kind in ("f32", "s32"):
            add_file(corpus, f"convolution/{kind}_{name}", f"{kind}[1,6,1] {kind}[3,1,1] -> {kind}[1,{length},1]",
                     f"window={window('3', **parts)}, {line}", ("line", reason, [1, 2, 3, 4, 5, 6], [1, 10, 100]))
    add_file(corpus, "convolution/f32_image", "f32[1,3,3,2] f32[2,2,2,2] -> f32[1,2,2,2]",
             "window={size=2x2}, dim_labels=b01f_01io->b01f",
             ("features", "two input and two output features", numbers(18), numbers(16, -8)))
    add_file(corpus, "convolution/f32_labels", "f32[2,1,3,3] f32[2,2,3,2] -> f32[1,3,2,2]",
             "window={size=2x2}, dim_labels=fb01_01oi->bf01",
             ("labels", "dimensions in another order", numbers(18), numbers(24, -11)))
    add_file(corpus, "convolution/f32_groups", "f32[1,3,4] f32[2,2,4] -> f32[1,2,4]",
             "window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=2",
             ("groups", "features in groups of two", numbers(12), numbers(16, -8)))
    add_file(corpus, "convolution/f32_depthwise", "f32[1,4,3] f32[2,1,6] -> f32[1,3,6]",
             "window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=3",
             ("depthwise", "each feature by itself, twice", numbers(12), numbers(12, -6)))
    add_file(corpus, "convolution/f32_batch_groups", "f32[4,3,1] f32[2,1,2] -> f32[2,2,2]",
             "window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=2",
             ("groups", "the batch in groups, one for each output feature", numbers(12), numbers(4, -2)))
    add_file(corpus, "convolution/s8_s32", "s8[1,4,2] s8[2,2,1] -> s32[1,3,1]",
             "window={size=2}, dim_labels=b0f_0io->b0f",
             ("wide", "products and sums past the range of s8", [127, -128] * 4, [127, -128, 127, -128]))
    add_file(corpus, "convolution/bf16_line", "bf16[1,4,1] bf16[2,1,1] -> bf16[1,3,1]",
             "window={size=2}, dim_labels=b0f_0io->b0f", ("small", "small integers", [1, 2, 3, 4], [1, -2]))
    add_file(corpus, "convolution/f32_point", "f32[2,3] f32[3,2] -> f32[2,2]", "dim_labels=bf_io->bf",
             ("matrix", "no spatial dimension: a matrix product", numbers(6), numbers(6, -2)))
