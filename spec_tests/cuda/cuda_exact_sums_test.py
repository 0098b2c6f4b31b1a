"""Sums of floating and complex numbers on the backend cuda:exact, over the stand-ins of CUDA's libraries: the reference's
bits, computed on the device except for the few elements that it leaves in doubt. The test sums_oracle compares the
reference with rational arithmetic, and this test adds small cases whose sums are written out.
"""

import json
import random
import struct

from spec_tests.cuda.cuda_test_case import CudaTest
from spec_tests.nightly import is_nightly, nightly
from spec_tests.sanitized import without_sanitizer

BITS = {"f64": 64, "f32": 32, "bf16": 16, "f16": 16, "f8e5m2": 8, "f8e4m3fn": 8, "f8e4m3fnuz": 8, "f8e8m0fnu": 8,
        "f8e3m4": 8, "f6e2m3fn": 6, "f4e2m1fn": 4}  # fmt: skip
PARTS = {"c64": "f32", "c128": "f64"}
OFTEN = ["f64", "f32", "bf16", "f8e8m0fnu", "c64"]
SELDOM = [type_ for type_ in (*BITS, *PARTS) if type_ not in OFTEN]
EXPONENT = {"f64": (52, 1023), "f32": (23, 127), "bf16": (7, 127), "f16": (10, 15)}
# Dimensions, and which are reduced.
REDUCTIONS = [([7], [0]), ([3, 40], [1]), ([40, 9], [0]), ([0, 3], [0]), ([5, 30, 2], [1]), ([4, 5, 6], [0, 2]),
              ([20000], [0]), ([2, 5000], [1])]
