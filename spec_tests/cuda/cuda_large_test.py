"""Folds and products that are large enough for every division of work between threads and blocks: the backend cuda,
over the stand-ins of CUDA's libraries, returns the reference's results. All numbers are small integers: no sum rounds.
"""

import itertools
import json
import math
import pathlib
import tempfile

from spec_tests.cuda.cuda_test_case import CudaTest
from spec_tests.nightly import is_nightly, nightly

COMPUTATIONS = """
add {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b)
}
in_order {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  three = s32[] constant(3)
  c = s32[] multiply(a, three)
  ROOT r = s32[] subtract(c, b)
}
greatest {
  a = s32[] parameter(0)
  ai = s32[] parameter(1)
  b = s32[] parameter(2)
  bi = s32[] parameter(3)
  keeps = pred[] compare(a, b), direction=GE
  m = s32[] select(keeps, a, b)
  i = s32[] select(keeps, ai, bi)
  ROOT r = (s32[], s32[]) tuple(m, i)
}
lines {
  a = u32[] parameter(0)
  ab = u32[] parameter(1)
  b = u32[] parameter(2)
  bb = u32[] parameter(3)
  m = u32[] multiply(a, b)
  n = u32[] multiply(ab, b)
  o = u32[] add(n, bb)
  ROOT r = (u32[], u32[]) tuple(m, o)
}
greater_or_equal {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GE
}
"""
# Dimensions, and which are reduced.
REDUCTIONS = [([300000], [0]), ([3, 100000], [1]), ([3, 100000], [0]), ([50000, 7], [0]), ([40, 50, 60], [0, 2]),
              ([40, 50, 60], [1]), ([1000, 300], [0]), ([1000, 300], [1]), ([1, 7000, 1], [1]), ([9, 9, 9, 9], [1, 3]),
              ([2, 1, 65, 1, 3000], [2, 4])]
