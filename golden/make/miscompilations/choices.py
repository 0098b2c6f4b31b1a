"""Comparisons, selects, minima and maxima on NaN, zeros of both signs and crossed bounds."""

from golden.make.miscompilations.forms import (
    ALL_FLOATS, FLOATS, FORMATS, INF, INTEGERS, NAN, SIGNED, UNSIGNED, Program, ends, in_pairs, limits,
    maximum, specials, with_literal,
)  # fmt: skip
from golden.make.values import called


def pairs(kind):
    """Returns pairs with NaN on either side, zeros of both signs, infinities, equal and unequal numbers."""
    big = maximum(kind)
    top = INF if FORMATS[kind].has_infinity else big
    return [[NAN, 1, NAN, 0, -0.0, top, -top, 2, big, -3], [1, NAN, NAN, -0.0, 0, top, 5, 2, -big, -1]]


def without_negative_zero(values):
    """Returns the values with -1 in place of -0. A backend may treat either zero as the larger one, and of several ops
    in sequence only the last one is judged with this freedom."""
    return lambda kind: [[-1 if str(x) == "-0.0" else x for x in row] if isinstance(row, list) else
                         -1 if str(row) == "-0.0" else row for row in values(kind)]  # fmt: skip


def crossed(kind):
    """Returns a number with bounds: inside, at them, NaN in each place, bounds that are crossed."""
    return [[1, -5, 8, NAN, 1, 1, 4, -1], [0, 0, 0, 0, NAN, 0, 6, 0], [6, 6, 6, 6, 6, NAN, 2, 0]]


def one(name, reason, lines, values=specials, kinds=ALL_FLOATS, count=10, **more):
    """Returns a program of one operand."""
    return Program(name, reason, kinds, f"x:T[{count}]", lines, lambda kind: [values(kind)], **more)


def two(name, reason, lines, kinds=ALL_FLOATS, values=pairs, count=10, fixed="y", **more):
    """Returns a program of two operands."""
    return Program(name, reason, kinds, f"x:T[{count}] y:T[{count}]", lines, values, fixed, **more)


def ends_in_pairs(kind):
    """Returns pairs of ends of an integer type: their differences and sums wrap."""
    low, high = limits(kind)
    return [[low, high, low, high, 0, 5, low + 1, 3], [high, low, 1, high, low, 5, high, high]]


def three_integers(kind):
    """Returns triples of integers: each operand has the largest and the least one, of either sign."""
    low, high = limits(kind)
    return [*ends_in_pairs(kind), [3, 5, -2, 0, high, low, 1, -1]]


def integer(name, reason, lines, kinds=INTEGERS, **more):
    """Returns a program of one operand of integers."""
    return one(name, reason, lines, ends, kinds, 8, **more)


def integers(name, reason, lines, kinds=INTEGERS, **more):
    """Returns a program of two operands of integers."""
    return two(name, reason, lines, kinds, ends_in_pairs, 8, **more)


def compare(direction, x="x", y="y", name="r"):
    """Returns a line that compares."""
    return f"{name} = pred compare({x}, {y}), direction={direction}"


