"""Every op on an array whose run-time size is below its bound equals numpy on the shorter array: elements past the size
take no part (XLA, Operation Semantics: SetDimensionSize, padding is ignored by later reductions).
"""

import importlib.util
import json
import unittest

import numpy as np

from spec_tests.tools.command_line import CliTest, peer

V = np.array([3, 1, 2, 5, 4, 7], np.int32)

COMPUTATIONS = """
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
multiply { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] multiply(a, b) }
ge { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GE }
square_plus { a = s32[] parameter(0)
  b = s32[] parameter(1)
  s = s32[] multiply(a, a)
  ROOT r = s32[] add(s, b) }
condition { p = (s32[], s32[<=6]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  c = s32[] constant(3)
  ROOT r = pred[] compare(i, c), direction=LT }
double { p = (s32[], s32[<=6]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = s32[<=6] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = s32[<=6] add(x, x)
  ROOT r = (s32[], s32[<=6]) tuple(j, y) }
"""

# x is v = V under the run-time size n, m a 3 x 6 array of three rows of v with the columns dynamic.
PROLOGUE = """
  v = s32[6] parameter(0)
  n = s32[] parameter(1)
  zero = s32[] constant(0)
  one = s32[] constant(1)
  x = s32[<=6] set-dimension-size(v, n), dimensions={0}
  whole = s32[3,6] broadcast(v), dimensions={1}
  m = s32[3,<=6] set-dimension-size(whole, n), dimensions={1}
"""


def windows(x, size, stride=1, low=0, high=0):
    padded = np.pad(x, (low, high))
    return np.array([padded[i : i + size].sum() for i in range(0, max(len(padded) - size + 1, 0), stride)], np.int32)


def scattered(operand, indices):
    result = operand.copy()
    for i in indices:
        if 0 <= i < len(result):
            result[i] += 1
    return result


def selected(x, source):
    result = np.zeros_like(x)
    for i, value in enumerate(source):
        result[2 * i + x[2 * i : 2 * i + 2].argmax()] += value
    return result