# Types, dimensions and attributes of a dot.
DOTS = [
    ("s32", "s32", "100,70", "70,50", "100,50", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("s8", "s32", "64,130", "65,130", "64,65", "lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
    ("f32", "f32", "33,3000", "3000,40", "33,40", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("f64", "f64", "3,40,70", "3,90,40", "3,70,90",
     "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={2}"),
    ("c64", "c64", "50,5,7,2", "7,5,60,2", "2,50,60",
     "lhs_batch_dims={3}, rhs_batch_dims={3}, lhs_contracting_dims={1,2}, rhs_contracting_dims={1,0}"),
    ("c64", "c128", "40,20", "20,30", "40,30", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("s32", "s32", "300000", "300000", "", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
    ("s32", "s32", "4,70000", "70000,3", "4,3", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("bf16", "f32", "300,200", "200", "300", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    ("bf16", "f32", "300", "300,200", "200", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
    ("s4", "s8", "130,3", "140,3", "130,140", "lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
]
CONVOLUTIONS = [
    ("f32", "2,16,16,8", "3,3,8,32", "2,16,16,32", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"),
    ("s32", "2,8,16,16", "32,8,3,3", "2,32,8,8", "window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01"),
    ("f32", "2,8,16,16", "64,4,3,3", "2,64,14,14",
     "window={size=3x3}, dim_labels=bf01_oi01->bf01, feature_group_count=2"),
    ("s8", "4,16,10,10", "32,16,3,3", "2,32,10,10",
     "window={size=3x3 pad=1_1x1_1 rhs_reversal=1x1}, dim_labels=bf01_oi01->bf01, batch_group_count=2"),
    ("f64", "1,12,12,8", "3,3,8,32", "1,25,25,32",
     "window={size=3x3 pad=2_2x2_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f"),
    ("c64", "1,40,8", "3,8,32", "1,36,32", "window={size=3 rhs_dilate=2}, dim_labels=b0f_0io->b0f"),
    ("f32", "1,16,16,64", "3,3,1,64", "1,16,16,64",
     "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=64"),
    ("f32", "20,2000", "2000,30", "20,30", "dim_labels=bf_io->bf"),
]
# Dimensions, positions, window.
WINDOWS = [("40,50", "38,48", "size=3x3"), ("40,50", "1,1", "size=40x50"), ("3,30,30", "3,1,1", "size=1x30x30"),
           ("1000", "1000", "size=1000 pad=999_0"), ("30,30", "15,15", "size=3x3 stride=2x2 pad=1_0x1_0"),
           ("30,30", "30,30", "size=3x5 pad=2_2x4_4 rhs_dilate=2x2"), ("30,30", "57,57", "size=3x3 lhs_dilate=2x2"),
           ("30,30", "24,26", "size=3x3 pad=-2_-2x-1_-1 rhs_reversal=1x0"),
           ("20,20", "30,20", "size=30x1 pad=20_0x0_0 lhs_dilate=2x1 rhs_reversal=1x0")]
# Dimensions, and which is scanned.
SCANS = [([3000], 0), ([2, 700, 3], 1), ([100, 30], 1), ([60000], 0), ([1, 1000], 1), ([600000], 0)]
SCANNED = [("add", "s32"), ("multiply", "u32"), ("maximum", "f32")]  # ops and types


# The entries of each list that divide the work differently: by rows, columns, blocks, or one at a time.
OFTEN = {"reductions": (0, 1, 2, 4, 6, 10), "dots": (0, 2, 4, 6, 8, 10), "convolutions": (0, 2, 3, 5, 6),
         "windows": (0, 2, 3, 5, 6, 7), "scans": (0, 1, 4, 5)}


def often(name, rows):
    """Returns the numbered rows of a list that every run uses; all of them in nightly tests."""
    if is_nightly(f"large arrays: half of the {name}"):
        return list(enumerate(rows))
    return [(number, rows[number]) for number in OFTEN[name]]


def listed(numbers):
    """Returns the list in HLO's syntax, without the braces."""
    return ",".join(map(str, numbers))


def small(name, number, type_, dimensions):
    """Returns a parameter of small whole numbers of a type."""
    return (f"  {name}p = s32[{dimensions}] parameter({number})\n  {name}s = s32[] constant(5)\n"
            f"  {name}v = s32[{dimensions}] broadcast({name}s), dimensions={{}}\n"
            f"  {name}d = s32[{dimensions}] remainder({name}p, {name}v)\n"
            f"  {name} = {type_}[{dimensions}] convert({name}d)\n")


class Large(CudaTest):
    def same(self, entry):
        """Runs a module of the computations and this entry on both, and nothing of it on the host."""
        text = f"HloModule m\n{COMPUTATIONS}ENTRY e {{\n{entry}}}\n"
        wanted = self.assay("run", self.module(text), "--seed", 3)
        self.assertEqual(wanted.returncode, 0, wanted.stderr)
        done = self.run_module(text, "--seed", 3, ASSAY_CUDA_LOG=self.folder / "log")
        self.assertEqual((done.returncode, done.stdout), (0, wanted.stdout), done.stderr)
        self.assertEqual(self.counts()[-1]["host"], {})

    def test_reductions(self):
        for _, (sizes, reduced) in often("reductions", REDUCTIONS):
            d, r = listed(sizes), listed(reduced)
            out = listed(size for i, size in enumerate(sizes) if i not in reduced)
            with self.subTest(dimensions=d, reduced=r):
                self.same(f"""{small("x", 0, "s32", d)}{small("y", 1, "u32", d)}
  five = s32[] constant(5)
  one = u32[] constant(1)
  two = u32[] constant(2)
  least = s32[] constant(-2147483648)
  number = s32[{math.prod(sizes)}] iota(), iota_dimension=0
  place = s32[{d}] reshape(number)
  ones = u32[{d}] broadcast(one), dimensions={{}}
  odd = u32[{d}] or(y, ones)
  sum = s32[{out}] reduce(x, five), dimensions={{{r}}}, to_apply=add
  best = (s32[{out}], s32[{out}]) reduce(x, place, least, five), dimensions={{{r}}}, to_apply=greatest
  line = (u32[{out}], u32[{out}]) reduce(odd, y, one, two), dimensions={{{r}}}, to_apply=lines
  ROOT all = (s32[{out}], (s32[{out}], s32[{out}]), (u32[{out}], u32[{out}])) tuple(sum, best, line)
""")

    def kernels_of(self, text):
        """Runs a module on both, and returns the texts of its kernels."""
        dump = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        wanted = self.assay("run", self.module(text), "--seed", 3, "--format", "json")
        self.assertEqual(wanted.returncode, 0, wanted.stderr)
        done = self.run_module(text, "--seed", 3, "--format", "json", ASSAY_CUDA_DUMP=dump)
        self.assertEqual(json.loads(done.stdout)["outputs"], json.loads(wanted.stdout)["outputs"])
        kernels = [path.read_text() for path in dump.iterdir()]
        self.assertNotEqual(kernels, [])
        return kernels

    def test_packs(self):
        counts = itertools.cycle((600000, 600001))
        # The types of the operands and of the result, and the number of elements that are processed at a time.
        for types, result, pack in ((("f32", "f32"), "f32", 4), (("bf16", "bf16"), "bf16", 8), (("s8", "u8"), "s8", 16),
                                    (("pred", "f16"), "f16", 16), (("f8e5m2", "f32"), "bf16", 8), (("f64", "s8"), "f32", 4),
                                    (("s4", "c64"), "c64", 4), (("f32", "c128"), "pred", 2), (("c128", "c128"), "c128", None)):
            for count in (600000, 600001) if is_nightly("packs: whole and broken ones of each type") else (next(counts),):
                with self.subTest(types=types, count=count):
                    a, b = types
                    d = f"[{count}]"
                    text = (f"HloModule m\nENTRY e {{\n  x = {a}{d} parameter(0)\n  y = {b}{d} parameter(1)\n"
                            f"  z = s32[] parameter(2)\n  xx = {result}{d} convert(x)\n  yy = {result}{d} convert(y)\n"
                            f"  zz = {result}[] convert(z)\n  zs = {result}{d} broadcast(zz), dimensions={{}}\n"
                            f"  v = {result}{d} add(xx, yy)\n  ROOT w = {result}{d} add(v, zs)\n}}\n")
                    (kernel,) = self.kernels_of(text)
                    self.assertEqual("packed<" in kernel, pack is not None)
                    if pack is not None:
                        self.assertTrue(f"packed<{result}, {pack}> results" in kernel)

    def test_packs_of_rows(self):
        ops = itertools.cycle(("add", "maximum"))
        # Rows of whole packs, of half ones, and of single elements; one row in parts.
        for type_, sizes, reduced, pack in (("s8", (40, 4096), 1, 16), ("s8", (40, 4104), 1, 8), ("s8", (40, 4099), 1, None),
                                            ("bf16", (3, 5, 512), 2, 8), ("f32", (400000,), 0, 4), ("f64", (9, 300), 1, 2),
                                            ("u16", (7, 1, 640, 1), 2, 4), ("f32", (300, 400), 0, None),
                                            ("pred", (1000, 32), 1, 8)):
            for op in ("add", "maximum") if is_nightly("packs of rows: both ops of each type") else (next(ops),):
                with self.subTest(type=type_, dimensions=sizes, op=op):
                    d = listed(sizes)
                    out = listed(size for i, size in enumerate(sizes) if i != reduced)
                    of = "s32" if type_ == "pred" else type_
                    text = (f"HloModule m\nf {{\n  a = {of}[] parameter(0)\n  b = {of}[] parameter(1)\n"
                            f"  ROOT r = {of}[] {op}(a, b)\n}}\nENTRY e {{\n{small('x', 0, type_, d)}"
                            f"  y = {type_}[{d}] parameter(1)\n  ys = s32[{d}] convert(y)\n  three = s32[] constant(3)\n"
                            f"  threes = s32[{d}] broadcast(three), dimensions={{}}\n  ym = s32[{d}] remainder(ys, threes)\n"
                            f"  yt = {of}[{d}] convert(ym)\n  i = {of}[] parameter(2)\n"
                            f"  ROOT r = {of}[{out}] reduce(yt, i), dimensions={{{reduced}}}, to_apply=f\n}}\n")
                    kernels = "".join(self.kernels_of(text))
                    if pack is None:
                        self.assertFalse(" q1 = *(const packed<" in kernels)
                    else:
                        self.assertTrue(f"packed<{type_}, {pack}> q" in kernels)

    def test_operands_not_read_in_order_are_not_packed(self):
        for text in ("y = s8[700,1000] reverse(x), dimensions={1}", "y = s8[700,1000] transpose(w), dimensions={1,0}",
                     "y = s8[700,1000] broadcast(v), dimensions={1}"):
            module = (f"HloModule m\nENTRY e {{\n  x = s8[700,1000] parameter(0)\n  w = s8[1000,700] parameter(1)\n"
                      f"  v = s8[1000] parameter(2)\n  {text}\n  ROOT z = s8[700,1000] add(y, x)\n}}\n")
            self.assertFalse(any("packed<" in kernel for kernel in self.kernels_of(module)))

    def test_dots(self):
        for _, (type_, result, a, b, out, attributes) in often("dots", DOTS):
            with self.subTest(type=type_, dimensions=f"{a} {b}"):
                self.same(f"{small('x', 0, type_, a)}{small('y', 1, type_, b)}"
                          f"  ROOT r = {result}[{out}] dot(x, y), {attributes}\n")

    def test_convolutions(self):
        for _, (type_, a, b, out, attributes) in often("convolutions", CONVOLUTIONS):
            with self.subTest(type=type_, attributes=attributes):
                self.same(f"{small('x', 0, type_, a)}{small('y', 1, type_, b)}"
                          f"  ROOT r = {type_}[{out}] convolution(x, y), {attributes}\n")

    def test_padding_is_no_factor_of_infinity(self):
        d, k = "2,16,16,8", "3,3,8,32"
        self.same(f"""{small("x", 0, "f32", d)}{small("y", 1, "f32", k)}
  one = f32[] constant(1)
  ones = f32[{k}] broadcast(one), dimensions={{}}
  w = f32[{k}] divide(ones, y)
  c = f32[2,16,16,32] convolution(x, w), window={{size=3x3 pad=1_1x1_1}}, dim_labels=b01f_01io->b01f
  ROOT r = pred[2,16,16,32] compare(c, c), direction=EQ
""")

    def test_windows(self):
        for _, (d, out, window) in often("windows", WINDOWS):
            with self.subTest(window=window):
                self.same(f"""{small("x", 0, "s32", d)}
  two = s32[] constant(2)
  sum = s32[{out}] reduce-window(x, two), window={{{window}}}, to_apply=add
  line = s32[{out}] reduce-window(x, two), window={{{window}}}, to_apply=in_order
  back = s32[{d}] select-and-scatter(x, sum, two), window={{{window}}}, select=greater_or_equal, scatter=add
  line_back = s32[{d}] select-and-scatter(x, sum, two), window={{{window}}}, select=greater_or_equal, scatter=in_order
  ROOT all = (s32[{out}], s32[{out}], s32[{d}], s32[{d}]) tuple(sum, line, back, line_back)
""")

    def test_scans(self):
        # Each dimensions one way; the two ways in turn.
        for i, (sizes, dimension) in often("scans", SCANS):
            self.scan(sizes, dimension, *SCANNED[i % len(SCANNED)], ("false", "true")[i % 2])

    @nightly
    def test_scans_by_every_op_both_ways(self):
        for sizes, dimension in SCANS:
            for op, type_ in SCANNED:
                for is_reverse in ("true", "false"):
                    self.scan(sizes, dimension, op, type_, is_reverse)

    def scan(self, sizes, dimension, op, type_, is_reverse):
        with self.subTest(dimensions=sizes, op=op, is_reverse=is_reverse):
            lanes = listed(size for i, size in enumerate(sizes) if i != dimension)
            step = (f"step {{\n  x = {type_}[{lanes}] parameter(0)\n  y = {type_}[{lanes}] parameter(1)\n"
                    f"  s = {type_}[{lanes}] {op}(y, x)\n"
                    f"  ROOT r = ({type_}[{lanes}], {type_}[{lanes}]) tuple(s, s)\n}}\n")
            d = listed(sizes)
            text = (f"HloModule m\n{step}ENTRY e {{\n{small('x', 0, type_, d)}"
                    f"  y = {type_}[{lanes}] parameter(1)\n  xx = {type_}[{d}] add(x, x)\n"
                    f"  one = {type_}[] constant(1)\n  ones = {type_}[{d}] broadcast(one), dimensions={{}}\n"
                    f"  odd = {type_}[{d}] add(xx, ones)\n"
                    f"  ROOT r = ({type_}[{d}], {type_}[{lanes}]) scan(odd, y), dimensions={{{dimension}}},"
                    f" num_carries=1, is_reverse={is_reverse}, is_associative=true, to_apply=step\n}}\n")
            wanted = self.assay("run", self.module(text), "--seed", 3)
            self.assertEqual(wanted.returncode, 0, wanted.stderr)
            done = self.run_module(text, "--seed", 3, ASSAY_CUDA_LOG=self.folder / "log")
            self.assertEqual((done.returncode, done.stdout), (0, wanted.stdout), done.stderr)
            self.assertEqual(self.counts()[-1]["host"], {})
