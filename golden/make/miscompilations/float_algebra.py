"""Identities of real numbers that floats do not have."""

from golden.make.miscompilations.forms import (
    ALL_FLOATS, FLOATS, INF, NAN, Program, bits, least, maximum, specials,
)  # fmt: skip


def one(name, reason, lines, values=specials, kinds=ALL_FLOATS, **more):
    """Returns a program of one operand."""
    return Program(name, reason, kinds, "x:T[10]", lines, lambda kind: [values(kind)], **more)


def two(name, reason, lines, values, kinds=FLOATS, count=6, fixed="y", **more):
    """Returns a program of two operands."""
    return Program(name, reason, kinds, f"x:T[{count}] y:T[{count}]", lines, values, fixed, **more)


def absorbed(kind):
    """Returns a small number that vanishes beside a large one, and infinities."""
    large = 2.0 ** bits(kind)
    return [[1, 3, large, 1, INF, -0.0], [large, large, -large, INF, INF, 0]]


def overflowing(kind):
    """Returns pairs whose product overflows or vanishes."""
    big = maximum(kind)
    return [[big, -big, 3, INF, 1, 0], [4, 2, 0, 2, INF, 0]]


def thirds(_):
    """Returns quotients that a product with the reciprocal misses in some type."""
    return [[1, 5, 7, 9, 10, 14, 21, 35], [3, 3, 10, 11, 7, 23, 49, 39]]


def huge_divisor(kind):
    """Returns the largest power of two: its reciprocal is subnormal."""
    top = 2.0 ** (-FORMAT_BIAS[kind])
    return [[top, -top, top * 1.5, 0, top / 2, INF], [top] * 6]


FORMAT_BIAS = {"f32": -127, "f64": -1023, "bf16": -127, "f16": -15}


def exponents(_):
    """Returns powers whose exponential is out of range, or exact."""
    return [NAN, INF, -INF, 0, -0.0, 16384, -16384, 0, 32768, -32768]


def bases(kind):
    """Returns bases at which a power is exact."""
    big = maximum(kind)
    return [NAN, INF, -INF, 0, -0.0, big, -big, 1, -2, 4]


