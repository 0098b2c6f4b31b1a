"""Sums through every op that has them: in all orders, with special values and overflow on the way, against exact
rational arithmetic."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
from harness import Case, OracleTest, run_on_devices, same, shape_text
from summed import TYPES, adder, array, summed, zero

from golden.witness.arrays import Array
from golden.witness.element_types import COMPLEX, DTYPES, FORMATS, component
from golden.witness.evaluator.products import from_results, products_summed
from golden.witness.evaluator.rounding import exact_sum, round_to
from spec_tests.nightly import is_nightly, nightly
from spec_tests.tools.command_line import each

INF, NAN = math.inf, math.nan
ORDERS = np.array(list(itertools.permutations(range(7))))


def random_terms(rng, kind, spread):
    numbers = [rng.uniform(-1, 1) * 2.0 ** rng.uniform(-spread, spread) for _ in range(7)]
    if kind in COMPLEX:
        return array(kind, [complex(x, rng.uniform(-1, 1) * 2.0**spread) for x in numbers], [7]).values
    return array(kind, numbers, [7]).values


def extremes(kind):
    """Sets of seven terms whose partial sums overflow, vanish or are not finite."""
    part = component(kind)
    form = FORMATS[part]
    most, tiny = float(form.max_finite), 2.0 ** (form.least_exponent - form.mantissa_bits)
    sets = [
        [most, most, -most, -most, tiny, 1, -1],
        [most, most, most, -most, -most, -tiny, tiny],
        [most, most, 0, 0, 0, 0, 0],
        [-most, -most, -most, most, most, most, tiny],
        [most, -tiny, -most, -tiny, -tiny, 2 * tiny, 0.0],
        [tiny, -tiny, 3 * tiny, -5 * tiny, tiny, -0.0, 0.0],
        [-0.0] * 7,
        [-0.0] * 6 + [0.0],
        [1, -1, -0.0, -0.0, -0.0, -0.0, -0.0],
        # Half a unit in the last place of 1, and a little that tells on which side of the tie the sum is.
        [1, 2.0 ** -(form.mantissa_bits + 1), tiny, 0, 0, 0, 0],
        [1, 2.0 ** -(form.mantissa_bits + 1), -tiny, 0, 0, 0, 0],
        [1, 2.0 ** -(form.mantissa_bits + 1), 0, tiny, -tiny, 0, 0],
        [NAN, 1, 2, 3, 4, 5, 6],
    ]
    if form.has_infinity:
        sets += [[INF, most, -most, 1, 2, 3, 4], [INF, -most, -most, -most, 1, 2, 3], [INF, -INF, 1, 2, 3, 4, 5]]
    arrays = [array(part, numbers, [7]).values for numbers in sets]
    if kind not in COMPLEX:
        return arrays
    finite = [a for a in arrays if np.isfinite(a.astype(float)).all()]
    dtype = DTYPES[kind]
    return [a.astype(dtype) + dtype(1j) * b[::-1].astype(dtype) for a, b in zip(finite, finite[1:])]


def in_all_orders(kinds=(*TYPES, *COMPLEX)):
    """Makes a test of a method that makes a case of a type and of terms, a row an order of them."""

    def test_of(make_case):
        @functools.wraps(make_case)
        def test(self):
            for kind in kinds:
                with self.subTest(kind=kind):
                    self.compare_each(functools.partial(make_case, self), kind, self.rows(self.random(), kind))

        return test

    return test_of


class Orders(OracleTest):
    """Seven terms in a fifteenth of their 5040 orders have one sum, bit for bit."""

    orders = ORDERS[::15]

    def rows(self, rng, kind):
        """Sets of terms: of like size, of any size, next to each other, extreme ones."""
        like, any_size = random_terms(rng, kind, 2), random_terms(rng, kind, 40 if kind in ("f64", "f32") else 8)
        bits = FORMATS[component(kind)].mantissa_bits
        neighbours = array(kind, [1 + step / 2**bits for step in (0, 1, 1, 2, 0, 1, 2)], [7]).values
        return [like, any_size, neighbours, *extremes(kind)]

    def compare_each(self, make_case, kind, sets):
        remaining = iter(sets)
        self.compare(lambda _: make_case(kind, next(remaining)[self.orders]), len(sets))

    @in_all_orders()
    def test_reduce(self, kind, rows):
        n = len(rows)
        total = summed(kind, np.append(rows[0], np.zeros(1, rows.dtype)))
        text = f"{zero(kind)}@r = {kind}[{n}] reduce(@p0, @z), dimensions={{1}}, to_apply=@f"
        expected = from_results(kind, [total] * n, [n])
        return Case([Array(kind, rows)], text, adder(kind), [expected])

    @in_all_orders(["f64", "f32", "bf16", "f8e5m2", "c64"])
    def test_two_sums_at_once(self, kind, rows):
        """A reducer of two arrays that adds each by itself: through reduce, reduce-window and scatter."""
        rows = rows[::31]
        n, zeros = len(rows), np.zeros(1, rows.dtype)
        first, second = (summed(kind, np.append(part, zeros)) for part in (rows[0], -rows[0]))
        body = f"@g {{\n@a = {kind}[] parameter(0)\n@b = {kind}[] parameter(1)\n@c = {kind}[] parameter(2)\n"
        body += f"@d = {kind}[] parameter(3)\n@e = {kind}[] add(@a, @c)\n@h = {kind}[] add(@d, @b)\n"
        body += f"ROOT @t = ({kind}[], {kind}[]) tuple(@e, @h)\n}}"
        pair, column = f"({kind}[{n}], {kind}[{n}])", f"({kind}[{n},1], {kind}[{n},1])"
        text = f"{zero(kind)}@x = {pair} reduce(@p0, @p1, @z, @z), dimensions={{1}}, to_apply=@g\n"
        text += f"@y = {column} reduce-window(@p0, @p1, @z, @z), window={{size=1x7}}, to_apply=@g\n"
        text += f"@o = {kind}[{n}] broadcast(@z), dimensions={{}}\n@u = {kind}[{7 * n}] reshape(@p0)\n"
        text += f"@v = {kind}[{7 * n}] reshape(@p1)\n@s = {pair} scatter(@o, @o, @p2, @u, @v), "
        text += "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
        text += "index_vector_dim=1, to_apply=@g\n"
        shapes = [f"{kind}[{n}]"] * 2 + [f"{kind}[{n},1]"] * 2 + [f"{kind}[{n}]"] * 2
        for i, shape in enumerate(shapes):
            text += f"@r{i} = {shape} get-tuple-element(@{'xxyyss'[i]}), index={i % 2}\n"
        text += f"@r = ({', '.join(shapes)}) tuple(@r0, @r1, @r2, @r3, @r4, @r5)"
        indices = Array("s32", np.repeat(np.arange(n, dtype=np.int32), 7).reshape(-1, 1))
        flat, tall = ([from_results(kind, [total] * n, shape) for total in (first, second)]
                      for shape in ([n], [n, 1]))  # fmt: skip
        return Case([Array(kind, rows), Array(kind, -rows), indices], text, body, [[*flat, *tall, *flat]])

    @in_all_orders()
    def test_dot(self, kind, rows):
        n = len(rows)
        ones = Array(kind, np.ones([7, 1], rows.dtype))
        total = products_summed(kind, [(x, ones.values[0, 0]) for x in rows[0]])
        text = f"@r = {kind}[{n},1] dot(@p0, @p1), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
        return Case([Array(kind, rows), ones], text, expected=[from_results(kind, [total] * n, [n, 1])])

    @in_all_orders(["f64", "bf16", "f8e5m2", "c64"])
    def test_convolution(self, kind, rows):
        n = len(rows)
        ones = Array(kind, np.ones([7, 1, 1], rows.dtype))
        terms = [*((x, ones.values[0, 0, 0]) for x in rows[0]), (0 * ones.values[0, 0, 0], ones.values[0, 0, 0])]
        total = products_summed(kind, terms)
        text = f"@r = {kind}[{n},1,1] convolution(@p0, @p1), window={{size=7}}, dim_labels=b0f_0io->b0f"
        expected = [from_results(kind, [total] * n, [n, 1, 1])]
        return Case([Array(kind, rows.reshape(n, 7, 1)), ones], text, expected=expected)

    @in_all_orders()
    def test_cumulative_sum_by_reduce_window(self, kind, rows):
        rows = rows[::97]
        results = [summed(kind, np.append(row[: i + 1], np.zeros(1, rows.dtype))) for row in rows for i in range(7)]
        text = f"{zero(kind)}@r = {shape_text(kind, rows.shape)} reduce-window(@p0, @z), "
        text += "window={size=1x7 pad=0_0x6_0}, to_apply=@f"
        return Case([Array(kind, rows)], text, adder(kind), [from_results(kind, results, list(rows.shape))])

    @in_all_orders()
    def test_cumulative_sum_by_associative_scan(self, kind, rows):
        rows, zeros = rows[::97], np.zeros(1, rows.dtype)
        n, is_reverse = len(rows), kind == "f32"
        sums = [[summed(kind, np.append(row[i:] if is_reverse else row[: i + 1], zeros)) for i in range(7)]
                for row in rows]  # fmt: skip
        body = f"@g {{\n@x = {kind}[{n}] parameter(0)\n@y = {kind}[{n}] parameter(1)\n"
        body += f"@s = {kind}[{n}] add(@y, @x)\n"
        body += f"ROOT @t = ({kind}[{n}], {kind}[{n}]) tuple(@s, @s)\n}}"
        text = f"{zero(kind)}@i = {kind}[{n}] broadcast(@z), dimensions={{}}\n@r = ({kind}[{n},7], {kind}[{n}]) "
        text += f"scan(@p0, @i), dimensions={{1}}, num_carries=1, is_reverse={str(is_reverse).lower()}, "
        text += "is_associative=true, to_apply=@g"
        flat = [total for row in sums for total in row]
        last = [row[0 if is_reverse else 6] for row in sums]
        expected = [from_results(kind, flat, [n, 7]), from_results(kind, last, [n])]
        return Case([Array(kind, rows)], text, body, [expected])

    @in_all_orders(["f64", "f32", "f16", "c128"])
    def test_scatter(self, kind, rows):
        n = len(rows)
        total = summed(kind, np.append(rows[0], np.zeros(1, rows.dtype)))
        indices = Array("s32", np.repeat(np.arange(n, dtype=np.int32), 7).reshape(-1, 1))
        text = f"{zero(kind)}@o = {kind}[{n}] broadcast(@z), dimensions={{}}\n"
        text += f"@r = {kind}[{n}] scatter(@o, @p1, @p0), update_window_dims={{}}, inserted_window_dims={{0}}, "
        text += "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=@f"
        expected = [from_results(kind, [total] * n, [n])]
        return Case([Array(kind, rows.reshape(-1)), indices], text, adder(kind), expected)

    @in_all_orders(["f64", "bf16", "f8e4m3fn"])
    def test_select_and_scatter(self, kind, rows):
        """Every window of seven holds the one in the middle of thirteen."""
        rows = rows[::7]
        n = len(rows)
        operand = np.zeros([n, 13], rows.dtype)
        operand[:, 6] = 1
        total = summed(kind, np.append(rows[0], np.zeros(1, rows.dtype)))
        results = [total if column == 6 else exact_sum(kind, [0.0]) for _ in range(n) for column in range(13)]
        select = f"@s {{\n@x = {kind}[] parameter(0)\n@y = {kind}[] parameter(1)\n"
        select += "ROOT @g = pred[] compare(@x, @y), direction=GE\n}\n"
        text = f"{zero(kind)}@r = {kind}[{n},13] select-and-scatter(@p0, @p1, @z), "
        text += "window={size=1x7}, select=@s, scatter=@f"
        expected = [from_results(kind, results, [n, 13])]
        return Case([Array(kind, operand), Array(kind, rows)], text, select + adder(kind), expected)

    def test_batch_norm_statistics(self):
        """A feature an order: mean and variance."""

        def make(kind, rows):
            rows = rows[::13]
            n = len(rows)
            exact = [Fraction(float(x)) for x in rows[0]]
            mean = sum(exact) / 7
            variance = sum((x - mean) ** 2 for x in exact) / 7
            statistics = [from_results(kind, [round_to(kind, v)] * n, [n]) for v in (mean, variance)]
            ones = Array(kind, np.ones(n, rows.dtype))
            text = f"@b = ({kind}[7,{n}], {kind}[{n}], {kind}[{n}]) batch-norm-training(@p0, @p1, @p1), epsilon=1, "
            text += f"feature_index=1\n@m = {kind}[{n}] get-tuple-element(@b), index=1\n"
            text += f"@v = {kind}[{n}] get-tuple-element(@b), index=2\n@r = ({kind}[{n}], {kind}[{n}]) tuple(@m, @v)"
            return Case([Array(kind, rows.T.copy()), ones], text, expected=[statistics])

        for kind in TYPES:
            with self.subTest(kind=kind):
                sets = self.rows(self.random(), kind)
                self.compare_each(make, kind, [terms for terms in sets if np.isfinite(terms.astype(float)).all()])

    def test_fourier_transform_at_zero(self):
        """The first element of a transform is the sum."""

        def make(kind, rows):
            rows = rows[::29]
            n, pair = len(rows), {"f32": "c64", "f64": "c128"}[kind]
            text = f"@t = {pair}[{n},4] fft(@p0), fft_type=RFFT, fft_length={{7}}\n"
            text += f"@s = {pair}[{n},1] slice(@t), slice={{[0:{n}], [0:1]}}\n@r = {kind}[{n},1] real(@s)"
            total = round_to(kind, sum(Fraction(float(x)) for x in rows[0]))
            return Case([Array(kind, rows)], text, expected=[from_results(kind, [total] * n, [n, 1])])

        for kind in ("f32", "f64"):
            with self.subTest(kind=kind):
                sets = self.rows(self.random(), kind)
                self.compare_each(make, kind, [terms for terms in sets if np.isfinite(terms).all()])


    @each(("f64", "bf16", "c64"))
    def test_all_reduce_and_reduce_scatter(self, kind):
        """A term a device; every device gets the sum."""
        for terms in self.rows(self.random(), kind):
            columns = terms[self.orders].T
            n, groups = columns.shape[1], "replica_groups={{0,1,2,3,4,5,6}}, to_apply=f"
            text = f"HloModule m, replica_count=7\n{adder(kind)}\nENTRY e {{\n@x = {kind}[{n}] parameter(0)\n"
            text += f"@y = {kind}[{n}] all-reduce(@x), {groups}\n"
            text += f"@z = {kind}[{n // 7}] reduce-scatter(@x), {groups}, dimensions={{0}}\n"
            text += f"ROOT @r = ({kind}[{n}], {kind}[{n // 7}]) tuple(@y, @z)\n}}\n"
            total = summed(kind, terms)
            expected = [from_results(kind, [total] * size, [size]) for size in (n, n // 7)]
            for result in run_on_devices(text.replace("@", ""), [[Array(kind, column)] for column in columns]):
                self.assertTrue(same(result, expected), f"{kind} {terms}: {total}")

    def test_products_that_are_exact(self):
        """Products by multiply fold in order. If none of them rounds, the order has no effect."""

        def make(rng, kind):
            small = kind.startswith("f8")
            terms = [rng.choice([1, 2, 0.5, -1]) if small else rng.choice([3, 5, -7, 2, 0.25, 1]) for _ in range(7)]
            if kind[0] == "s":
                terms = [rng.randint(-100, 100) for _ in range(7)]
            rows = array(kind, terms, [7]).values[self.orders]
            product = math.prod(map(Fraction, terms))
            if kind[0] == "s":
                bits = int(kind[1:])
                product = (int(product) + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
            else:
                self.assertEqual(round_to(kind, product), product)
            fold = adder(kind).replace("add(", "multiply(")
            text = f"@o = {kind}[] constant(1)\n@r = {kind}[{len(rows)}] reduce(@p0, @o), dimensions={{1}}, to_apply=@f"
            return Case([Array(kind, rows)], text, fold, [array(kind, [float(product)] * len(rows), [len(rows)])])

        for kind in ("f64", "f32", "f8e5m2", "s8", "s32"):
            with self.subTest(kind=kind):
                self.compare(lambda rng: make(rng, kind), 3)


@nightly
class AllOrders(Orders):
    """The same in all of them."""

    orders = ORDERS


class RandomOrders(OracleTest):
    """Sums of thousands of terms, of which each is taken in a few orders: the paths of long sums."""

    @each(TYPES)
    def test_reduce_and_dot(self, kind):
        def make(rng):
            n, orders = rng.choice([900, 5000, 140000]), 3
            spread = {"f64": 200, "f32": 60, "bf16": 60}.get(kind, 6)
            values = np.array([rng.uniform(-1, 1) for _ in range(n)])
            values = array(kind, np.ldexp(values, [rng.randint(-spread, spread) for _ in range(n)]), [n]).values
            values[n // 2 :] = -values[: n - n // 2]  # all but a few cancel
            values[rng.randrange(n)] = 1
            rows = np.stack([np.array(rng.shuffled(range(n))) for _ in range(orders)])
            x = Array(kind, values[rows])
            total = exact_sum(kind, [float(v) for v in values] + [0.0])
            ones = f"@one = {kind}[] constant(1)\n@ones = {kind}[{n},1] broadcast(@one), dimensions={{}}\n"
            text = zero(kind) + ones
            text += f"@s = {kind}[{orders}] reduce(@p0, @z), dimensions={{1}}, to_apply=@f\n"
            text += f"@d = {kind}[{orders},1] dot(@p0, @ones), lhs_contracting_dims={{1}}, "
            text += "rhs_contracting_dims={0}\n"
            text += f"@r = ({kind}[{orders}], {kind}[{orders},1]) tuple(@s, @d)"
            expected = [from_results(kind, [total] * orders, [orders] + [1] * d) for d in (0, 1)]
            return Case([x], text, adder(kind), [expected])

        self.compare(make, 2 if is_nightly("a second long sum of each type") else 1)
