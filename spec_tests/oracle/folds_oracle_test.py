"""Ops that fold, contract, order or call, on random shapes and attributes, against the second evaluator: one
element at a time, in exact arithmetic."""

import numpy as np
from harness import FLOATS, INTEGERS, Case, OracleTest, braces, compares, shape_text

from golden.witness.arrays import Array
from golden.witness.element_types import COMPLEX

NUMBERS = [t for t in FLOATS if t != "f8e8m0fnu"] + INTEGERS


def fold_of(rng, kind):
    """Returns a reducer for the type, and its initial value: exact whatever the order, or a fold that names its
    order."""
    op = rng.choice(["add", "maximum", "minimum"] + (["multiply", "and", "xor"] if kind in INTEGERS else ["subtract"]))
    if kind == "pred":
        op = rng.choice(["and", "or", "xor", "add", "maximum"])
    # The order of a subtraction is the canonical one: first the initial value, then the elements in row-major order.
    text = f"@f {{\n@a = {kind}[] parameter(0)\n@b = {kind}[] parameter(1)\nROOT @c = {kind}[] {op}(@a, @b)\n}}"
    return text, rng.numbers(kind, [])


ARG_MAX = """@g {
@a = f32[] parameter(0)
@b = s32[] parameter(1)
@c = f32[] parameter(2)
@d = s32[] parameter(3)
@e = pred[] compare(@a, @c), direction=GE
@h = f32[] select(@e, @a, @c)
@i = s32[] select(@e, @b, @d)
ROOT @j = (f32[], s32[]) tuple(@h, @i)
}"""


