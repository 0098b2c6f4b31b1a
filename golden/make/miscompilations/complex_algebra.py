"""Identities of complex numbers, on whole numbers, infinities and branch cuts."""

from golden.make.miscompilations.forms import INF, NAN, Program
from golden.make.values import called

KINDS = ("c64", "c128")
WHOLE = [3, 4, -3, 4, 0, -2, 5, -0.0, -0.0, 0]
LIMITS = [INF, NAN, NAN, -INF, INF, -INF, 0, INF, -INF, 0]


def one(name, reason, lines, values=(), more=None, kinds=KINDS):
    """Returns a program of one operand of five numbers; F is the type of its parts."""
    rows = tuple({"T": kind, "F": {"c64": "f32", "c128": "f64"}[kind]} for kind in kinds)
    return Program(name, reason, rows, "x:T[5]", lines, [list(values or WHOLE)], folds=False, more=more or {})


CONJUGATE = "a = F real(x)\nb = F imag(x)\nn = F negate(b)\nc = T complex(a, n)\n"
PROGRAMS = [
    one("complex_of_parts", "sound: a number of its own parts, NaN and zeros of both signs too",
        "a = F real(x)\nb = F imag(x)\nr = T complex(a, b)", more={"limits": [LIMITS]}),
    one("parts_of_complex", "the parts of a number made of other parts, changed over",
        "a = F real(x)\nb = F imag(x)\nc = T complex(b, a)\nd = F real(c)\ne = F imag(c)\nr = (F[5], F[5]) tuple(d, e)",
        more={"limits": [LIMITS]}),
    one("conjugated_twice", "sound: a conjugate of a conjugate", CONJUGATE
        + "d = F real(c)\ne = F imag(c)\nf = F negate(e)\nr = T complex(d, f)", more={"limits": [LIMITS]}),
    one("times_conjugate", "x times its conjugate: the imaginary part is 0, of either sign as the sum has it", CONJUGATE
        + "r = T multiply(x, c)"),
    one("square_by_parts", "(a + bi)(a + bi) of whole numbers", "s = T multiply(x, x)\na = F real(x)\nb = F imag(x)\n"
        "p = F multiply(a, a)\nq = F multiply(b, b)\nd = F subtract(p, q)\ne = F real(s)\nr = F subtract(d, e)"),
    one("abs_of_complex_square", "|x * x| of a real or imaginary number", "s = T multiply(x, x)\nr = F abs(s)",
        [3, 0, 0, -4, -2, 0, 0, 1, 0, 0]),
    one("abs_at_infinity", "C99, Annex G: |inf + NaN i| is inf", "r = F abs(x)", LIMITS),
    one("complex_minus_itself", "x - x of an infinity is NaN in that part alone", "r = T subtract(x, x)",
        [1, 2, -3, 4, 5, -0.0, 0, 0, 7, 8], {"limits": [LIMITS]}),
    one("complex_plus_zero", "x + 0 turns -0 to +0 in each part", "z = T[] constant((0, 0))\nb = T broadcast(z), "
        "dimensions={}\nr = T add(x, b)", more={"limits": [LIMITS]}),
    one("complex_negated_twice", "sound: --x is x", "n = T negate(x)\nr = T negate(n)", more={"limits": [LIMITS]}),
    one("complex_times_one", "sound for finite numbers: x * 1 is x", "o = T[] constant((1, 0))\nb = T broadcast(o), "
        "dimensions={}\nr = T multiply(x, b)", [3, 4, -3, 4, 2, -2, 5, 1, -7, -1]),
    one("complex_times_i", "x * i turns by a right angle", "o = T[] constant((0, 1))\nb = T broadcast(o), "
        "dimensions={}\nr = T multiply(x, b)", [3, 4, -3, 4, 2, -2, 5, 1, -7, -1]),
    one("complex_over_power_of_two", "x / 2 halves each part", "o = T[] constant((2, 0))\nb = T broadcast(o), "
        "dimensions={}\nr = T divide(x, b)", [3, 4, -3, 4, 2, -2, 5, 1, -7, -1]),
    one("complex_over_i", "x / i turns back by a right angle", "o = T[] constant((0, 1))\nb = T broadcast(o), "
        "dimensions={}\nr = T divide(x, b)", [3, 4, -3, 4, 2, -2, 5, 1, -7, -1]),
    one("complex_equal", "numbers are equal if both parts are: NaN is not, zeros of both signs are",
        "n = T negate(x)\nc = pred compare(x, x), direction=EQ\nd = pred compare(x, n), direction=EQ\n"
        "r = (pred[5], pred[5]) tuple(c, d)", more={"limits": [LIMITS]}),
    one("real_of_product", "the real part of a product of whole numbers", "a = T add(x, x)\np = T multiply(a, x)\n"
        "r = F real(p)"),
    one("imaginary_of_real", "the imaginary part of what was real is 0", "a = F real(x)\nc = T convert(a)\nr = F "
            "imag(c)",
        more={"limits": [LIMITS]}),
    one("sum_of_complex", "a sum of numbers is the sum of each part",
        "z = T[] constant((0, 0))\nr = T[] reduce(x, z), dimensions={0}, to_apply=add_T"),
]
PROGRAMS[-1].computations = called("add_T", "x:T[] y:T[]", "ROOT s = T[] add(x, y)")
