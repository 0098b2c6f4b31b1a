"""Ops that fold by a computation: dimensions, each reducer, initial values other than the identity, several operands at
once."""

from golden.make.patterns import ascending, digits, exactly, factors, few, numbers_of, specials, wide_numbers
from golden.make.values import Sample, combiner, repeated
from golden.witness.element_types import COMPLEX, FORMATS, is_float, limits, width_of

START = "a start that is no identity takes part once for each result"
DIGITS = "all digits of the type: nothing on the way is narrower"


def folder(kind):
    """Returns an op that folds numbers of the type, in any order."""
    return "or" if kind == "pred" else "maximum" if kind == "f8e8m0fnu" else "add"


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


def reduce_dimensions(op, kind):
    """Some of three dimensions, of sizes that all differ and of equal ones."""
    name = folder(kind)
    call = f"to_apply={name}_{kind}"
    start, computations = neutral(name, kind), [combiner(name, kind)]
    return {
        "outer": Sample([f"{kind}[2,3,2]", f"{kind}[]"], f"{kind}[3] {op}(a, b), dimensions={{0,2}}, {call}",
                        [few(kind, 12), start], computations=computations, reason="the first and the last of three"),
        "middle": Sample([f"{kind}[3,3,3]", f"{kind}[]"], f"{kind}[3,3] {op}(a, b), dimensions={{1}}, {call}",
                         [few(kind, 27), start], computations=computations, reason="the middle one of a cube"),
    }


def reduce_none(op, kind):
    """An initial value only, and an empty result."""
    name = folder(kind)
    call = f"to_apply={name}_{kind}"
    return {
        "start": Sample([f"{kind}[2,0]", f"{kind}[]"], f"{kind}[2] {op}(a, b), dimensions={{1}}, {call}",
                        [[], neutral(name, kind)], computations=[combiner(name, kind)],
                        reason="no term: the start alone"),
        "result": Sample([f"{kind}[2,0]", f"{kind}[]"], f"{kind}[0] {op}(a, b), dimensions={{0}}, {call}",
                         [[], neutral(name, kind)], computations=[combiner(name, kind)], reason="no result"),
    }


def reduce_layouts(op, kind):
    """An array in column-major layout."""
    name = folder(kind)
    return Sample([f"{kind}[3,2]", f"{kind}[]"], f"{kind}[3] {op}(c, b), dimensions={{1}}, to_apply={name}_{kind}",
                  [few(kind, 6), neutral(name, kind)], body=[f"c = {kind}[3,2]{{0,1}} copy(a)"],
                  computations=[combiner(name, kind)], reason="rows, whatever the order in memory")


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


def reduce_init(op, kind):
    """A sum whose initial value affects the result."""
    name = folder(kind)
    return Sample([f"{kind}[3,2]", f"{kind}[]"], f"{kind}[3] {op}(a, b), dimensions={{1}}, to_apply={name}_{kind}",
                  [few(kind, 6), not_neutral(kind)], computations=[combiner(name, kind)], reason=START)


def reduce_digits(op, kind):
    """Sums of numbers that are not small; in pred of few numbers."""
    name = folder(kind)
    return Sample([f"{kind}[2,4]", f"{kind}[]"], f"{kind}[2] {op}(a, b), dimensions={{1}}, to_apply={name}_{kind}",
                  [digits(kind, 8), neutral(name, kind)], computations=[combiner(name, kind)], reason=DIGITS)


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


# --- map and scan -----------------------------------------------------------------------------------------------------


def map_dimensions(op, kind):
    """The second of two operands, over two dimensions."""
    second = f"second_{kind} {{\n  x = {kind}[] parameter(0)\n  ROOT y = {kind}[] parameter(1)\n}}"
    one, other = numbers_of(kind, 6), numbers_of(kind, 15)[9 * len(numbers_of(kind, 1)):]
    return Sample([f"{kind}[3,2]"] * 2, f"{kind}[3,2] {op}(a, b), dimensions={{0,1}}, to_apply=second_{kind}",
                  [one, other], computations=[second], reason="operand i is parameter i, over two dimensions")


def map_several(op, kind):
    """Operands of two types."""
    chosen = (f"chosen_{kind} {{\n  x = {kind}[] parameter(0)\n  p = pred[] parameter(1)\n  y = {kind}[] parameter(2)\n"
              f"  ROOT r = {kind}[] select(p, x, y)\n}}")
    one, other = numbers_of(kind, 4), numbers_of(kind, 13)[9 * len(numbers_of(kind, 1)):]
    return Sample([f"{kind}[4]", "pred[4]", f"{kind}[4]"], f"{kind}[4] {op}(a, b, c), dimensions={{0}},"
                  f" to_apply=chosen_{kind}", [one, [1, 0, 0, 1], other], computations=[chosen],
                  reason="operands of two types")


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


def scan_dimensions(op, kind):
    """A scan along the second of two dimensions."""
    return Sample([f"{kind}[2,3]", f"{kind}[2]"],
                  f"({kind}[2,3], {kind}[2]) {op}(a, b), dimensions={{1}}, num_carries=1, to_apply=step_{kind}",
                  [few(kind, 6), neutral(folder(kind), kind) * 2], computations=[step(kind, "2")],
                  reason="along the second dimension; the output is what came before")


def scan_reverse(op, kind):
    """A scan from the end."""
    return Sample([f"{kind}[4]", f"{kind}[]"], f"({kind}[4], {kind}[]) {op}(a, b), dimensions={{0}}, num_carries=1,"
                  f" is_reverse=true, to_apply=step_{kind}", [few(kind, 4), neutral(folder(kind), kind)],
                  computations=[step(kind, "")], reason="from the end")


def scan_carries(op, kind):
    """Two carries, of two types."""
    return Sample([f"{kind}[3]", f"{kind}[]", "s32[]"], f"({kind}[3], {kind}[], s32[]) {op}(a, b, c), dimensions={{0}},"
                  f" num_carries=2, to_apply=step2_{kind}", [few(kind, 3), neutral(folder(kind), kind), [7]],
                  computations=[step(kind, "", 2)], reason="two carries, one of them counts")


def scan_init(op, kind):
    """An initial value that affects the result."""
    return Sample([f"{kind}[3]", f"{kind}[]"], f"({kind}[3], {kind}[]) {op}(a, b), dimensions={{0}}, num_carries=1,"
                  f" to_apply=step_{kind}", [few(kind, 3), not_neutral(kind)], computations=[step(kind, "")],
                  reason="a start that is no identity goes through all steps")


def classes():
    """Returns the templates by (op, class)."""
    return {
        ("reduce", "dimensions"): reduce_dimensions, ("reduce", "zero_sized"): reduce_none,
        ("reduce", "layouts"): reduce_layouts, ("reduce", "init"): reduce_init, ("reduce", "several"): reduce_several,
        ("reduce", "digits"): reduce_digits,
        **{("reduce", name): reduce_by(name) for name in ("maximum", "minimum", "multiply")},
        ("map", "dimensions"): map_dimensions, ("map", "several"): map_several,
        ("scan", "dimensions"): scan_dimensions, ("scan", "is_reverse"): scan_reverse,
        ("scan", "num_carries"): scan_carries, ("scan", "init"): scan_init,
    }