class Window:
    """A random window over a base, and the sizes of its result, from the rule of the specification."""

    def __init__(self, rng, base, has_base_dilation=True, may_reverse=False):
        self.size = [rng.randint(1, 3) for _ in base]
        stride = [rng.randint(1, 3) for _ in base]
        dilation = [rng.choice([1, 1, 2]) for _ in base]
        holes = [rng.choice([1, 1, 2, 3]) if has_base_dilation else 1 for _ in base]
        low, high = [rng.randint(-1, 3) for _ in base], [rng.randint(-1, 3) for _ in base]
        reversal = [int(may_reverse and rng.random() < 0.3) for _ in base]
        self.result = []
        for d, n in enumerate(base):
            padded = low[d] + (0 if n == 0 else (n - 1) * holes[d] + 1) + high[d]
            window = (self.size[d] - 1) * dilation[d] + 1
            self.result.append((padded - window) // stride[d] + 1 if padded > 0 and window <= padded else 0)

        def part(name, numbers):
            return f" {name}=" + "x".join(map(str, numbers))

        pads = "x".join(f"{a}_{b}" for a, b in zip(low, high))
        self.text = f"window={{size={'x'.join(map(str, self.size))}{part('stride', stride)} pad={pads}"
        self.text += part("lhs_dilate", holes) + part("rhs_dilate", dilation)
        self.text += (part("rhs_reversal", reversal) if may_reverse else "") + "}"


class Folds(OracleTest):
    batch = 150

    @compares()
    def test_reduce(self, rng):
        sizes = rng.dimensions()
        dimensions = rng.shuffled(rng.subset(range(len(sizes))))
        left = [n for d, n in enumerate(sizes) if d not in dimensions]
        if rng.random() < 0.2:
            x, y = rng.numbers("f32", sizes, -2, 2), rng.numbers("s32", sizes)
            result = f"({shape_text('f32', left)}, {shape_text('s32', left)})"
            text = f"@r = {result} reduce(@p0, @p1, @p2, @p3), dimensions={braces(dimensions)}, to_apply=@g"
            return Case([x, y, rng.numbers("f32", []), rng.numbers("s32", [])], text, ARG_MAX)
        kind = rng.choice([*NUMBERS, "pred"])
        fold, initial = fold_of(rng, kind)
        text = f"@r = {shape_text(kind, left)} reduce(@p0, @p1), dimensions={braces(dimensions)}, to_apply=@f"
        return Case([rng.numbers(kind, sizes), initial], text, fold)

    @compares()
    def test_reduce_window(self, rng):
        kind, sizes = rng.choice(NUMBERS), rng.dimensions(low=1, high=3, elements=20)
        window = Window(rng, sizes)
        fold, initial = fold_of(rng, kind)
        text = f"@r = {shape_text(kind, window.result)} reduce-window(@p0, @p1), {window.text}, to_apply=@f"
        return Case([rng.numbers(kind, sizes), initial], text, fold)

    @compares()
    def test_select_and_scatter(self, rng):
        kind, sizes = rng.choice(NUMBERS), rng.dimensions(low=1, high=3, elements=20)
        window = Window(rng, sizes, has_base_dilation=False)
        direction = rng.choice(["GE", "GT", "LE", "LT"])
        select = f"@s {{\n@x = {kind}[] parameter(0)\n@y = {kind}[] parameter(1)\n"
        select += f"ROOT @z = pred[] compare(@x, @y), direction={direction}\n}}\n"
        fold, initial = fold_of(rng, kind)
        text = f"select-and-scatter(@p0, @p1, @p2), {window.text}, select=@s, scatter=@f"
        arguments = [rng.numbers(kind, sizes, -2, 2), rng.numbers(kind, window.result), initial]
        return Case(arguments, f"@r = {shape_text(kind, sizes)} {text}", select + fold)

    @compares()
    def test_scan(self, rng):
        kind, sizes = rng.choice(NUMBERS), rng.dimensions(low=1, high=3)
        d = rng.randrange(len(sizes))
        part = shape_text(kind, sizes[:d] + sizes[d + 1 :])
        step = f"@f {{\n@a = {part} parameter(0)\n@b = {part} parameter(1)\n@c = {part} add(@a, @b)\n"
        step += f"@d = {part} maximum(@a, @b)\nROOT @e = ({part}, {part}) tuple(@c, @d)\n}}"
        x = rng.numbers(kind, sizes)
        reverse = rng.choice(["true", "false"])
        text = f"scan(@p0, @p1), dimensions={{{d}}}, num_carries=1, is_reverse={reverse}, to_apply=@f"
        carry = rng.numbers(kind, sizes[:d] + sizes[d + 1 :])
        return Case([x, carry], f"@r = ({x.shape}, {part}) {text}", step)


class Contractions(OracleTest):
    batch = 120

    @compares()
    def test_dot(self, rng):
        kind = rng.choice([*NUMBERS, *COMPLEX, "pred"])
        sides, batch, contracted = ([], []), [], []
        for part, count in ((batch, rng.randint(0, 2)), (contracted, rng.randint(0, 2))):
            part += [rng.choice([0, 1, 2, 3, 4]) for _ in range(count)]
        numbers = []
        for side in sides:
            side += [("batch", i, n) for i, n in enumerate(batch)]
            side += [("sum", i, n) for i, n in enumerate(contracted)]
            side += [("free", i, rng.choice([0, 1, 2, 3])) for i in range(rng.randint(0, 2))]
            rng.shuffle(side)
            at = {entry[:2]: d for d, entry in enumerate(side)}
            paired = [("batch", len(batch)), ("sum", len(contracted))]
            numbers.append([[at[part, i] for i in range(n)] for part, n in paired])
        free = [[n for part, _, n in side if part == "free"] for side in sides]
        x, y = (rng.numbers(kind, [n for _, _, n in side], -4, 4) for side in sides)
        text = f"dot(@p0, @p1), lhs_batch_dims={braces(numbers[0][0])}, rhs_batch_dims={braces(numbers[1][0])}, "
        text += f"lhs_contracting_dims={braces(numbers[0][1])}, rhs_contracting_dims={braces(numbers[1][1])}"
        text = text.replace("lhs_batch_dims={}, rhs_batch_dims={}, ", "")
        return Case([x, y], f"@r = {shape_text(kind, batch + free[0] + free[1])} {text}")

    @compares()
    def test_convolution(self, rng):
        kind = rng.choice(NUMBERS)
        spatial = [rng.choice([0, 1, 2, 3, 4]) for _ in range(rng.randint(0, 2))]
        window = Window(rng, spatial, may_reverse=True)
        features, batches = rng.choice([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)])
        depth, outputs = rng.randint(0, 2), rng.randint(1, 2) * features * batches
        batch = rng.randint(0, 2)
        names = [str(d) for d in range(len(spatial))]
        lhs, rhs, out = (rng.shuffled([*names, a, b]) for a, b in ("bf", "io", "bf"))
        sizes = {"b": batch * batches, "f": depth * features, "i": depth, "o": outputs}
        x = rng.numbers(kind, [sizes[c] if c in sizes else spatial[int(c)] for c in lhs], -4, 4)
        kernel = rng.numbers(kind, [sizes[c] if c in sizes else window.size[int(c)] for c in rhs], -4, 4)
        sizes = {"b": batch, "f": outputs}
        result = shape_text(kind, [sizes[c] if c in sizes else window.result[int(c)] for c in out])
        labels = f"{''.join(lhs)}_{''.join(rhs)}->{''.join(out)}"
        text = f"convolution(@p0, @p1), {window.text + ', ' if spatial else ''}dim_labels={labels}"
        text += f", feature_group_count={features}" * (features > 1)
        text += f", batch_group_count={batches}" * (batches > 1)
        return Case([x, kernel], f"@r = {result} {text}")

    @compares()
    def test_ragged_dot(self, rng):
        """[rows, k] by [groups, k, n] with the rows ragged, and [m, k] by [k, n] with the sum ragged."""
        kind = rng.choice(FLOATS[:4] + INTEGERS)
        m, k, n, groups = (rng.randint(0, 4) for _ in range(4))
        sizes = [rng.randint(0, 3) for _ in range(groups)]
        g = Array("s32", np.array(sizes, np.int32))
        is_free = rng.random() < 0.5
        x = rng.numbers(kind, [m, k], -4, 4)
        y = rng.numbers(kind, [groups, k, n] if is_free else [k, n], -4, 4)
        out = [m, n] if is_free else [groups, m, n]
        text = f"ragged-dot(@p0, @p1, @p2), lhs_contracting_dims={{1}}, rhs_contracting_dims={{{int(is_free)}}}, "
        text += "lhs_ragged_dims={0}, rhs_group_dims={0}" if is_free else "lhs_ragged_dims={1}"
        return Case([x, y, g], f"@r = {shape_text(kind, out)} {text}")

    @compares()
    def test_scaled_dot(self, rng):
        """Blocks of each operand share a scale; [m, k] by [k, n]."""
        kind = rng.choice(["f8e4m3fn", "f8e5m2", "f4e2m1fn"])
        sizes = [rng.randint(1, 2) for _ in range(3)]
        blocks = [rng.randint(1, 3) for _ in range(3)]
        m, k, n = (a * b for a, b in zip(sizes, blocks))
        x, y = rng.numbers(kind, [m, k], -4, 4), rng.numbers(kind, [k, n], -4, 4)
        s, t = rng.numbers("f8e8m0fnu", sizes[:2]), rng.numbers("f8e8m0fnu", sizes[1:])
        text = f"@r = f32[{m},{n}] scaled-dot(@p0, @p1, @p2, @p3), "
        text += "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
        return Case([x, y, s, t], text)


