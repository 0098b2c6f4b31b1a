"""Ops that fold by a computation: dimensions, each reducer, initial values other than the identity, several operands at
once."""

from golden.make.patterns import ascending, digits, exactly, factors, few, numbers_of, specials, wide_numbers
from golden.make.values import SECOND, Sample, behind, called, combiner, folder, repeated, several, template
from golden.witness.element_types import COMPLEX, FORMATS, is_float, limits, width_of

START = "a start that is no identity takes part once for each result"
DIGITS = "all digits of the type: nothing on the way is narrower"


def neutral(op, kind):
    """Returns the initial value that is the identity."""
    if kind in COMPLEX:
        return [0, 0] if op == "add" else [1, 0]
    if op in ("add", "or"):
        return [0]
    if op in ("multiply", "and"):
        return [-1 if kind == "s1" else 1]  # 1 and -1 are the same modulo 2.
    if is_float(kind):
        form, infinity = FORMATS[kind], "-inf" if op == "maximum" else "inf"
        words = [infinity if form.has_infinity else float(form.max_finite)]
        if not FORMATS[kind].has_infinity and op == "maximum":
            words = [2.0**-127] if kind == "f8e8m0fnu" else [-float(FORMATS[kind].max_finite)]
        return words
    low, high = (0, 1) if kind == "pred" else limits(kind)
    return [low if op == "maximum" else high]


def not_neutral(kind):
    """Returns an initial value that affects the result, and with which sums remain exact."""
    if kind in COMPLEX:
        return [1, -2]
    if is_float(kind):
        return [8 if kind == "f8e8m0fnu" else 1 if kind == "f4e2m1fn" else 1.5]
    return [-1 if kind == "s1" else 1]


def start(kind, _):
    """Returns the identity of the op that folds the type."""
    return neutral(folder(kind), kind)


def own_start(kind, _):
    """Returns an initial value that affects the result."""
    return not_neutral(kind)


def sums(operand, result, dimensions, reason, numbers=few, start=start, array="a", body=()):
    """Returns a template of reduce by the op that folds the type."""
    return template(f"{{k}}[{operand}] {{k}}[]",
                    f"{{k}}[{result}] {{op}}({array}, b), dimensions={{{dimensions}}}, to_apply={{f}}_{{k}}",
                    numbers, start, reason=reason, body=body)


def rows_of(kind):
    """Returns three rows of four for maximum and minimum: NaN, zeros of both signs, the type's ends."""
    if not is_float(kind):
        values = [0, 1] if kind == "pred" else list(range(limits(kind)[0], limits(kind)[1] + 1)) \
            if width_of(kind) <= 2 else wide_numbers(kind)
        return repeated(values, 12)
    words = specials(kind)
    zeros = [w for w in words if w in (0, "-0")] or exactly(kind, [2, 4])
    ends = [w for w in words if w not in ("nan", 0, "-0")]
    ordinary = exactly(kind, [1, -2, 0.5, 2])
    nan = ["nan"] if "nan" in words else ends[:1]
    return repeated(ordinary[:2] + nan + ordinary[2:], 4) + repeated(zeros, 4) + repeated(ends[::-1], 4)


def reduce_by(name):
    """Returns a template of reduce with one reducer."""

    def template(op, kind):
        called = {("multiply", "pred"): "and"}.get((name, kind), name)
        words, reason = factors(kind, 20), "each step multiplies, in any order"
        if called in ("maximum", "minimum"):
            words = rows_of(kind) + ascending(kind) + ascending(kind)[::-1]
            reason = "NaN, zeros of both signs, both ends, a row each; the result first and last"
        return Sample([f"{kind}[5,4]", f"{kind}[]"],
                      f"{kind}[5] {op}(a, b), dimensions={{1}}, to_apply={called}_{kind}",
                      [words, neutral(called, kind)], computations=[combiner(called, kind)], reason=reason)

    return template


def greatest_with_place(kind):
    """Returns a computation on two numbers with indices: the greater number, or for equal ones that with the lower
    index."""
    compared, lines, names = kind, [], "v, m"
    if kind in COMPLEX:
        compared = COMPLEX[kind]
        lines = [f"mr = {compared}[] real(m)", f"vr = {compared}[] real(v)"]
        names = "vr, mr"
    body = [f"m = {kind}[] parameter(0)", "i = s32[] parameter(1)", f"v = {kind}[] parameter(2)",
            "j = s32[] parameter(3)", *lines, f"g = pred[] compare({names}), direction=GT",
            f"e = pred[] compare({names}), direction=EQ", "l = pred[] compare(j, i), direction=LT",
            "t = pred[] and(e, l)", "c = pred[] or(g, t)", f"x = {kind}[] select(c, v, m)",
            "k = s32[] select(c, j, i)", f"ROOT r = ({kind}[], s32[]) tuple(x, k)"]
    return f"greatest_{kind} {{\n" + "\n".join(f"  {line}" for line in body) + "\n}"