DOTS = [("9", "9", "", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
        ("4,60", "60,3", "4,3", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        ("33,37", "37,40", "33,40", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        ("2,20,70", "2,60,20", "2,70,60",
         "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={2}"),
        ("3,0", "0,4", "3,4", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        ("2,9000", "9000,2", "2,2", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        ("40,1500", "1500,40", "40,40", "lhs_contracting_dims={1}, rhs_contracting_dims={0}")]
CONVOLUTIONS = [("1,6,6,2", "3,3,2,3", "1,6,6,3", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"),
                ("2,4,8,8", "32,2,3,3", "2,32,4,4",
                 "window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=2"),
                ("2,6,6,4", "3,3,4,32", "2,13,13,32",
                 "window={size=3x3 pad=2_2x2_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f"),
                ("4,9,6", "6,3,6", "4,6,3",
                 "window={size=3 pad=1_1 rhs_reversal=1}, dim_labels=0bf_o0i->0fb, batch_group_count=3")]
WINDOWS = [("40", "38", "size=3"), ("9,9", "9,9", "size=3x3 pad=1_1x1_1"), ("600", "2", "size=599"),
           ("12", "12", "size=12 pad=11_0"), ("5,0", "5,2", "size=1x2 pad=0_0x1_2"),
           ("7,8", "13,4", "size=3x2 pad=1_1x0_0 stride=1x2 lhs_dilate=2x1 rhs_reversal=1x0")]


def is_left_out(type_number, case_number):
    """True for three of four pairs of a type and a case: each type and each case remains."""
    return (type_number + case_number) % 4 != 0 and not is_nightly("exact sums: three of four pairs of a type and a case")


def reducer(type_):
    return f"add {{\n  a = {type_}[] parameter(0)\n  b = {type_}[] parameter(1)\n  ROOT r = {type_}[] add(a, b)\n}}\n"


def size(dimensions):
    count = 1
    for text in filter(None, dimensions.split(",")):
        count *= int(text)
    return count


@without_sanitizer("it does not know the fibers of the stand-ins")
class ExactSums(CudaTest):
    types = OFTEN

    def setUp(self):
        super().setUp()
        self.random = random.Random(17)
        self.doubtful = 0

    def bits(self, type_, kind):
        """Returns one number: any pattern; or one near 1; or a power of two or similar, so that sums cancel and tie."""
        width = BITS[type_]
        if kind == "any" or type_ not in EXPONENT:
            return self.random.getrandbits(width)
        mantissa, bias = EXPONENT[type_]
        sign = self.random.getrandbits(1) << (width - 1)
        if kind == "near":
            return sign | self.random.randint(bias - 6, bias + 2) << mantissa | self.random.getrandbits(mantissa)
        last = self.random.choice([0, 0, 0, 1, 1 << (mantissa - 1)])
        return sign | self.random.choice([1, bias - mantissa - 1, bias - 2, bias, bias + 1, 2 * bias - 4]) << mantissa | last

    def value(self, type_, dimensions, kind):
        part = PARTS.get(type_, type_)
        count = size(dimensions) * (2 if type_ in PARTS else 1)
        width = max(BITS[part], 8) // 8
        if kind == "negative zeros":
            numbers = [1 << (BITS[part] - 1)] * count
        else:
            numbers = [self.bits(part, kind) for _ in range(count)]
        data = b"".join(number.to_bytes(width, "little") for number in numbers)
        return {"shape": f"{type_}[{dimensions}]", "data_hex": data.hex()}

    def same(self, text, values, op, may_be_many=False):
        """Checks that both give the same bits, and that the device has computed the instruction of this op."""
        path = self.module(text)
        inputs = self.folder / "inputs.json"
        inputs.write_text(json.dumps({"inputs": values}))
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        want = self.assay("run", path, "--inputs", inputs, "--format", "json")
        self.assertEqual(want.returncode, 0, want.stderr)
        got = self.assay("run", path, "--backend", "cuda:exact", "--inputs", inputs, "--format", "json", ASSAY_CUDA_LOG=log)
        self.assertEqual((got.returncode, got.stderr), (0, ""))
        self.assertEqual(json.loads(got.stdout)["outputs"], json.loads(want.stdout)["outputs"], text)
        counts = self.counts()[-1]
        # A finite sum of f64 numbers that overflows in between is in doubt, and there may be more of them than the list
        # holds.
        self.assertEqual(counts["device"].get(op, 0), 1)
        self.assertIn(counts["host"], ({}, {"fusion": 1}) if may_be_many else ({},))
        self.doubtful += counts["doubtful"]
        return json.loads(got.stdout)["outputs"]

    def kinds(self, type_):
        return ("any", "near", "powers", "negative zeros") if PARTS.get(type_, type_) in EXPONENT else ("any",)

    def reduce(self, type_, dimensions, reduced, kind):
        d = ",".join(map(str, dimensions))
        out = ",".join(str(n) for i, n in enumerate(dimensions) if i not in reduced)
        text = (f"HloModule m\n{reducer(type_)}ENTRY e {{\n  x = {type_}[{d}] parameter(0)\n  i = {type_}[] parameter(1)\n"
                f"  ROOT r = {type_}[{out}] reduce(x, i), dimensions={{{','.join(map(str, reduced))}}}, to_apply=add\n}}\n")
        self.same(text, [self.value(type_, d, kind), self.value(type_, "", kind)], "reduce")

    def test_reductions(self):
        for number, type_ in enumerate(self.types):
            for i, (dimensions, reduced) in enumerate(REDUCTIONS):
                if is_left_out(number, i):
                    continue
                for kind in self.kinds(type_)[i % 2::2] if len(self.kinds(type_)) > 1 else ("any",):
                    with self.subTest(type=type_, dimensions=dimensions, kind=kind):
                        self.reduce(type_, dimensions, reduced, kind)

    def product(self, op, types, a, b, out, attributes, kind):
        lhs, rhs, result = types
        text = (f"HloModule m\nENTRY e {{\n  x = {lhs}[{a}] parameter(0)\n  y = {rhs}[{b}] parameter(1)\n"
                f"  ROOT r = {result}[{out}] {op}(x, y), {attributes}\n}}\n")
        self.same(text, [self.value(lhs, a, kind), self.value(rhs, b, kind)], op,
                  may_be_many="f64" in types or "c128" in types)

    def test_dots(self):
        types = [(t, t, t) for t in self.types] + [("bf16", "bf16", "f32"), ("f64", "f32", "f32"), ("f32", "c64", "c64"),
                                              ("f16", "f8e5m2", "f64")]
        for i, of in enumerate(types):
            for j, dot in enumerate(DOTS):
                if is_left_out(i, j):
                    continue
                # The long ones for some types.
                if j >= 5 and of[2] not in ("f32", "bf16", "f64", "c64"):
                    continue
                kinds = self.kinds(of[0])
                kind = kinds[(i + j) % len(kinds)]
                with self.subTest(types=of, dimensions=dot[:2], kind=kind):
                    self.product("dot", of, *dot, kind)

    def test_convolutions(self):
        for i, type_ in enumerate(self.types):
            for j, convolution in enumerate(CONVOLUTIONS):
                if is_left_out(i, j):
                    continue
                kinds = self.kinds(type_)
                with self.subTest(type=type_, attributes=convolution[3]):
                    self.product("convolution", (type_,) * 3, *convolution, kinds[(i + j) % len(kinds)])

    def test_windows(self):
        for i, type_ in enumerate(self.types):
            for j, (d, out, window) in enumerate(WINDOWS):
                if is_left_out(i, j):
                    continue
                kinds = self.kinds(type_)
                text = (f"HloModule m\n{reducer(type_)}ENTRY e {{\n  x = {type_}[{d}] parameter(0)\n"
                        f"  i = {type_}[] parameter(1)\n"
                        f"  ROOT r = {type_}[{out}] reduce-window(x, i), window={{{window}}}, to_apply=add\n}}\n")
                kind = kinds[(i + j) % len(kinds)]
                with self.subTest(type=type_, window=window, kind=kind):
                    self.same(text, [self.value(type_, d, kind), self.value(type_, "", kind)], "reduce-window")

    def total(self, *numbers):
        """Returns the f32 sum of these, from -0."""
        text = (f"HloModule m\n{reducer('f32')}ENTRY e {{\n  x = f32[{len(numbers)}] parameter(0)\n"
                f"  i = f32[] parameter(1)\n  ROOT r = f32[] reduce(x, i), dimensions={{0}}, to_apply=add\n}}\n")
        values = [{"shape": f"f32[{len(numbers)}]", "data_hex": struct.pack(f"<{len(numbers)}f", *numbers).hex()},
                  {"shape": "f32[]", "data_hex": struct.pack("<f", -0.0).hex()}]
        ((output,),) = [self.same(text, values, "reduce")]
        return struct.unpack("<f", bytes.fromhex(output["data_hex"]))[0]

    def test_sums_that_are_known(self):
        ulp = 2.0**-23
        infinity = float("inf")
        for numbers, total, doubtful in (
                ((1.0, ulp / 2), 1.0, 0),  # a tie, which f64 holds
                ((1.0, ulp / 2, 2.0**-100), 1 + ulp, 0),  # hardly more
                ((1 + ulp, ulp / 2, -(2.0**-100)), 1 + ulp, 0),  # hardly less
                ((2.0**127, 2.0**127, -(2.0**127)), 2.0**127, 0),  # too large on the way
                ((2.0**127, 2.0**127), infinity, 0),
                ((2.0**-149, 2.0**-149, 2.0**-148), 2.0**-147, 0),
                ((infinity, -(2.0**127)), infinity, 0),
                ((-0.0, -0.0), -0.0, 0),
                ((1.0, -1.0), 0.0, 0),
                # No bit of the remaining sum is certain.
                ((2.0**100, 1.0, 2.0**-100, -(2.0**100)), 1.0, 0),
                ((2.0**100, 2.0**30, 2.0**-60, -(2.0**100), -(2.0**30)), 2.0**-60, 1),
                ((2.0**100, 2.0**30, 2.0**-60, -(2.0**100), -(2.0**30), -(2.0**-60)), 0.0, 1)):  # fmt: skip
            with self.subTest(numbers=numbers):
                self.doubtful = 0
                got = self.total(*numbers)
                self.assertEqual(struct.pack("<f", got), struct.pack("<f", total), (got, total))
                self.assertEqual(self.doubtful, doubtful)
        self.assertNotEqual(*[self.total(*n) for n in ((infinity, -infinity),)] * 2)  # NaN

    def test_many_doubts(self):
        # More than fit into the list: the whole is the host's, and the same.
        for rows, on_host in ((300, {}), (5000, {"fusion": 1})):
            text = (f"HloModule m\n{reducer('f32')}ENTRY e {{\n  x = f32[6] parameter(0)\n  i = f32[] parameter(1)\n"
                    f"  y = f32[{rows},6] broadcast(x), dimensions={{1}}\n"
                    f"  ROOT r = f32[{rows}] reduce(y, i), dimensions={{1}}, to_apply=add\n}}\n")
            numbers = (2.0**100, 2.0**30, 2.0**-60, -(2.0**100), -(2.0**30), -(2.0**-61))
            inputs = self.folder / "inputs.json"
            inputs.write_text(json.dumps({"inputs": [
                {"shape": "f32[6]", "data_hex": struct.pack("<6f", *numbers).hex()},
                {"shape": "f32[]", "data_hex": "00000000"}]}))  # fmt: skip
            log = self.folder / "log"
            done = self.assay("run", self.module(text), "--backend", "cuda:exact", "--inputs", inputs, "--format", "json",
                              ASSAY_CUDA_LOG=log)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["outputs"][0]["data_hex"], struct.pack("<f", 2.0**-61).hex() * rows)
            counts = self.counts()[-1]
            self.assertEqual((counts["host"], counts["doubtful"]), (on_host, 0 if on_host else rows))

    def test_doubts_are_few(self):
        # 4096 sums of numbers like those of a network; some of them cancel.
        dot = "64,300", "300,64", "64,64", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
        for type_ in ("f32", "bf16", "f64"):
            self.doubtful = 0
            self.product("dot", (type_,) * 3, *dot, "near")
            self.assertLess(self.doubtful, 4)


@nightly
class OtherTypes(ExactSums):
    types = SELDOM