class RunTimeSizes(OracleTest):
    batch = 80

    @compares()
    def test_elements_past_a_run_time_size_are_never_summed(self, rng):
        kind, sizes = rng.choice(INTEGERS), rng.dimensions(low=1, high=3)
        d = rng.randrange(len(sizes))
        x, n = rng.numbers(kind, sizes), rng.randint(-2, 7)
        dynamic = [f"<={size}" if i == d else size for i, size in enumerate(sizes)]
        rest = sizes[:d] + sizes[d + 1 :]
        fold = f"@f {{\n@a = {kind}[] parameter(0)\n@b = {kind}[] parameter(1)\nROOT @c = {kind}[] add(@a, @b)\n}}"
        text = f"@n = s32[] constant({n})\n@z = {kind}[] constant(0)\n"
        text += f"@s = {shape_text(kind, dynamic)} set-dimension-size(@p0, @n), dimensions={{{d}}}\n"
        text += f"@t = {shape_text(kind, rest)} reduce(@s, @z), dimensions={{{d}}}, to_apply=@f\n"
        text += f"@g = s32[] get-dimension-size(@s), dimensions={{{d}}}\n"
        text += f"@r = ({shape_text(kind, rest)}, s32[]) tuple(@t, @g)"
        return Case([x], text, fold)