PROGRAMS = [
    *[one(f"x_{d.lower()}_x", f"x {d} x is no constant: NaN is in no order with itself", compare(d, "x", "x"))
      for d in ("EQ", "NE", "LT", "LE", "GT", "GE")],
    *[two(f"not_{d.lower()}", f"not (x {d} y) is no opposite comparison where one is NaN",
          compare(d, name="c") + "\nr = pred not(c)") for d in ("LT", "LE", "GT", "GE", "EQ", "NE")],
    two("compare_of_negations", "sound: -x < -y is x > y", "n = T negate(x)\nm = T negate(y)\n" + compare("LT", "n",
            "m")),
    two("difference_below_zero", "x - y < 0 is no x < y: inf - inf is NaN", "d = T subtract(x, y)\nz = T splat 0\n"
        + compare("LT", "d", "z")),
    two("difference_is_zero", "x - y == 0 is no x == y: inf - inf is NaN", "d = T subtract(x, y)\nz = T splat 0\n"
        + compare("EQ", "d", "z")),
    one("abs_below_zero", "sound: |x| < 0 never holds", "a = T abs(x)\nz = T splat 0\n" + compare("LT", "a", "z")),
    one("abs_at_least_zero", "|x| >= 0 does not hold of NaN", "a = T abs(x)\nz = T splat 0\n" + compare("GE", "a",
            "z")),
    one("abs_above_minus_one", "|x| > -1 does not hold of NaN: ptxas of CUDA 12.9 to 13.5 says that it does",
        "a = T abs(x)\nz = T splat -1\n" + compare("GT", "a", "z")),
    one("square_at_least_zero", "x * x >= 0 does not hold of NaN",
        "a = T multiply(x, x)\nz = T splat 0\n" + compare("GE", "a", "z")),
    two("both_orders", "x <= y and x >= y is x == y, which NaN is to nothing",
        compare("LE", name="c") + "\n" + compare("GE", name="d") + "\nr = pred and(c, d)"),
    two("either_order", "x < y or x >= y does not hold where one is NaN",
        compare("LT", name="c") + "\n" + compare("GE", name="d") + "\nr = pred or(c, d)"),
    two("select_greater", "x > y ? x : y is no maximum: of a NaN in x it is y, in y it is y; of zeros y",
        compare("GT", name="c") + "\nr = T select(c, x, y)"),
    two("select_greater_or_equal", "x >= y ? x : y is no maximum: of NaN it is y; of equal zeros x",
        compare("GE", name="c") + "\nr = T select(c, x, y)"),
    two("select_less", "x < y ? x : y is no minimum", compare("LT", name="c") + "\nr = T select(c, x, y)"),
    two("select_less_or_equal", "x <= y ? x : y is no minimum", compare("LE", name="c") + "\nr = T select(c, x, y)"),
    two("select_less_reversed", "x < y ? y : x is no maximum: of NaN it is x",
        compare("LT", name="c") + "\nr = T select(c, y, x)"),
    two("select_equal", "x == y ? x : y is no y: of zeros it is x", compare("EQ", name="c") + "\nr = T select(c, x, "
            "y)"),
    two("select_not_equal", "x != y ? x : y is no x: of zeros it is y",
        compare("NE", name="c") + "\nr = T select(c, x, y)"),
    one("select_zero", "x == 0 ? 0 : x is +0 for -0", "z = T splat 0\n" + compare("EQ", "x", "z", "c")
        + "\nr = T select(c, z, x)"),
    one("select_nan_away", "x != x ? 0 : x", "z = T splat 0\n" + compare("NE", "x", "x", "c")
        + "\nr = T select(c, z, x)"),
    one("select_abs", "x < 0 ? -x : x is no |x|: -0 stays", "z = T splat 0\n" + compare("LT", "x", "z", "c")
        + "\nn = T negate(x)\nr = T select(c, n, x)"),
    one("select_abs_or_equal", "x >= 0 ? x : -x is no |x|: -0 stays", "z = T splat 0\n" + compare("GE", "x", "z", "c")
        + "\nn = T negate(x)\nr = T select(c, x, n)"),
    one("select_relu", "x > 0 ? x : 0 is no max(x, 0): of NaN it is 0",
        "z = T splat 0\n" + compare("GT", "x", "z", "c") + "\nr = T select(c, x, z)"),
    two("select_same", "sound: c ? x : x is x", compare("LT", name="c") + "\nr = T select(c, x, x)"),
    two("select_not", "sound: not c ? x : y is c ? y : x", compare("LT", name="c") + "\nn = pred not(c)\n"
        "r = T select(n, x, y)"),
    two("select_in_select", "c ? (c ? x : y) : -x", compare("LT", name="c") + "\ni = T select(c, x, y)\n"
        "n = T negate(x)\nr = T select(c, i, n)"),
    two("select_guards_division", "both sides are computed; the NaN of 0 / 0 is not chosen",
        "z = T splat 0\n" + compare("EQ", "y", "z", "c") + "\nq = T divide(x, y)\nr = T select(c, z, q)",
        values=lambda kind: [[0, 1, -1, INF, NAN, 6, 0, 8, -8, 4], [0, 0, 0, 0, 0, 2, 5, 4, 2, -0.0]], kinds=FLOATS),
    two("select_times_zero", "c * x as 1 or 0 times x is no c ? x : 0: 0 * inf is NaN",
        compare("GT", name="c") + "\nk = T convert(c)\nr = T multiply(k, x)"),
    two("predicate_select", "c ? true : false is c, c ? false : true is not c",
        compare("LE", name="c") + "\nt = pred splat true\nf = pred splat false\nd = pred select(c, f, t)\n"
        "r = (pred[10], pred[10]) tuple(d, c)"),
    one("maximum_of_same", "sound: max(x, x) is x", "r = T maximum(x, x)"),
    one("maximum_of_negative_infinity", "tensorflow#116992: max(x, -inf) is x, and NaN for NaN",
        "b = T splat -inf\nr = T maximum(x, b)", kinds=(*FLOATS, "f8e5m2")),
    one("minimum_of_infinity", "tensorflow#116992: min(x, inf) is x, and NaN for NaN",
        "b = T splat inf\nr = T minimum(x, b)", kinds=(*FLOATS, "f8e5m2")),
    one("maximum_of_infinity", "max(x, inf) is no constant: NaN stays", "b = T splat inf\nr = T maximum(x, b)",
        kinds=(*FLOATS, "f8e5m2")),
    one("minimum_of_negative_infinity", "min(x, -inf) is no constant: NaN stays", "b = T splat -inf\n"
        "r = T minimum(x, b)", kinds=(*FLOATS, "f8e5m2")),
    one("maximum_of_nan", "stablehlo#2887: max(x, NaN) is NaN", "b = T splat nan\nr = T maximum(x, b)"),
    one("minimum_of_nan", "stablehlo#2887: min(NaN, x) is NaN", "b = T splat nan\nr = T minimum(b, x)"),
    one("maximum_of_zero", "stablehlo#2891: max(x, 0) of -0 is +0, of NaN is NaN",
        "b = T splat 0\nr = T maximum(x, b)"),
    one("maximum_of_negative_zero", "max(x, -0) of +0 is +0", "b = T splat -0\nr = T maximum(b, x)"),
    one("minimum_of_zero", "stablehlo#2891: min(x, 0) of -0 is -0", "b = T splat 0\nr = T minimum(b, x)"),
    one("relu6", "tensorflow#119628: min(max(x, 0), 6) of NaN is NaN",
        "z = T splat 0\ns = T splat 6\nm = T maximum(x, z)\nr = T minimum(m, s)", without_negative_zero(specials)),
    one("hard_sigmoid", "relu6(x + 3) / 4, of NaN and infinities",
        "z = T splat 0\ns = T splat 6\nh = T splat 3\nq = T splat 4\na = T add(x, h)\nm = T maximum(a, z)\n"
        "n = T minimum(m, s)\nr = T divide(n, q)"),
    two("maximum_of_maximum", "sound: max(x, max(y, x)) is max(x, y)", "m = T maximum(y, x)\nr = T maximum(x, m)"),
    two("minimum_of_maximum", "min(max(x, y), y) is no y: NaN in x stays", "m = T maximum(x, y)\nr = T minimum(m, y)",
        values=without_negative_zero(pairs)),
    two("maximum_of_minimum", "max(min(x, y), x) is no x: NaN in y stays", "m = T minimum(x, y)\nr = T maximum(m, x)",
        values=without_negative_zero(pairs)),
    two("negated_maximum", "sound: max(-x, -y) is -min(x, y)", "n = T negate(x)\nm = T negate(y)\nr = T maximum(n, m)"),
    two("sum_of_extremes", "max(x, y) + min(x, y) is NaN where one is, or of opposite infinities",
        "m = T maximum(x, y)\nn = T minimum(x, y)\nr = T add(m, n)", kinds=FLOATS, values=without_negative_zero(pairs)),
    Program("bounded_above_first", "PR openxla/xla#22950: max(min(x, h), l) is no clamp where the bounds are crossed: "
            "l "
            "wins", ALL_FLOATS, "x:T[8] l:T[8] h:T[8]", "m = T minimum(x, h)\nr = T maximum(m, l)", crossed, "l h"),
    Program("bounded_below_first", "PR openxla/xla#22950: min(max(x, l), h), which is clamp: h wins", ALL_FLOATS,
            "x:T[8] l:T[8] h:T[8]", "m = T maximum(x, l)\nr = T minimum(m, h)", crossed, "l h"),
    Program("clamp_of_clamp", "clamp(clamp(x)) by the same bounds, crossed and NaN too", ALL_FLOATS,
            "x:T[8] l:T[8] h:T[8]", "m = T clamp(l, x, h)\nr = T clamp(l, m, h)", crossed, "l h"),
    Program("maximum_of_clamp", "max(clamp(l, x, h), l) is no clamp where the bounds are crossed", ALL_FLOATS,
            "x:T[8] l:T[8] h:T[8]", "m = T clamp(l, x, h)\nr = T maximum(m, l)", crossed, "l h"),
    integer("maximum_of_least", "sound: max(x, MIN) is x", "b = T splat L\nr = T maximum(x, b)",
            kinds=with_literal(lambda k: limits(k)[0], INTEGERS)),
    integer("minimum_of_most", "sound: min(x, MAX) is x", "b = T splat L\nr = T minimum(x, b)",
            kinds=with_literal(lambda k: limits(k)[1], INTEGERS)),
    integers("integer_difference_below_zero", "x - y < 0 is no x < y: the difference wraps",
             "d = T subtract(x, y)\nz = T splat 0\n" + compare("LT", "d", "z")),
    integers("integer_difference_is_zero", "sound: x - y == 0 is x == y, wrapped or not",
             "d = T subtract(x, y)\nz = T splat 0\n" + compare("EQ", "d", "z")),
    integers("sum_below_term", "x + y < x is how an overflow shows, and no y < 0",
             "s = T add(x, y)\n" + compare("LT", "s", "x")),
    integer("successor_is_greater", "x + 1 > x is no constant: it wraps",
            "o = T splat 1\ns = T add(x, o)\n" + compare("GT", "s", "x")),
    integer("predecessor_is_less", "x - 1 < x is no constant: it wraps",
            "o = T splat 1\ns = T subtract(x, o)\n" + compare("LT", "s", "x")),
    integer("moved_bound", "x + 1 < 5 is no x < 4: x + 1 wraps",
            "o = T splat 1\nf = T splat 5\ns = T add(x, o)\n" + compare("LT", "s", "f")),
    integer("doubled_bound", "2 * x < 10 is no x < 5: 2 * x wraps",
            "o = T splat 2\nf = T splat 10\ns = T multiply(x, o)\n" + compare("LT", "s", "f")),
    integer("integer_abs_at_least_zero", "|MIN| is MIN, below zero", "a = T abs(x)\nz = T splat 0\n"
            + compare("GE", "a", "z"), kinds=SIGNED),
    integer("integer_square_at_least_zero", "tensorflow#118178: x * x wraps below zero",
            "a = T multiply(x, x)\nz = T splat 0\n" + compare("GE", "a", "z"), kinds=SIGNED),
    integers("compare_of_integer_negations", "-x < -y is no x > y: -MIN is MIN",
             "n = T negate(x)\nm = T negate(y)\n" + compare("LT", "n", "m"), kinds=SIGNED),
    integers("negated_integer_maximum", "max(-x, -y) is no -min(x, y): -MIN is MIN",
             "n = T negate(x)\nm = T negate(y)\nr = T maximum(n, m)", kinds=SIGNED),
    *[Program(f"{op}_of_three_negations", "ptxas of CUDA 12.9 and 13.0 loses the second sign", SIGNED,
              "x:T[8] y:T[8] z:T[8]", f"n = T negate(x)\nm = T negate(y)\nk = T negate(z)\na = T {op}(n, m)\n"
              f"r = T {op}(a, k)", three_integers, "z") for op in ("maximum", "minimum")],
    integer("unsigned_below_zero", "sound: nothing unsigned is below 0", "z = T splat 0\n" + compare("LT", "x", "z"),
            kinds=UNSIGNED),
    integer("range_by_one_comparison", "x >= 3 and x <= 5 by one unsigned comparison of x - 3, which wraps",
            "l = T splat 3\nh = T splat 5\nw = T splat 2\n" + compare("GE", "x", "l", "a") + "\n"
            + compare("LE", "x", "h", "b") + "\nc = pred and(a, b)\nd = T subtract(x, l)\n"
            + compare("LE", "d", "w", "e") + "\nr = (pred[8], pred[8]) tuple(c, e)"),
    Program("signed_as_unsigned", "a comparison of the converted numbers is unsigned",
            in_pairs(*zip(SIGNED, UNSIGNED)), "x:T[8] y:T[8]",
            "a = U convert(x)\nb = U convert(y)\n" + compare("LT", "a", "b"), lambda t, _: ends_in_pairs(t), "y"),
    Program("unsigned_as_signed", "a comparison of the converted numbers is signed",
            in_pairs(*zip(UNSIGNED, SIGNED)), "x:T[8] y:T[8]",
            "a = U convert(x)\nb = U convert(y)\n" + compare("LT", "a", "b"), lambda t, _: ends_in_pairs(t), "y"),
    Program("equal_and_all", "openxla/xla#9431: all(x == y) of s8 with one side constant",
            ("s8", "u8", "s32"), "x:T[8] y:T[8]", compare("EQ", name="c") + "\nt = pred[] constant(true)\n"
            "r = pred[] reduce(c, t), dimensions={0}, to_apply=both", [[0, 1, 2, 3, 4, 5, 6, 7]] * 2, "y",
            called("both", "p:pred[] q:pred[]", "ROOT s = pred[] and(p, q)"),
            more={"one_differs": [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 8]]}),
]
