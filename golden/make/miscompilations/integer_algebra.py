"""Identities of whole numbers that integers of a width do not have: sums, products and quotients that wrap; shifts."""

from golden.make.miscompilations.forms import (
    INTEGERS, SIGNED, UNSIGNED, Program, ends, in_pairs, limits, with_literal,
)  # fmt: skip
from golden.witness.element_types import width_of


def one(name, reason, lines, kinds=INTEGERS, values=ends, **more):
    """Returns a program of one operand."""
    return Program(name, reason, kinds, "x:T[8]", lines, lambda *k: [values(k[0])], **more)


def pairs(kind):
    """Returns dividends with divisors: zero, one, minus one, and the ends."""
    low, high = limits(kind)
    minus = -1 if low else high
    return [[low, low, high, 7, 0, 5, low + 1, high], [minus, 0, minus, 2, 0, 7, 3, high]]


def factors(kind):
    """Returns factors whose product is out of range."""
    low, high = limits(kind)
    return [[low, high, high, 3, 0, 16, low, 11], [2, 2, high, 5, 0, 1 << (width_of(kind) - 5), low, 13]]


def two(name, reason, lines, kinds=INTEGERS, values=pairs, fixed="y", **more):
    """Returns a program of two operands."""
    return Program(name, reason, kinds, "x:T[8] y:T[8]", lines, lambda *k: values(k[0]), fixed, **more)