class Order(OracleTest):
    batch = 150

    @compares()
    def test_sort(self, rng):
        kind, sizes = rng.choice([t for t in FLOATS + INTEGERS if t != "f8e8m0fnu"]), rng.dimensions(low=1)
        d = rng.randrange(len(sizes))
        total = ", type=TOTALORDER" if kind in FLOATS and rng.random() < 0.5 else ""
        less = f"@f {{\n@a = {kind}[] parameter(0)\n@b = {kind}[] parameter(1)\n@c = s32[] parameter(2)\n"
        less += "@d = s32[] parameter(3)\nROOT @e = pred[] compare(@a, @b), "
        less += f"direction={rng.choice(['LT', 'GT'])}{total}\n}}"
        x = rng.array(kind, sizes) if total else rng.numbers(kind, sizes, -2, 2)
        y = rng.numbers("s32", sizes)
        text = f"@r = ({x.shape}, {y.shape}) sort(@p0, @p1), dimensions={{{d}}}, is_stable=true, to_apply=@f"
        return Case([x, y], text, less)

    @compares()
    def test_topk(self, rng):
        kind, sizes = rng.choice([t for t in FLOATS + INTEGERS]), rng.dimensions(low=1)
        k = rng.randint(0, sizes[-1])
        largest = rng.choice(["true", "false"])
        out = sizes[:-1] + [k]
        text = f"@r = ({shape_text(kind, out)}, {shape_text('s32', out)}) topk(@p0), k={k}, largest={largest}"
        return Case([rng.numbers(kind, sizes, -2, 2)], text)


class Calls(OracleTest):
    batch = 100

    @compares()
    def test_map(self, rng):
        kind, sizes = rng.choice(INTEGERS + ["f32", "bf16"]), rng.dimensions()
        f = f"@f {{\n@a = {kind}[] parameter(0)\n@b = s32[] parameter(1)\n@c = s32[] convert(@a)\n"
        f += "@d = s32[] multiply(@b, @c)\nROOT @e = s32[] subtract(@d, @b)\n}"
        arguments = [rng.numbers(kind, sizes), rng.numbers("s32", sizes)]
        dimensions = braces(range(len(sizes)))
        text = f"@r = {shape_text('s32', sizes)} map(@p0, @p1), dimensions={dimensions}, to_apply=@f"
        return Case(arguments, text, f)

    @compares()
    def test_while_is_its_body_so_many_times(self, rng):
        kind, sizes = rng.choice(INTEGERS[3:] + ["f32"]), rng.dimensions()
        state = f"(s32[], {shape_text(kind, sizes)})"
        x, rounds = rng.numbers(kind, sizes, -3, 3), rng.randint(0, 5)
        inner = shape_text(kind, sizes)
        body = f"@body {{\n@s = {state} parameter(0)\n@i = s32[] get-tuple-element(@s), index=0\n"
        body += f"@x = {inner} get-tuple-element(@s), index=1\n@one = s32[] constant(1)\n"
        body += f"@j = s32[] add(@i, @one)\n@y = {inner} add(@x, @x)\nROOT @t = {state} tuple(@j, @y)\n}}\n"
        body += f"@cond {{\n@u = {state} parameter(0)\n@k = s32[] get-tuple-element(@u), index=0\n"
        body += f"@n = s32[] constant({rounds})\nROOT @c = pred[] compare(@k, @n), direction=LT\n}}"
        text = f"@z = s32[] constant(0)\n@w = {state} tuple(@z, @p0)\n"
        text += f"@l = {state} while(@w), condition=@cond, body=@body\n"
        return Case([x], text + f"@r = {inner} get-tuple-element(@l), index=1", body)

    @compares()
    def test_conditional(self, rng):
        count = rng.randint(1, 4)
        branches = "\n".join(
            f"@f{i} {{\n@x{i} = s32[] parameter(0)\n@n{i} = s32[] constant({i})\n"
            f"ROOT @y{i} = s32[] add(@x{i}, @n{i})\n}}"
            for i in range(count)
        )
        text = f"@r = s32[] conditional(@p0{', @p1' * count}), "
        if count == 2:
            text += "true_computation=@f0, false_computation=@f1"
            return Case([rng.array("pred", []), rng.numbers("s32", [])], text, branches)
        text += f"branch_computations={braces(f'@f{i}' for i in range(count))}"
        return Case([rng.numbers("s32", [], -2, 5), rng.numbers("s32", [])], text, branches)
