"""Element-wise ops on any bits of any type, against exact arithmetic rounded once."""

from harness import FLOATS, INTEGERS, REALS, TYPES, Case, OracleTest, compares, shape_text

from golden.witness.element_types import COMPLEX, width_of
from golden.witness.evaluator.elementwise import binary, unary
from golden.witness.evaluator.not_derived import NotDerived

UNARY = {
    "abs negate sign": [t for t in REALS if t[0] != "u"],
    "ceil floor round-nearest-afz round-nearest-even is-finite real imag": FLOATS,
    "sqrt cbrt": FLOATS,
    "not popcnt count-leading-zeros": INTEGERS,
}
BINARY = {
    "add subtract multiply divide maximum minimum": REALS + ["pred"],
    "remainder": REALS,
    "and or xor": INTEGERS + ["pred"],
    "shift-left shift-right-arithmetic shift-right-logical mulhi": INTEGERS,
}
RESULT = {"is-finite": lambda t: "pred"}


def pairs(table):
    return [(op, kind) for ops, kinds in table.items() for op in ops.split() for kind in kinds]


class Elements(OracleTest):
    batch = 400

    def compare_each(self, table, evaluate, operands):
        def make(rng):
            while True:
                op, kind = rng.choice(pairs(table))
                if kind == "pred" and op in ("subtract", "divide"):
                    continue
                sizes = rng.dimensions()
                arguments = [rng.array(kind, sizes) if rng.random() < 0.7 else rng.numbers(kind, sizes)
                             for _ in range(operands)]  # fmt: skip
                try:
                    expected = evaluate(op, *arguments)
                except NotDerived:
                    continue
                names = ", ".join(f"@p{i}" for i in range(operands))
                result = RESULT.get(op, lambda t: t)(kind)
                return Case(arguments, f"@r = {shape_text(result, sizes)} {op}({names})", expected=[expected])

        self.compare(make)

    def test_unary(self):
        self.compare_each(UNARY, unary, 1)

    def test_binary(self):
        self.compare_each(BINARY, binary, 2)

    @compares()
    def test_convert(self, rng):
        x = rng.array(rng.choice(TYPES), rng.dimensions())
        target = rng.choice(TYPES)
        return Case([x], f"@r = {shape_text(target, x.values.shape)} convert(@p0)")

    @compares()
    def test_bitcast_convert(self, rng):
        source, sizes = rng.choice(TYPES), rng.dimensions()
        bits = width_of(source) if source != "pred" else 8
        targets = [t for t in TYPES if (t in COMPLEX) == (source in COMPLEX) and "pred" not in (t, source)]
        targets = [t for t in targets if max(width_of(t), bits) % min(width_of(t), bits) == 0] or [source]
        target = rng.choice(targets)
        to_bits = width_of(target) if target != "pred" else 8
        out = list(sizes)
        if to_bits < bits:
            out = sizes + [bits // to_bits]
        elif to_bits > bits:
            sizes = sizes + [to_bits // bits]
        return Case([rng.array(source, sizes)], f"@r = {shape_text(target, out)} bitcast-convert(@p0)")

    @compares()
    def test_compare(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions()
        direction = rng.choice(["EQ", "NE"] if kind in COMPLEX else ["EQ", "NE", "LT", "LE", "GT", "GE"])
        total = ", type=TOTALORDER" if kind in FLOATS and rng.random() < 0.5 else ""
        x = rng.array(kind, sizes)
        y = rng.array(kind, sizes) if rng.random() < 0.7 else x
        return Case([x, y], f"@r = {shape_text('pred', sizes)} compare(@p0, @p1), direction={direction}{total}")

    @compares()
    def test_select_and_clamp(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions()
        if rng.random() < 0.5:
            p = rng.array("pred", rng.choice([sizes, []]))
            text = f"@r = {shape_text(kind, sizes)} select(@p0, @p1, @p2)"
            return Case([p, rng.array(kind, sizes), rng.array(kind, sizes)], text)
        bounds = [rng.numbers(kind, rng.choice([sizes, []])) for _ in range(2)]
        text = f"@r = {shape_text(kind, sizes)} clamp(@p0, @p1, @p2)"
        return Case([bounds[0], rng.array(kind, sizes), bounds[1]], text)

    @compares()
    def test_stochastic_convert_to_integers(self, rng):
        kind, random = rng.choice([("f16", "u16"), ("bf16", "u16"), ("f32", "u32"), ("f64", "u64")])
        sizes, target = rng.dimensions(), rng.choice([t for t in INTEGERS if t != "s1"])
        arguments = [rng.numbers(kind, sizes, -40, 40), rng.array(random, sizes)]
        return Case(arguments, f"@r = {shape_text(target, sizes)} stochastic-convert(@p0, @p1)")

    @compares()
    def test_complex(self, rng):
        kind, sizes = rng.choice([*COMPLEX]), rng.dimensions()
        op = rng.choice(["add", "subtract", "multiply", "negate", "real", "imag"])
        arguments = [rng.numbers(kind, sizes) for _ in range(1 if op in ("negate", "real", "imag") else 2)]
        result = {"c64": "f32", "c128": "f64"}[kind] if op in ("real", "imag") else kind
        names = ", ".join(f"@p{i}" for i in range(len(arguments)))
        return Case(arguments, f"@r = {shape_text(result, sizes)} {op}({names})")

    @compares()
    def test_reduce_precision(self, rng):
        x = rng.array(rng.choice([t for t in FLOATS if t != "f8e8m0fnu"]), rng.dimensions())
        bits = f"exponent_bits={rng.randint(1, 11)}, mantissa_bits={rng.randint(0, 52)}"
        return Case([x], f"@r = {x.shape} reduce-precision(@p0), {bits}")