# The instructions of the module, and numpy's formula for their result from x = V[:n].
CASES = {
    "the operand itself": ("ROOT y = s32[<=6] copy(x)", lambda x: x),
    "get-dimension-size": ("ROOT y = s32[] get-dimension-size(x), dimensions={0}", lambda x: np.int32(len(x))),
    "reduce add": ("ROOT y = s32[] reduce(x, zero), dimensions={0}, to_apply=add", lambda x: x.sum()),
    "reduce multiply": ("ROOT y = s32[] reduce(x, one), dimensions={0}, to_apply=multiply", lambda x: x.prod()),
    "reduce of the other dimension": (
        "ROOT y = s32[<=6] reduce(m, zero), dimensions={0}, to_apply=add", lambda x: 3 * x),
    "add with a static array": ("ROOT y = s32[<=6] add(x, v)", lambda x: x + x),
    "static array first": ("ROOT y = s32[<=6] subtract(v, x)", lambda x: x - x),
    "two run-time sizes: the smaller": (
        "k = s32[] constant(3)\n  z = s32[<=6] set-dimension-size(v, k), dimensions={0}\n"
        "  ROOT y = s32[<=6] add(x, z)", lambda x: 2 * x[:3]),
    "a second run-time size, which may be larger": (
        "k = s32[] constant(5)\n  z = s32[<=6] set-dimension-size(x, k), dimensions={0}\n"
        "  ROOT y = s32[] get-dimension-size(z), dimensions={0}", lambda x: np.int32(5)),
    "a larger size of a copy shows the elements past the smaller one": (
        "c = s32[<=6] copy(x)\n  k = s32[] constant(6)\n"
        "  ROOT y = s32[<=6] set-dimension-size(c, k), dimensions={0}", lambda x: V),
    "clamp": ("ROOT y = s32[<=6] clamp(one, x, n)", lambda x: np.minimum(np.maximum(1, x), len(x))),
    "select": (
        "c = pred[<=6] compare(x, v), direction=EQ\n  ROOT y = s32[<=6] select(c, v, x)", lambda x: x),
    "convert": ("f = f32[<=6] convert(x)\n  ROOT y = s32[<=6] convert(f)", lambda x: x),
    "bitcast-convert to bytes": ("ROOT y = u8[<=6,4] bitcast-convert(x)", lambda x: x.view(np.uint8).reshape(-1, 4)),
    "map": ("ROOT y = s32[<=6] map(x, v), dimensions={0}, to_apply=square_plus", lambda x: x * x + x),
    "concatenate three": (
        "ROOT y = s32[<=18] concatenate(v, x, x), dimensions={0}", lambda x: np.concatenate([V, x, x])),
    "pad between": (
        "ROOT y = s32[<=11] pad(x, one), padding=0_0_1",
        lambda x: np.insert(x, np.arange(1, len(x)), 1) if len(x) else x),
    "pad by less than nothing": ("ROOT y = s32[<=4] pad(x, one), padding=-1_-1", lambda x: x[1:-1]),
    "slice from": ("ROOT y = s32[<=5] slice(x), slice={[1:6]}", lambda x: x[1:]),
    "slice to": ("ROOT y = s32[<=4] slice(x), slice={[0:4]}", lambda x: x[:4]),
    "fft and its inverse, of the run-time length": (
        "c = c64[<=6] convert(x)\n  f = c64[<=6] fft(c), fft_type=FFT, fft_length={6}\n"
        "  b = c64[<=6] fft(f), fft_type=IFFT, fft_length={6}\n  r = f32[<=6] real(b)\n"
        "  w = f32[<=6] round-nearest-afz(r)\n  ROOT y = s32[<=6] convert(w)", lambda x: x),
    "reduce-window": ("ROOT y = s32[<=5] reduce-window(x, zero), window={size=2}, to_apply=add",
                      lambda x: windows(x, 2)),
    "reduce-window with padding": (
        "ROOT y = s32[<=6] reduce-window(x, zero), window={size=3 pad=1_1}, to_apply=add",
        lambda x: windows(x, 3, low=1, high=1)),
    "reduce-window with a stride": (
        "ROOT y = s32[<=3] reduce-window(x, zero), window={size=2 stride=2}, to_apply=add",
        lambda x: windows(x, 2, stride=2)),
    "dot, contracting": (
        "ROOT y = s32[] dot(x, v), lhs_contracting_dims={0}, rhs_contracting_dims={0}", lambda x: x @ x),
    "dot, the other operand": (
        "ROOT y = s32[] dot(v, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}", lambda x: x @ x),
    "dot, free": (
        "w = s32[2] iota(), iota_dimension=0\n"
        "  ROOT y = s32[<=6,2] dot(x, w), lhs_contracting_dims={}, rhs_contracting_dims={}",
        lambda x: np.outer(x, np.arange(2))),
    "dot, batch": (
        "ROOT y = s32[<=6] dot(x, v), lhs_batch_dims={0}, rhs_batch_dims={0}", lambda x: x * x),
    "triangular-solve, of the smaller square": (
        "r = f32[6,6] iota(), iota_dimension=0\n  c = f32[6,6] iota(), iota_dimension=1\n"
        "  p = pred[6,6] compare(r, c), direction=GE\n  a = f32[6,6] convert(p)\n  f = f32[<=6] convert(x)\n"
        "  b = f32[2,<=6] broadcast(f), dimensions={1}\n"
        "  s = f32[2,<=6] triangular-solve(a, b), left_side=false, lower=true, transpose_a=NO_TRANSPOSE\n"
        "  ROOT y = s32[2,<=6] convert(s)", lambda x: np.tile(x - np.append(x[1:], 0)[: len(x)], (2, 1))),
    "broadcast": ("ROOT y = s32[<=6,2] broadcast(x), dimensions={0}", lambda x: np.tile(x[:, None], 2)),
    "reshape, a dimension of 1": ("ROOT y = s32[1,<=6] reshape(x)", lambda x: x[None]),
    "reshape, major joined": (
        "t = s32[<=6,3] transpose(m), dimensions={1,0}\n  ROOT y = s32[<=18] reshape(t)", lambda x: np.repeat(x, 3)),
    "reshape, an even size split": (
        "d = s32[<=12] concatenate(x, x), dimensions={0}\n  ROOT y = s32[<=6,2] reshape(d)",
        lambda x: np.concatenate([x, x]).reshape(-1, 2)),
    "gather by dynamic indices": (
        "ROOT y = s32[<=6] gather(v, x), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
        "index_vector_dim=1, slice_sizes={1}", lambda x: V[np.clip(x, 0, 5)]),
    "scatter by dynamic indices": (
        "u = s32[6] broadcast(one), dimensions={}\n"
        "  ROOT y = s32[6] scatter(v, x, u), update_window_dims={}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add", lambda x: scattered(V, x)),
    "scatter into a dynamic array": (
        "i = s32[3,1] constant({{0},{3},{5}})\n  u = s32[3] broadcast(one), dimensions={}\n"
        "  ROOT y = s32[<=6] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add", lambda x: scattered(x, [0, 3, 5])),
    "dynamic-slice is clamped to the run-time size": (
        "k = s32[] constant(9)\n  ROOT y = s32[<=2] dynamic-slice(x, k), dynamic_slice_sizes={2}", lambda x: x[-2:]),
    "dynamic-update-slice is clamped to the run-time size": (
        "k = s32[] constant(9)\n  o = s32[1] broadcast(zero), dimensions={}\n"
        "  ROOT y = s32[<=6] dynamic-update-slice(x, o, k)", lambda x: np.append(x[:-1], 0)[: len(x)]),
    "dynamic-update-slice by a dynamic array": (
        "ROOT y = s32[6] dynamic-update-slice(whole_zero, x, zero)", lambda x: np.append(x, np.zeros(6 - len(x), int))),
    "select-and-scatter": (
        "s = s32[3] constant({10,20,30})\n"
        "  ROOT y = s32[<=6] select-and-scatter(x, s, zero), window={size=2 stride=2}, select=ge, scatter=add",
        lambda x: selected(x, [10, 20, 30][: len(x) // 2])),
    "convolution": (
        "k = s32[1,1,3] constant({{{1,2,3}}})\n  z = s32[1,1,<=6] reshape(x)\n"
        "  ROOT y = s32[1,1,<=6] convolution(z, k), window={size=3 pad=1_1}, dim_labels=bf0_io0->bf0",
        lambda x: np.array([[np.convolve(np.pad(x, 1), [3, 2, 1], "valid") if len(x) else x]])),
    "while": (
        "t = (s32[], s32[<=6]) tuple(zero, x)\n"
        "  l = (s32[], s32[<=6]) while(t), condition=condition, body=double\n"
        "  ROOT y = s32[<=6] get-tuple-element(l), index=1", lambda x: 8 * x),
    "dynamic-reshape": (
        "k = s32[] multiply(n, three)\n  ROOT y = s32[<=18] dynamic-reshape(m, k)", lambda x: np.tile(x, 3)),
}


def module(body):
    return f"""HloModule m
{COMPUTATIONS}
ENTRY e {{{PROLOGUE}  three = s32[] constant(3)
  whole_zero = s32[6] broadcast(zero), dimensions={{}}
  {body}
}}
"""


class RunTimeSizes(CliTest):
    def value(self, body, n):
        """Returns the value as JSON."""
        ran = self.run_on_size(body, n, code=0)
        self.assertEqual(ran.stderr, "")
        return json.loads(ran.stdout)["outputs"][0]

    def run_on_size(self, body, n, **options):
        row = f"s32[6] {{{','.join(map(str, V))}}}"
        return self.assay("run", "-", "--format", "json", "--input", row, f"s32[] {n}", stdin=module(body), **options)

    def test_every_op_sees_the_run_time_size(self):
        for name, (body, formula) in CASES.items():
            for n in range(7):
                with self.subTest(name, n=n):
                    value = self.value(body, n)
                    dtype = np.uint8 if value["shape"].startswith("u8") else np.int32
                    sizes = [int(s) for s in value["shape"].split("[")[1].rstrip("]").split(",") if s]
                    got = np.frombuffer(bytes.fromhex(value["data_hex"]), dtype).reshape(sizes)
                    np.testing.assert_array_equal(got, np.asarray(formula(V[:n]), dtype), strict=True)

    def test_a_size_out_of_range_counts_as_the_nearer_end(self):
        body, _ = CASES["reduce add"]
        for n, expected in [(-1, 0), (9, 22)]:
            self.assertEqual(self.value(body, n)["data_hex"], np.int32(expected).tobytes().hex())

    def test_elements_that_do_not_fill_the_reshaped_rows_are_an_error(self):
        ran = self.run_on_size("ROOT y = s32[<=3,2] reshape(x)", 5, code=2)
        self.assertIn("the 5 elements of the operand's run-time sizes s32[5] do not fill s32[2,2]", ran.stderr)

    def test_a_custom_call_that_knows_no_run_time_sizes_takes_none(self):
        body = 'w = u64[<=6] convert(x)\n  ROOT y = u32[<=6] custom-call(w), custom_call_target="X64SplitLow"'
        self.run_on_size(body, 6, code=0)
        ran = self.run_on_size(body, 3, code=2)
        self.assertIn('the target "X64SplitLow" takes no operands of run-time sizes, found operand 0 of size u64[3]',
                      ran.stderr)

    def test_an_input_below_its_bounds(self):
        text = "HloModule m\nENTRY e { x = s32[<=6,2] parameter(0) ROOT y = s32[<=6,2] negate(x) }"
        for value, expected in {"s32[1,2] {{3, 4}}": "{ { -3, -4 } }", "s32[0,2] {}": "{  }"}.items():
            with self.subTest(value):
                self.assertEqual(self.assay("run", "-", "--input", value, stdin=text, code=0).stdout.strip(), expected)
        rows = ", ".join(["{1, 2}"] * 7)
        for value in (f"s32[7,2] {{{rows}}}", "s32[1,1] {{3}}", "s32[2] {1, 2}", "u32[1,2] {{1, 2}}"):
            with self.subTest(value):
                self.assert_fails(2, "expects s32[<=6,2]", "run", "-", "--input", value, stdin=text)


class Backends(CliTest):
    TEXT = "HloModule m\nENTRY e { x = s32[<=4] parameter(0) ROOT y = s32[<=4] negate(x) }"

    def diff(self, backend, text, value):
        return self.assay("diff", "-", "--backend", backend, "--input", value, stdin=text)

    def test_a_result_of_other_sizes_is_wrong(self):
        one = 'reply = {"status": "ok", "outputs": [{"shape": "s32[1]", "data_hex": "ffffffff"}]}'
        backend = self.backend_of(peer(one))
        self.assertIn("EXACT", self.diff(backend, self.TEXT, "s32[1] {1}").stdout)
        ran = self.diff(backend, self.TEXT, "s32[2] {1, 1}")
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn("other sizes at run time: got s32[1], want s32[2]", ran.stdout)

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "needs jaxlib")
    def test_xla_takes_and_returns_them(self):
        for value in ("s32[0] {}", "s32[3] {1, 2, 3}", "s32[4] {1, 2, 3, 4}"):
            with self.subTest(value):
                ran = self.diff("xla-cpu", self.TEXT, value)
                self.assertIn("EXACT", ran.stdout, ran.stderr)
        # If such a module is not exact as a whole, its instructions are not judged alone.
        roots = self.TEXT.replace("s32", "f32").replace("negate", "exponential")
        self.assertRegex(self.diff("xla-cpu", roots, "f32[2] {-0.88397241, 3}").stdout, "(EXACT|LEGAL)")