def reduce_several(op, kind):
    """The greatest number and its index: ties go to the lower index."""
    words = few(kind, 4) + few(kind, 5)[len(few(kind, 1)):] + ascending(kind)
    start = neutral("maximum", kind) if kind not in COMPLEX else [-8, 0]
    return Sample([f"{kind}[3,4]", "s32[3,4]", f"{kind}[]", "s32[]"],
                  f"({kind}[3], s32[3]) {op}(a, b, c, d), dimensions={{1}}, to_apply=greatest_{kind}",
                  [words, [3, 1, 2, 0] * 3, start, [2**31 - 1]], computations=[greatest_with_place(kind)],
                  reason="the greatest and its place; of equal ones the lower place")


def step(kind, shape, carries=1):
    """Returns a step of scan: the output is the previous carry, the new carry the fold."""
    name, array = folder(kind), f"{kind}[{shape}]"
    lines = [f"x = {array} parameter(0)", f"y = {array} parameter(1)"]
    lines += [f"n = s32[{shape}] parameter(2)"] if carries == 2 else []
    lines += [f"z = {array} {name}(y, x)"]
    result = f"({array}, {array})"
    root = "tuple(y, z)"
    if carries == 2:
        lines += ["k = s32[] constant(1)", f"m = s32[{shape}] add(n, k)"]
        result, root = f"({array}, {array}, s32[])", "tuple(y, z, m)"
    text = "\n".join(f"  {line}" for line in [*lines, f"ROOT t = {result} {root}"])
    return f"step{carries if carries > 1 else ''}_{kind} {{\n{text}\n}}"


CHOSEN = called("chosen_{k}", "x:{k}[] p:pred[] y:{k}[]", "ROOT r = {k}[] select(p, x, y)")


def scan(operands, result, attributes, *values, reason, shape="", carries=1):
    """Returns a template of scan."""
    letters = ", ".join("abc"[: len(values)])
    called = f"to_apply=step{'' if carries == 1 else carries}_{{k}}"
    return template(operands, f"{result} {{op}}({letters}), {attributes}, {called}", *values, reason=reason,
                    computations=[lambda kind: step(kind, shape, carries)])


def classes():
    """Returns the templates by (op, class)."""
    return {
        ("reduce", "dimensions"): several(outer=sums("2,3,2", "3", "0,2", "the first and the last of three"),
                                          middle=sums("3,3,3", "3,3", "1", "the middle one of a cube")),
        ("reduce", "zero_sized"): several(start=sums("2,0", "2", "1", "no term: the start alone"),
                                          result=sums("2,0", "0", "0", "no result")),
        ("reduce", "layouts"): sums("3,2", "3", "1", "rows, whatever the order in memory", array="c",
                                    body=["c = {k}[3,2]{0,1} copy(a)"]),
        ("reduce", "init"): sums("3,2", "3", "1", START, start=own_start), ("reduce", "several"): reduce_several,
        ("reduce", "digits"): sums("2,4", "2", "1", DIGITS, digits),
        **{("reduce", name): reduce_by(name) for name in ("maximum", "minimum", "multiply")},
        ("map", "dimensions"): template(
            "{k}[3,2] {k}[3,2]", "{k}[3,2] {op}(a, b), dimensions={0,1}, to_apply=second_{k}", numbers_of,
            behind(numbers_of, 9), computations=[SECOND], reason="operand i is parameter i, over two dimensions"),
        ("map", "several"): template(
            "{k}[4] pred[4] {k}[4]", "{k}[4] {op}(a, b, c), dimensions={0}, to_apply=chosen_{k}", numbers_of,
            [1, 0, 0, 1], behind(numbers_of, 9), computations=[CHOSEN], reason="operands of two types"),
        ("scan", "dimensions"): scan(
            "{k}[2,3] {k}[2]", "({k}[2,3], {k}[2])", "dimensions={1}, num_carries=1", few,
            lambda kind, _: neutral(folder(kind), kind) * 2, shape="2",
            reason="along the second dimension; the output is what came before"),
        ("scan", "is_reverse"): scan("{k}[4] {k}[]", "({k}[4], {k}[])", "dimensions={0}, num_carries=1,"
                                     " is_reverse=true", few, start, reason="from the end"),
        ("scan", "num_carries"): scan("{k}[3] {k}[] s32[]", "({k}[3], {k}[], s32[])", "dimensions={0}, num_carries=2",
                                      few, start, [7], carries=2, reason="two carries, one of them counts"),
        ("scan", "init"): scan("{k}[3] {k}[]", "({k}[3], {k}[])", "dimensions={0}, num_carries=1", few, own_start,
                               reason="a start that is no identity goes through all steps"),
    }
