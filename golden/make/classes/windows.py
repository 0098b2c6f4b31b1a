"""reduce-window, select-and-scatter and convolution: each part of a window, one at a time, and groups."""

from golden.make.classes.folds import DIGITS, START, neutral, not_neutral, own_start, rows_of, start
from golden.make.classes.indices import BOTH
from golden.make.patterns import digits, factors, few, numbers_of
from golden.make.values import Sample, combiner, elements, folder, order, repeated, template
from golden.witness.element_types import COMPLEX, is_float, limits

REASONS = {
    "stride": "steps of two and of three", "pad": "low and high padding differ",
    "negative_pad": "elements fall off at one end, padding comes at the other",
    "base_dilation": "holes between elements", "window_dilation": "holes in the window",
    "window_reversal": "one of two dimensions backward",
}
# Windows of 2 by 2 on an array of 4 by 5: attributes, and the result's sizes.
PLACES = {
    "stride": ("stride=2x3", "2,2"), "pad": ("pad=1_0x0_2", "4,6"), "negative_pad": ("pad=-1_1x2_-2", "3,4"),
    "base_dilation": ("lhs_dilate=2x3", "6,12"), "window_dilation": ("rhs_dilate=2x3", "2,2"),
    "window_reversal": ("rhs_reversal=0x1", "3,4"),
}


def windows(operand, result, window, reason, numbers=few, start=start):
    """Returns a template of reduce-window by the op that folds the type."""
    return template(f"{{k}}[{operand}] {{k}}[]",
                    f"{{k}}[{result}] {{op}}(a, b), window={{{window}}}, to_apply={{f}}_{{k}}", numbers, start,
                    reason=reason)


def window_by(name):
    """Returns a template of reduce-window with one reducer."""

    def template(op, kind):
        fold = {("multiply", "pred"): "and"}.get((name, kind), name)
        words = factors(kind, 12) if fold in ("multiply", "and") else rows_of(kind)
        return Sample([f"{kind}[3,4]", f"{kind}[]"],
                      f"{kind}[3,3] {op}(a, b), window={{size=1x2}}, to_apply={fold}_{kind}",
                      [words, neutral(fold, kind)], computations=[combiner(fold, kind)],
                      reason="each step multiplies, in any order" if words == factors(kind, 12)
                      else "NaN, zeros of both signs, both ends")

    return template


# --- select-and-scatter -----------------------------------------------------------------------------------------------


def selects(shape, source, window, reason, direction="GE", fold=None, start=None, values=None):
    """Returns a template of select-and-scatter. `values`: of the operand, by default all different."""

    def template(op, kind):
        name = fold(kind) if fold else folder(kind)
        first = start(kind) if start else neutral(name, kind)
        counts = [elements(f"[{shape}]"), elements(f"[{source}]")]
        words = values(kind, counts[0]) if values else numbers_of(kind, counts[0])
        sources = factors(kind, counts[1]) if name in ("multiply", "and") else few(kind, counts[1])
        select = order(kind, direction).replace("order_", f"{direction.lower()}_")
        return Sample([f"{kind}[{shape}]", f"{kind}[{source}]", f"{kind}[]"], f"{kind}[{shape}] {op}(a, b, c), "
                      f"window={{{window}}}, select={direction.lower()}_{kind}, scatter={name}_{kind}",
                      [words, sources, first], computations=[select, combiner(name, kind)], reason=reason)

    return template


def equal_numbers(kind, count):
    """Returns two alternating numbers, the greater one three times."""
    low = [1, 0] if kind in COMPLEX else [0] if kind == "pred" else [1] if is_float(kind) else [limits(kind)[0]]
    high = [2, 0] if kind in COMPLEX else [1] if kind == "pred" else [2] if is_float(kind) else [limits(kind)[1]]
    return repeated(high + high + low + high, count * len(low))


def product_or_and(kind):
    """Returns another op that folds numbers of the type."""
    return "and" if kind == "pred" else "multiply"


SELECTS = {
    "stride": selects("5,7", "2,2", "size=2x2 stride=3x5", "steps of three and of five"),
    "pad": selects("4,3", "4,3", "size=3x2 pad=2_0x0_1", "padding is never chosen"),
    "select": selects("3,4", "2,3", "size=2x2", "the least of each window", direction="LE"),
    "scatter": selects("4", "3", "size=2", "another fold where an element is chosen twice", fold=product_or_and),
    "ties": selects("8", "2", "size=4 stride=4", "the first of equal ones stays", values=equal_numbers),
    "init": selects("5", "2", "size=2 stride=3", START, start=not_neutral),
}


# --- convolution ------------------------------------------------------------------------------------------------------


def convolution(operand, kernel, result, rest, reason, numbers=(few, factors)):
    """Returns a template of convolution."""
    return template(f"{{k}}[{operand}] {{k}}[{kernel}]", f"{{k}}[{result}] {{op}}(a, b), {rest}", *numbers,
                    reason=reason)


LABELS = "dim_labels=b01f_01io->b01f"
CONVOLUTIONS = {
    **{name: convolution("1,4,5,1", "2,2,1,1", f"1,{shape},1", f"window={{size=2x2 {part}}}, {LABELS}", REASONS[name])
       for name, (part, shape) in PLACES.items()},
    "dim_labels": convolution("2,4,3,2", "3,2,2,2", "3,2,2,3", "window={size=2x2}, dim_labels=f01b_o01i->01bf",
                              "features first, the kernel's outputs first, batches last but one"),
    "feature_group_count": convolution("1,3,4", "2,2,4", "1,2,4", "window={size=2}, dim_labels=b0f_0io->b0f,"
                                       " feature_group_count=2", "two groups of features"),
    "batch_group_count": convolution("4,3,1", "2,1,2", "2,2,2", "window={size=2}, dim_labels=b0f_0io->b0f,"
                                     " batch_group_count=2", "two groups of batches"),
    "digits": convolution("1,4,1", "3,1,1", "1,2,1", "window={size=3}, dim_labels=b0f_0io->b0f", DIGITS,
                          (digits, digits)),
    "zero_sized": convolution("1,3,0", "2,0,2", "1,2,2", "window={size=2}, dim_labels=b0f_0io->b0f",
                              "no feature: every sum is empty"),
}


def classes():
    """Returns the templates by (op, class)."""
    made = {("reduce-window", name): windows("4,5", shape, f"size=2x2 {part}", REASONS[name])
            for name, (part, shape) in PLACES.items() if name != "window_reversal"}
    made |= {("reduce-window", name): window_by(name) for name in ("maximum", "minimum", "multiply")}
    made |= {("select-and-scatter", name): make for name, make in SELECTS.items()}
    made |= {("convolution", name): make for name, make in CONVOLUTIONS.items()}
    return made | {
        # Without padding, which would have the same value.
        ("reduce-window", "init"): windows("4", "3", "size=2", START, start=own_start),
        ("reduce-window", "several"): template(
            "{k}[4] s32[4] {k}[] s32[]", "({k}[3], s32[3]) {op}(a, b, c, d), window={size=2}, to_apply=both_{k}", few,
            [4, 9, 1, -2], start, [-(2**31)], computations=[BOTH], reason="two operands, each its own way"),
        ("reduce-window", "degenerate"): windows("1,3,1", "1,2,1", "size=1x2x1", "dimensions of one element"),
        ("reduce-window", "digits"): windows("5", "3", "size=3", DIGITS, digits),
    }