ROOTS = [NAN, INF, -INF, 0, -0.0, -1, -4, 1, 4, 0.25]
PROGRAMS = [
    one("x_minus_x", "x - x is no zero for an infinity or NaN", "r = T subtract(x, x)"),
    one("x_times_zero", "x * 0 is NaN for an infinity, and -0 for what is negative",
        "z = T splat 0\nr = T multiply(x, z)"),
    one("x_over_x", "x / x is NaN for zeros and infinities", "r = T divide(x, x)"),
    one("zero_over_x", "0 / x has the sign of x, and is NaN for zeros", "z = T splat 0\nr = T divide(z, x)"),
    one("x_plus_zero", "-0 + 0 is +0", "z = T splat 0\nr = T add(x, z)"),
    one("x_plus_negative_zero", "sound: x + -0 is x", "z = T splat -0\nr = T add(x, z)"),
    one("x_minus_zero", "sound: x - 0 is x, -0 too", "z = T splat 0\nr = T subtract(x, z)"),
    one("zero_minus_x", "0 - x is no negation: 0 - 0 is +0", "z = T splat 0\nr = T subtract(z, x)"),
    one("negative_zero_minus_x", "sound: -0 - x is -x", "z = T splat -0\nr = T subtract(z, x)"),
    one("x_times_one", "sound: x * 1 is x", "o = T splat 1\nr = T multiply(x, o)"),
    one("x_times_minus_one", "sound: x * -1 is -x", "o = T splat -1\nr = T multiply(x, o)"),
    one("x_over_minus_one", "sound: x / -1 is -x", "o = T splat -1\nr = T divide(x, o)"),
    one("doubled_and_halved", "2 * x / 2 is infinite where 2 * x is",
        "c = T splat 2\nd = T multiply(x, c)\nr = T divide(d, c)"),
    one("doubled_by_sum_and_halved", "(x + x) * 0.5 is infinite where x + x is",
        "h = T splat 0.5\nd = T add(x, x)\nr = T multiply(d, h)"),
    one("negated_twice", "sound: --x is x", "n = T negate(x)\nr = T negate(n)"),
    one("abs_of_negation", "sound: |-x| is |x|", "n = T negate(x)\nr = T abs(n)"),
    one("abs_of_abs", "sound: ||x|| is |x|, of -0 and of NaN too", "n = T abs(x)\nr = T abs(n)"),
    one("abs_of_square", "sound for floats: |x * x| is x * x", "s = T multiply(x, x)\nr = T abs(s)"),
    one("square_of_abs", "sound: |x| * |x| is x * x", "a = T abs(x)\nr = T multiply(a, a)"),
    one("square_of_negation", "sound: -x * -x is x * x", "a = T negate(x)\nr = T multiply(a, a)"),
    one("sign_times_abs", "sound: sign(x) * |x| is x", "s = T sign(x)\na = T abs(x)\nr = T multiply(s, a)"),
    one("x_over_abs", "x / |x| is NaN, and no sign, for zeros and infinities", "a = T abs(x)\nr = T divide(x, a)"),
    one("sqrt_of_square", "openxla/xla#42732: sqrt(x * x) is |x| only while x * x is finite",
        "s = T multiply(x, x)\nr = T sqrt(s)", kinds=FLOATS),
    one("square_of_sqrt", "sqrt(x) * sqrt(x) is NaN below zero", "s = T sqrt(x)\nr = T multiply(s, s)", bases,
        kinds=FLOATS),
    one("x_times_rsqrt", "x * rsqrt(x) is NaN for zeros and infinity, where sqrt(x) is x",
        "s = T rsqrt(x)\nr = T multiply(x, s)", lambda _: ROOTS, kinds=FLOATS),
    one("log_of_exp", "log(exp(x)) is infinite where exp(x) overflows or vanishes",
        "e = T exponential(x)\nr = T log(e)", exponents, kinds=FLOATS),
    one("exp_of_log", "exp(log(x)) is NaN below zero", "l = T log(x)\nr = T exponential(l)",
        lambda _: [NAN, INF, -INF, 0, -0.0, -1, -2, 1, 1, -0.5], kinds=FLOATS),
    one("log_of_power_of_two", "jax#38100: log(2^x) / log(2) is infinite from x = 128 on (f32), no x",
        "c = T splat 2\np = T power(c, x)\nl = T log(p)\nr = T sign(l)",
        lambda kind: [NAN, INF, -INF, 0, -0.0, 128, 16384, -16384, 1, -1], kinds=FLOATS),
    one("log2_of_exp2", "jax#38100: log(2^x) overflows with 2^x", "c = T splat 2\np = T power(c, x)\nr = T log(p)",
        lambda kind: [NAN, INF, -INF, 0, -0.0, 16384, -16384, 16384, -16384, 0], kinds=FLOATS),
    one("power_two", "pow(x, 2) is x * x: infinite where that overflows", "c = T splat 2\nr = T power(x, c)", bases,
        kinds=FLOATS),
    one("power_three", "pow(x, 3) keeps the sign of -0 and -inf", "c = T splat 3\nr = T power(x, c)", bases,
        kinds=FLOATS),
    one("power_half", "pow(x, 0.5) is no sqrt: of -inf it is inf, of -0 it is +0", "c = T splat 0.5\nr = T power(x, c)",
        lambda _: ROOTS, kinds=FLOATS),
    one("power_minus_half", "pow(x, -0.5) is no rsqrt: of -inf it is 0, of -0 it is inf",
        "c = T splat -0.5\nr = T power(x, c)", lambda _: ROOTS, kinds=FLOATS),
    one("power_zero", "sound: pow(x, 0) is 1, of NaN too", "c = T splat 0\nr = T power(x, c)", kinds=FLOATS),
    one("power_one", "sound: pow(x, 1) is x", "c = T splat 1\nr = T power(x, c)", kinds=FLOATS),
    one("power_minus_one", "sound: pow(x, -1) is 1 / x, of zeros the infinity of their sign",
        "c = T splat -1\nr = T power(x, c)", lambda kind: [NAN, INF, -INF, 0, -0.0, 4, -2, 1, -1, 0.5], kinds=FLOATS),
    one("one_to_the_power", "sound: pow(1, x) is 1, for NaN too", "c = T splat 1\nr = T power(c, x)", kinds=FLOATS),
    one("reciprocal_twice", "1 / (1 / x) is not x: of 49 in f32",
        "o = T splat 1\ny = T divide(o, x)\nr = T divide(o, y)",
        lambda kind: [NAN, INF, -INF, 0, -0.0, 49, 41, -47, 55, 61], kinds=FLOATS),
    one("log_of_one_plus", "log(1 + x) is no log1p(x): 1 + x is rounded first",
        "o = T splat 1\ns = T add(o, x)\nr = T log(s)",
        lambda kind: [NAN, INF, -INF, 0, -0.0, -1, -2, 2.0 ** -bits(kind) / 2, -2.0 ** -bits(kind) / 4, -3],
        kinds=FLOATS),
    one("exp_minus_one", "exp(x) - 1 is no expm1(x): exp(x) is rounded first",
        "o = T splat 1\ns = T exponential(x)\nr = T subtract(s, o)",
        lambda kind: [NAN, INF, -INF, 0, -0.0, 16384, -16384, 2.0 ** -bits(kind) / 4, -2.0 ** -bits(kind) / 8, 0],
        kinds=FLOATS),
    one("logistic_by_hand", "1 / (1 + exp(-x)) at its limits",
        "o = T splat 1\nn = T negate(x)\ne = T exponential(n)\ns = T add(o, e)\nr = T divide(o, s)", exponents,
        kinds=FLOATS),
    one("softplus_by_hand", "log(1 + exp(x)) is infinite where exp(x) is",
        "o = T splat 1\ne = T exponential(x)\ns = T add(e, o)\nr = T log(s)",
        lambda _: [NAN, INF, -INF, 16384, -16384, 16384, -16384, INF, -INF, NAN], kinds=FLOATS),
    one("floor_of_x_plus_half", "floor(x + 0.5) is no rounding: the number below 0.5 becomes 1",
        "h = T splat 0.5\ns = T add(x, h)\nr = T floor(s)", lambda kind:
        [NAN, INF, -INF, 0, -0.0, 0.5 - 2.0 ** -(bits(kind) + 1), 2.0 ** (bits(kind) - 1) + 1, -0.5, 2.5, -2.5],
        kinds=FLOATS),
    one("ceil_of_negation", "sound: ceil(-x) is -floor(x), with the sign of zeros", "n = T negate(x)\nr = T ceil(n)",
        lambda kind: [NAN, INF, -INF, 0, -0.0, 0.5, -0.5, 1.5, -1.5, maximum(kind)], kinds=FLOATS),
    one("x_minus_floor", "x - floor(x) is NaN for infinities, and +0 for -0", "f = T floor(x)\nr = T subtract(x, f)",
        lambda kind: [NAN, INF, -INF, 0, -0.0, 0.5, -0.25, 1.5, -1.5, maximum(kind)], kinds=FLOATS),
    one("remainder_of_one", "x rem 1 is NaN for infinities, -0 for what is negative and whole",
        "o = T splat 1\nr = T remainder(x, o)", lambda kind: [NAN, INF, -INF, 0, -0.0, 2.5, -2.5, -3, 3, maximum(kind)],
        kinds=FLOATS),
    two("sum_minus_term", "(x + y) - y is x only where nothing is lost", "s = T add(x, y)\nr = T subtract(s, y)",
        absorbed),
    two("difference_plus_term", "(x - y) + y is x only where nothing is lost", "s = T subtract(x, y)\nr = T add(s, y)",
        absorbed),
    two("product_over_factor", "x * y / y is infinite where x * y is, and NaN for y = 0",
        "p = T multiply(x, y)\nr = T divide(p, y)", overflowing),
    two("quotient_times_divisor", "x / y * y is NaN for y = 0 and infinities",
        "q = T divide(x, y)\nr = T multiply(q, y)", overflowing),
    two("division_by_constant", "x / y is rounded once; x * (1 / y) twice", "r = T divide(x, y)", thirds, count=8),
    two("division_by_product", "x / y / y is no x / (y * y): that overflows", "q = T divide(x, y)\nr = T divide(q, y)",
        lambda kind:
        [[maximum(kind), 1, INF, 0, -maximum(kind), 9], [2.0 ** (7 if kind == "f16" else 63), 3, INF, 0, 2.0, 3]]),
    two("division_by_huge_power", "x / 2^k: the reciprocal is below the normal numbers, and may be flushed",
        "r = T divide(x, y)", huge_divisor),
    two("division_by_sqrt", "openxla/xla#46628, PR 40844: x / sqrt(y) is rounded twice, x * rsqrt(y) otherwise",
        "s = T sqrt(y)\nr = T divide(x, s)", lambda _: [[1, 5, 7, 10, 0, 3, -1, 9], [9, 9, 100, 49, 0, INF, 0, 81]],
        count=8),
    two("negated_difference", "-(x - y) is no y - x: of equal numbers it is -0",
        "d = T subtract(x, y)\nr = T negate(d)",
        lambda kind: [[1, 0, -0.0, INF, maximum(kind), 2], [1, 0, 0, INF, -maximum(kind), 5]]),
    two("minus_negation", "sound: x - -y is x + y", "n = T negate(y)\nr = T subtract(x, n)",
        lambda kind: [[1, 0, -0.0, INF, maximum(kind), -0.0], [1, 0, 0, INF, maximum(kind), -0.0]]),
    two("plus_negation", "sound: x + -y is x - y", "n = T negate(y)\nr = T add(x, n)",
        lambda kind: [[1, 0, -0.0, INF, maximum(kind), -0.0], [1, 0, 0, INF, maximum(kind), -0.0]]),
    two("exp_times_exp", "exp(x) * exp(y) is no exp(x + y): inf * 0 is NaN",
        "e = T exponential(x)\nf = T exponential(y)\nr = T multiply(e, f)",
        lambda _: [[16384, 0, 16384, -INF, NAN, -16384], [-16384, 0, 16384, INF, 0, -16384]]),
    two("exp_over_exp", "exp(x) / exp(y) is no exp(x - y): inf / inf is NaN",
        "e = T exponential(x)\nf = T exponential(y)\nr = T divide(e, f)",
        lambda _: [[16384, 0, -16384, INF, NAN, 0], [16384, 0, -16384, INF, 0, 16384]]),
    two("log_of_power", "tensorflow#57744: log(pow(x, y)) is no y * log(x): below zero the power decides",
        "p = T power(x, y)\nr = T log(p)", lambda _: [[-1.5, -1, -1, 0, 1, INF], [-1.5, 2, 3, 0, NAN, 0]]),
    two("log_of_product", "log(x * y) of two negative numbers is a number", "p = T multiply(x, y)\nr = T log(p)",
        lambda kind: [[-1, -1, 0, maximum(kind), -0.5, INF], [-1, 1, 5, 2, -2, 0]]),
    two("mean_by_sum", "(x + y) / 2 is infinite where x + y is", "h = T splat 2\ns = T add(x, y)\nr = T divide(s, h)",
        lambda kind:
        [[maximum(kind), -maximum(kind), 3, INF, 0, 1], [maximum(kind), -maximum(kind), 4, -INF, -0.0, -1]]),
    two("atan2_of_one", "atan2(x, 1) at its limits is no matter of x / 1", "r = T atan2(x, y)",
        lambda _: [[0, -0.0, NAN, 0, -0.0, 0], [1, 1, 1, INF, INF, 0]]),
    Program("reassociated_sum", "(x + y) + z in the order that is written", FLOATS, "x:T[5] y:T[5] z:T[5]",
            "s = T add(x, y)\nr = T add(s, z)", lambda kind:
            [[2.0 ** bits(kind), 1, maximum(kind), 1, -0.0], [1, 2.0 ** bits(kind), maximum(kind), -1, -0.0],
             [1, -2.0 ** bits(kind), -maximum(kind), INF, -0.0]], fixed="y z"),
    Program("reassociated_product", "(x * y) * z in the order that is written", FLOATS, "x:T[5] y:T[5] z:T[5]",
            "p = T multiply(x, y)\nr = T multiply(p, z)", lambda kind:
            [[maximum(kind), least(kind), 0, 3, -0.0], [2, least(kind), INF, 5, 1], [0.5, maximum(kind), 0, 7, -1]],
            fixed="y z"),
    Program("distributed", "openxla/xla#41579: x * y + x * z is rounded three times: neither x * (y + z) nor an fma",
            FLOATS, "x:T[5] y:T[5] z:T[5]", "p = T multiply(x, y)\nq = T multiply(x, z)\nr = T add(p, q)",
            lambda kind: [[1 + 2.0 ** (1 - bits(kind)), maximum(kind), 0, INF, 3],
                          [1 + 2.0 ** (1 - bits(kind)), 2, INF, 1, 5],
                          [-1 - 2.0 ** (1 - bits(kind)), -2, 1, -1, 7]], fixed="y z"),
    Program("product_plus_term", "openxla/xla#41579: x * y + z is rounded twice, an fma once", FLOATS,
            "x:T[5] y:T[5] z:T[5]", "p = T multiply(x, y)\nr = T add(p, z)", lambda kind:
            [[1 + 2.0 ** (1 - bits(kind)), maximum(kind), 0, -0.0, 3],
             [1 + 2.0 ** (1 - bits(kind)), 2, INF, 1, 5],
             [-1 - 2.0 ** (2 - bits(kind)), -maximum(kind), 1, 0, -15]], fixed="z"),
    Program("difference_of_products", "x * y - z * y of equal products is 0, and not what an fma leaves", FLOATS,
            "x:T[4] y:T[4]", "p = T multiply(x, y)\nq = T multiply(y, x)\nr = T subtract(p, q)",
            lambda kind: [[1 + 2.0 ** (1 - bits(kind)), 1 + 2.0 ** (2 - bits(kind)), 3, maximum(kind)],
                          [1 + 2.0 ** (1 - bits(kind)), 1 + 2.0 ** (1 - bits(kind)), 5, 2]], fixed="y"),
    Program("two_sum", "jax#23007: the error of a sum, by Knuth; 0 in a wider type or reassociated", FLOATS,
            "x:T[5] y:T[5]",
            "s = T add(x, y)\nb = T subtract(s, x)\na = T subtract(s, b)\nd = T subtract(x, a)\ne = T subtract(y, b)\n"
            "r = T add(d, e)", lambda kind:
            [[1, 2.0 ** bits(kind), -3, 0, 1],
             [2.0 ** -bits(kind), 1, 2.0 ** bits(kind), -0.0, -2.0 ** -(bits(kind) + 1)]], fixed="y"),
    Program("fast_two_sum", "jax#23007: the error of a sum, by Dekker; 0 in a wider type", FLOATS, "x:T[4] y:T[4]",
            "s = T add(x, y)\nb = T subtract(s, x)\nr = T subtract(y, b)", lambda kind:
            [[1, 2.0 ** bits(kind), 3, 2], [2.0 ** -bits(kind), 3, 2.0 ** -bits(kind), 2.0 ** (1 - bits(kind)) * 0.5]],
            fixed="y"),
    Program("split", "jax#23007: Dekker's split keeps the upper half of the bits; all of them if folded", FLOATS,
            "x:T[3] y:T[3]", "k = T multiply(x, y)\nd = T subtract(k, x)\nr = T subtract(k, d)",
            lambda kind: [[1 + 2.0 ** (1 - bits(kind)), 3 + 2.0 ** (2 - bits(kind)), -7.5],
                          [2.0 ** ((bits(kind) + 1) // 2) + 1] * 3], fixed="y"),
    Program("rounded_by_magic", "(x + c) - c rounds to a whole number", FLOATS, "x:T[6] y:T[6]",
            "s = T add(x, y)\nr = T subtract(s, y)",
            lambda kind: [[0.5, 1.5, 2.5, 3.25, 0.75, 1], [1.5 * 2.0 ** (bits(kind) - 1)] * 6], fixed="y"),
    Program("kahan", "jax#23007: a compensated sum of four numbers keeps what three of them lose", FLOATS,
            "a:T[2] b:T[2] c:T[2]",
            "s = T add(a, b)\nt = T subtract(s, a)\nk = T subtract(t, b)\ny = T subtract(c, k)\nr = T add(s, y)",
            lambda kind: [[2.0 ** bits(kind)] * 2, [1, 3], [1, 1]], fixed="b c"),
]