def amounts(kind):
    """Returns numbers with shift amounts: zero, the width less one, the width, half of it and beyond."""
    low, high = limits(kind)
    width = width_of(kind)
    return [[high, low, 1, high, 5, -1 if low else high, high // 3, 3],
            [0, width - 1, width, width // 2, 1, width // 2 + 1, width - 2, width]]


def shifted_twice(name, reason, op, other=None):
    """Returns a program of two successive shifts by the same amount or by a constant."""
    return two(name, reason, f"s = T {op}(x, y)\nr = T {other or op}(s, y)", values=amounts)


def powers(kind):
    """Returns divisors that are powers of two, up to the largest one."""
    low, high = limits(kind)
    top = 1 << (width_of(kind) - 2)
    return [[low, low, -7 if low else 7, -1 if low else 1, 7, high, low + 1, 0], [2, top, 2, 4, 4, top, 4, 8]]


def of_either_sign(kind):
    """Returns dividends and divisors of either sign."""
    low, _ = limits(kind)
    return [[-1, 7, -7, -8, 8, low, low, 0], [2, -2, 2, 2, -3, 3, -1, 5]]


def near_roots(kind):
    """Returns ends, and numbers whose squares are about the end of the range."""
    half = width_of(kind) // 2
    return [*ends(kind)[:6], 1 << (half - 1), (1 << half) - 3]


ALL_BITS = with_literal(lambda k: -1 if limits(k)[0] else limits(k)[1], INTEGERS)
LEAST = with_literal(lambda k: limits(k)[0], SIGNED)
TWICE_AS_WIDE = in_pairs(("s8", "s16"), ("u8", "u16"), ("s32", "s64"), ("u32", "u64"))
WIDER = in_pairs(("s8", "s32"), ("u8", "u32"), ("s32", "s64"), ("u32", "u64"))
PROGRAMS = [
    one("abs_of_integer_square", "tensorflow#118178, 120233: |x * x| is no x * x: the square wraps below zero",
        "s = T multiply(x, x)\nr = T abs(s)", SIGNED,
        near_roots),
    one("sqrt_like_bound", "max(x * x, 0) is no x * x: the square wraps below zero",
        "z = T splat 0\ns = T multiply(x, x)\nr = T maximum(s, z)", SIGNED,
        near_roots),
    one("doubled_and_halved_integer", "x * 2 / 2 is no x: x * 2 wraps",
        "c = T splat 2\nd = T multiply(x, c)\nr = T divide(d, c)"),
    one("tripled_and_divided", "x * 3 / 3 is no x: x * 3 wraps", "c = T splat 3\nd = T multiply(x, c)\n"
        "r = T divide(d, c)"),
    one("halved_and_doubled_integer", "x / 2 * 2 is no x: the division truncates",
        "c = T splat 2\nd = T divide(x, c)\nr = T multiply(d, c)"),
    one("incremented_and_decremented", "sound: x + 1 - 1 is x, wrapped or not",
        "c = T splat 1\nd = T add(x, c)\nr = T subtract(d, c)"),
    one("integer_negated_twice", "sound: --x is x, of MIN too", "d = T negate(x)\nr = T negate(d)"),
    one("abs_of_integer_negation", "sound: |-x| is |x|, of MIN too", "d = T negate(x)\nr = T abs(d)", SIGNED),
    one("integer_over_itself", "x / x is no 1: 0 / 0 is -1, all bits set", "r = T divide(x, x)"),
    one("integer_rem_itself", "x rem x is x - x, of 0 too", "r = T remainder(x, x)"),
    one("integer_over_minus_one", "x / -1 is -x, of MIN too", "c = T splat -1\nr = T divide(x, c)", SIGNED),
    one("integer_rem_minus_one", "x rem -1 is 0, of MIN too", "c = T splat -1\nr = T remainder(x, c)", SIGNED),
    one("zero_over_integer", "0 / x is no 0: 0 / 0 is -1, all bits set", "c = T splat 0\nr = T divide(c, x)"),
    one("integer_over_zero", "x / 0 is -1, all bits set", "c = T splat 0\nr = T divide(x, c)"),
    one("integer_rem_zero", "x rem 0 is x", "c = T splat 0\nr = T remainder(x, c)"),
    one("complement_plus_one", "sound: not x + 1 is -x", "c = T splat 1\nd = T not(x)\nr = T add(d, c)"),
    one("sum_with_complement", "sound: x + not x has all bits set", "d = T not(x)\nr = T add(x, d)"),
    one("and_of_one", "stablehlo#2633: and(x, 1) is the last bit, and no x", "c = T splat 1\nr = T and(x, c)"),
    one("or_of_one", "stablehlo#2633: or(x, 1) sets the last bit, and is no 1", "c = T splat 1\nr = T or(x, c)"),
    one("and_of_all_bits", "sound: and(x, all bits) is x", "c = T splat L\nr = T and(x, c)",
        ALL_BITS),
    one("or_of_all_bits", "sound: or(x, all bits) has all bits", "c = T splat L\nr = T or(x, c)",
        ALL_BITS),
    one("xor_of_all_bits", "sound: xor(x, all bits) is not x", "c = T splat L\nr = T xor(x, c)",
        ALL_BITS),
    one("xor_of_one", "xor(x, 1) changes the last bit, and is no not x", "c = T splat 1\nr = T xor(x, c)"),
    one("not_twice", "sound: not not x is x", "d = T not(x)\nr = T not(d)"),
    one("and_with_complement", "sound: x and not x is 0", "d = T not(x)\nr = T and(x, d)"),
    one("and_twice", "sound: (x and 12) and 10 is x and 8", "c = T splat 12\nd = T splat 10\ne = T and(x, c)\n"
        "r = T and(e, d)"),
    one("or_then_and", "(x or 12) and 10 is no x and 10", "c = T splat 12\nd = T splat 10\ne = T or(x, c)\nr = T "
            "and(e, d)"),
    one("lowest_bit", "x and -x is the lowest set bit, of MIN too", "d = T negate(x)\nr = T and(x, d)"),
    one("population_of_complement", "popcnt(not x) is the width less popcnt(x), also below zero",
        "d = T not(x)\nr = T popcnt(d)"),
    one("zeros_of_complement", "clz(not x) counts the leading ones of x", "d = T not(x)\nr = T count-leading-zeros(d)"),
    one("sign_times_integer_abs", "sound: sign(x) * |x| is x, of MIN too",
        "s = T sign(x)\na = T abs(x)\nr = T multiply(s, a)", SIGNED),
    one("integer_power_two", "sound: x ^ 2 is x * x, wrapped", "c = T splat 2\nr = T power(x, c)"),
    one("two_to_the_integer", "2 ^ x wraps to 0 past the width, and is no shift by a negative number",
        "c = T splat 2\nr = T power(c, x)", values=lambda k: [0, 1, 5, width_of(k) - 1, width_of(k), width_of(k) + 1,
        3, 2]),
    one("integer_power_zero", "sound: x ^ 0 is 1, of 0 too", "c = T splat 0\nr = T power(x, c)"),
    two("product_over_integer_factor", "x * y / y is no x: x * y wraps, and y may be 0",
        "p = T multiply(x, y)\nr = T divide(p, y)", values=factors),
    two("quotient_and_remainder", "sound: x / y * y + x rem y is x, for y = 0 and MIN / -1 too",
        "q = T divide(x, y)\nm = T remainder(x, y)\np = T multiply(q, y)\nr = T add(p, m)"),
    two("remainder_by_quotient", "sound: x - x / y * y is x rem y, for y = 0 and MIN / -1 too",
        "q = T divide(x, y)\np = T multiply(q, y)\nr = T subtract(x, p)"),
    two("negated_quotient", "-(x / y) is no x / -y: of MIN / -1 and of 0", "q = T divide(x, y)\nr = T negate(q)",
            SIGNED),
    two("quotient_of_negation", "-x / y is no -(x / y): -MIN is MIN", "n = T negate(x)\nr = T divide(n, y)", SIGNED),
    two("floor_divide", "jax#9604: floor division by the quotient, less one where signs differ and a rest is left",
        "q = T divide(x, y)\nm = T remainder(x, y)\nz = T splat 0\no = T splat 1\n"
        "a = pred compare(m, z), direction=NE\ns = T sign(x)\nt = T sign(y)\nb = pred compare(s, t), direction=NE\n"
        "c = pred and(a, b)\nd = T subtract(q, o)\nr = T select(c, d, q)", SIGNED,
        of_either_sign),
    two("floor_remainder", "jax#9604: the remainder with the divisor's sign",
        "m = T remainder(x, y)\nz = T splat 0\na = pred compare(m, z), direction=NE\n"
        "n = pred compare(m, z), direction=LT\no = pred compare(y, z), direction=LT\n"
        "b = pred compare(n, o), direction=NE\nc = pred and(a, b)\nd = T add(m, y)\nr = T select(c, d, m)", SIGNED,
        of_either_sign),
    two("division_by_power_of_two", "x / 2^k truncates toward zero, an arithmetic shift does not", "r = T divide(x, y)",
        values=powers),
    two("remainder_by_power_of_two", "x rem 2^k has the sign of x, x and 2^k - 1 has not", "r = T remainder(x, y)",
        values=powers),
    one("division_by_least", "x / MIN is 1 for MIN, else 0", "c = T splat L\nr = T divide(x, c)",
        LEAST),
    one("remainder_by_least", "x rem MIN is 0 for MIN, else x", "c = T splat L\nr = T remainder(x, c)",
        LEAST),
    one("divided_twice", "x / 16 / 16 is no x / 256, which is x / 0 in eight bits",
        "c = T splat 16\nd = T divide(x, c)\nr = T divide(d, c)"),
    one("remainder_twice", "x rem 6 rem 4 is no x rem 4", "c = T splat 6\nd = T splat 4\ne = T remainder(x, c)\n"
        "r = T remainder(e, d)"),
    one("multiplied_twice", "sound: x * 16 * 16 is x * 256, which is 0 in eight bits",
        "c = T splat 16\nd = T multiply(x, c)\nr = T multiply(d, c)"),
    two("integer_distributed", "sound: x * y + x * x is x * (y + x), wrapped",
        "p = T multiply(x, y)\nq = T multiply(x, x)\nr = T add(p, q)", values=factors),
    two("average_by_sum", "(x + y) / 2 wraps", "c = T splat 2\ns = T add(x, y)\nr = T divide(s, c)", values=factors),
    two("average_by_bits", "sound: (x and y) + ((x xor y) >> 1) does not wrap",
        "c = T splat 1\na = T and(x, y)\nb = T xor(x, y)\nd = T shift-right-logical(b, c)\nr = T add(a, d)",
        UNSIGNED, factors),
    two("sum_as_bits", "sound: (x xor y) + 2 * (x and y) is x + y", "a = T and(x, y)\nb = T xor(x, y)\nd = T add(a, "
            "a)\n"
        "r = T add(b, d)", values=factors),
    two("xor_by_difference", "sound: (x or y) - (x and y) is x xor y", "a = T and(x, y)\nb = T or(x, y)\n"
        "r = T subtract(b, a)", values=factors),
    two("xor_twice", "sound: x xor y xor y is x", "a = T xor(x, y)\nr = T xor(a, y)", values=factors),
    two("de_morgan", "sound: not (x and y) is not x or not y", "a = T and(x, y)\nr = T not(a)", values=factors),
    two("absorption", "sound: x and (x or y) is x", "a = T or(x, y)\nr = T and(x, a)", values=factors),
    shifted_twice("left_twice", "two shifts to the left are none by the sum, which may pass the width", "shift-left"),
    shifted_twice("right_twice", "two logical shifts to the right are none by the sum: it may pass the width or wrap",
                  "shift-right-logical"),
    shifted_twice("arithmetic_right_twice", "two arithmetic shifts to the right end in the sign",
                  "shift-right-arithmetic"),
    shifted_twice("left_and_right", "a shift to the left and back loses the upper bits", "shift-left",
                  "shift-right-logical"),
    shifted_twice("left_and_arithmetic_right", "a shift to the left and back extends the sign of what is left",
                  "shift-left", "shift-right-arithmetic"),
    shifted_twice("right_and_left", "a shift to the right and back loses the lower bits", "shift-right-logical",
                  "shift-left"),
    shifted_twice("arithmetic_then_logical", "the sign that the first shift brings is cut by the second",
                  "shift-right-arithmetic", "shift-right-logical"),
    two("shift_as_product", "x << y is no x * 2^y that is 0 past the width in another way",
        "c = T splat 2\np = T power(c, y)\nr = T multiply(x, p)", values=amounts),
    two("shift_of_one", "1 << y is 0 past the width", "c = T splat 1\nr = T shift-left(c, y)", values=amounts),
    two("mask_by_shift", "(1 << y) - 1 has all bits set where y is the width",
        "c = T splat 1\ns = T shift-left(c, y)\nm = T subtract(s, c)\nr = T and(x, m)", values=amounts),
    two("rotated", "a rotation by two shifts: by nothing it shifts by the width, which is 0",
        "w = T splat W\nn = T subtract(w, y)\na = T shift-left(x, y)\nb = T shift-right-logical(x, n)\nr = T or(a, b)",
        with_literal(width_of, UNSIGNED, "W"), amounts),
    two("shift_of_sum", "sound: (x + y) << 1 is (x << 1) + (y << 1)",
        "c = T splat 1\ns = T add(x, y)\nr = T shift-left(s, c)", values=factors),
    two("shifted_sum", "(x + y) >> 1 is no (x >> 1) + (y >> 1)", "c = T splat 1\ns = T add(x, y)\n"
        "r = T shift-right-arithmetic(s, c)", values=factors),
    one("sign_by_shift", "x >> width - 1 is 0 or all bits; of an unsigned number too if arithmetic",
        "w = T splat W\nr = T shift-right-arithmetic(x, w)",
        with_literal(lambda k: width_of(k) - 1, INTEGERS, "W")),
    one("abs_by_shift", "sound: (x xor s) - s with s = x >> width - 1 is |x|, of MIN too",
        "w = T splat W\ns = T shift-right-arithmetic(x, w)\na = T xor(x, s)\nr = T subtract(a, s)",
        with_literal(lambda k: width_of(k) - 1, SIGNED, "W")),
    Program("widened_product", "the upper half of a product is that of the wide one, and not of the wrapped one",
            TWICE_AS_WIDE,
            "x:T[8] y:T[8]", "a = U convert(x)\nb = U convert(y)\np = U multiply(a, b)\nw = U splat 16\n"
            "r = U shift-right-arithmetic(p, w)".replace("splat 16", "splat 4"), lambda t, _: factors(t), "y"),
    Program("narrow_product_widened", "a product that wraps before it is widened is not the wide product",
            TWICE_AS_WIDE,
            "x:T[8] y:T[8]", "p = T multiply(x, y)\nr = U convert(p)", lambda t, _: factors(t), "y"),
    Program("wide_sum_narrowed", "sound: the sum of the widened, narrowed, is the narrow sum",
            WIDER,
            "x:T[8] y:T[8]", "a = U convert(x)\nb = U convert(y)\ns = U add(a, b)\nr = T convert(s)",
            lambda t, _: factors(t), "y"),
    Program("wide_mean_narrowed", "the mean of the widened is not that of the narrow sum",
            WIDER,
            "x:T[8] y:T[8]", "a = U convert(x)\nb = U convert(y)\ns = U add(a, b)\nc = U splat 2\nd = U divide(s, c)\n"
            "r = T convert(d)", lambda t, _: factors(t), "y"),
    Program("predicates", "and, or, xor and not of predicates, by sums and products of them", ("pred",),
            "x:T[4] y:T[4]", "a = T and(x, y)\nb = T or(x, y)\nn = T not(a)\nc = T and(b, n)\nd = T xor(x, y)\n"
            "r = (pred[4], pred[4]) tuple(c, d)", [[0, 0, 1, 1], [0, 1, 0, 1]], "y"),
]
