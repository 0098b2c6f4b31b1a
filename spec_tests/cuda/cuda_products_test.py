"""Dots of the backend cuda: by cuBLASLt if it is available, otherwise by a kernel."""

import json
import os
import unittest

from spec_tests.cuda.cuda_test_case import CudaTest
from spec_tests.nightly import IS_NIGHTLY, REASON, is_nightly
from spec_tests.sanitized import without_sanitizer

# Operands, result and dimension numbers, and the products that the library computes (None: nothing).
DOTS = [
    ("f32[3,5]", "f32[5,4]", "f32[3,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "1 products of 3 x 5 x 4"),
    ("f64[5,3]", "f64[5,4]", "f64[3,4]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", "1 products of 3 x 5 x 4"),
    ("bf16[3,5]", "bf16[4,5]", "bf16[3,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}", "1 products of 3 x 5 x 4"),
    ("f16[5,3]", "f16[4,5]", "f16[3,4]", "lhs_contracting_dims={0}, rhs_contracting_dims={1}", "1 products of 3 x 5 x 4"),
    ("c64[3,5]", "c64[5,4]", "c64[3,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "1 products of 3 x 5 x 4"),
    ("c128[3,5]", "c128[5,4]", "c128[3,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "1 products of 3 x 5 x 4"),
    ("s8[3,5]", "s8[5,4]", "s32[3,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "1 products of 3 x 5 x 4"),
    ("f32[2,6,3,5]", "f32[2,6,5,4]", "f32[2,6,3,4]", "lhs_batch_dims={0,1}, lhs_contracting_dims={3},"
     " rhs_batch_dims={0,1}, rhs_contracting_dims={2}", "12 products of 3 x 5 x 4"),
    ("f32[2,3,5,7]", "f32[5,7,4]", "f32[2,3,4]", "lhs_contracting_dims={2,3}, rhs_contracting_dims={0,1}",
     "1 products of 6 x 35 x 4"),
    ("f32[5]", "f32[5]", "f32[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", "1 products of 1 x 5 x 1"),
    # A batch dimension behind the others, contracting dimensions in two places, an algorithm.
    ("f32[3,5,2]", "f32[2,5,4]", "f32[2,3,4]", "lhs_batch_dims={2}, lhs_contracting_dims={1}, rhs_batch_dims={0},"
     " rhs_contracting_dims={1}", None),
    ("f32[5,3,7]", "f32[5,7,4]", "f32[3,4]", "lhs_contracting_dims={0,2}, rhs_contracting_dims={0,1}", None),
    ("f32[3,5]", "f32[5,4]", "f32[3,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_f32_f32_f32",
     None),
    ("s32[3,5]", "s32[5,4]", "s32[3,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", None),
    ("f32[3,0]", "f32[0,4]", "f32[3,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", None),
]  # fmt: skip

# Rows of type, input, kernel, result, attributes and products. Each product is just large enough for the library.
CONVOLUTIONS = [
    ("f32", "2,32,32,32", "3,3,32,128", "2,32,32,128", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
     ["1 products of 2048 x 288 x 128"]),
    ("bf16", "2,64,34,34", "128,32,3,3", "2,128,32,32",
     "window={size=3x3 rhs_reversal=1x0}, dim_labels=bf01_oi01->bf01, feature_group_count=2",
     ["2 products of 2048 x 288 x 64"]),
    ("f16", "4,32,32,32", "3,3,32,128", "32,32,2,128",
     "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->01bf, batch_group_count=2", ["2 products of 2048 x 288 x 64"]),
    ("f64", "4,32,32,128", "1,1,128,128", "4,32,32,128", "window={size=1x1}, dim_labels=b01f_01io->b01f",
     ["1 products of 4096 x 128 x 128"]),
    ("f64", "4,128,32,32", "1,1,128,128", "4,32,32,128", "window={size=1x1}, dim_labels=bf01_01io->b01f",
     ["1 products of 4096 x 128 x 128"]),
    # Two slabs.
    ("c128", "2,64,64,64", "16,3,3,64", "2,16,64,64", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_o01i->bf01",
     ["1 products of 7281 x 576 x 16", "1 products of 911 x 576 x 16"]),
    ("c128", "2,64,64,64", "16,3,3,64", "2,64,64,16", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_o01i->b01f",
     ["1 products of 7281 x 576 x 16", "1 products of 911 x 576 x 16"]),
    ("f32", "2,32,32,32", "3,3,32,96", "2,32,32,96", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f", []),
    ("f32", "2,32,32,128", "3,3,1,2560", "2,30,30,2560",
     "window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=128", []),
    ("s32", "2,32,32,32", "3,3,32,128", "2,32,32,128", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f", []),
]  # fmt: skip
# Convolutions in groups of features and of batches, in slabs, and one that the library does not compute. The test of
# padding has a plain one.
SOME_CONVOLUTIONS = [CONVOLUTIONS[i] for i in (1, 2, 6, 9)]


def of_dot(row):
    """Returns the instructions of a row of DOTS."""
    lhs, rhs, result, numbers, _ = row
    return f"x = {lhs} parameter(0)\ny = {rhs} parameter(1)\nROOT z = {result} dot(x, y), {numbers}"


def of_convolution(row):
    """Returns the instructions of a row of CONVOLUTIONS."""
    type_, a, b, out, attributes, _ = row
    return (f"x = {type_}[{a}] parameter(0)\ny = {type_}[{b}] parameter(1)\n"
            f"ROOT z = {type_}[{out}] convolution(x, y), {attributes}")


@without_sanitizer("it does not know the fibers of the stand-ins")
class Products(CudaTest):
    def products(self, entry, backend="cuda", library=None, profile=()):
        """Checks that both have the same results of an entry, and returns the library's products."""
        log = self.folder / "products"
        log.unlink(missing_ok=True)
        done = self.assay("diff", self.module(f"HloModule m\nENTRY e {{\n{entry}\n}}\n"), "--backend", backend, *profile,
                          "--seed", 3, ASSAY_CUDA_CUBLASLT=library or os.environ["HOST_CUBLASLT"],
                          HOST_CUBLASLT_LOG=log)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return log.read_text().splitlines() if log.exists() else []

    def test_by_the_library(self):
        for dot in DOTS:
            with self.subTest(dot=dot):
                self.assertEqual(self.products(of_dot(dot))[:1], [dot[4]] if dot[4] else [])

    def test_operands_that_are_one_or_none(self):
        square = "x = f32[4,4] parameter(0)\nROOT z = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}"
        self.assertEqual(self.products(square)[0], "1 products of 4 x 4 x 4")
        self.assertEqual(self.products("y = f32[] parameter(0)\nx = f32[] constant(3)\nROOT z = f32[] dot(x, y)"), [])

    @unittest.skipIf(os.environ.get("HOST_DRIVER_CHECKS") and not IS_NIGHTLY, REASON)
    def test_convolutions(self):
        some = CONVOLUTIONS if is_nightly("convolutions of f64, c128 and small ones") else SOME_CONVOLUTIONS
        for convolution in some:
            with self.subTest(convolution=convolution):
                self.assertEqual(self.products(of_convolution(convolution)), convolution[-1])

    def test_padding_is_no_factor_of_infinity(self):
        # The NaN that the library computes from the kernel's infinity times padding must not remain. The kernel without
        # infinities has whole numbers, so that the result is the reference's.
        kernels = ("y", "w") if is_nightly("convolutions of whole numbers by the library") else ("w",)
        for kernel in kernels:
            text = f"""HloModule m
ENTRY e {{
  xs = s32[2,32,32,32] parameter(0)
  ys = s32[3,3,32,128] parameter(1)
  x = f32[2,32,32,32] convert(xs)
  three = s32[] constant(3)
  threes = s32[3,3,32,128] broadcast(three), dimensions={{}}
  yr = s32[3,3,32,128] remainder(ys, threes)
  y = f32[3,3,32,128] convert(yr)
  one = f32[] constant(1)
  ones = f32[3,3,32,128] broadcast(one), dimensions={{}}
  w = f32[3,3,32,128] divide(ones, y)
  c = f32[2,32,32,128] convolution(x, {kernel}), window={{size=3x3 pad=1_1x1_1}}, dim_labels=b01f_01io->b01f
  d = pred[2,32,32,128] compare(c, c), direction=EQ
  ROOT r = s32[2,32,32,128] convert({"c" if kernel == "y" else "d"})
}}
"""
            want = self.assay("run", self.module(text), "--seed", 3, "--format", "json")
            got = self.assay("run", self.module(text), "--seed", 3, "--format", "json", "--backend", "cuda",
                             ASSAY_CUDA_CUBLASLT=os.environ["HOST_CUBLASLT"], HOST_CUBLASLT_LOG=self.folder / "products")
            self.assertEqual((want.returncode, got.returncode), (0, 0), got.stderr)
            self.assertEqual(json.loads(got.stdout)["outputs"], json.loads(want.stdout)["outputs"])
        self.assertEqual((self.folder / "products").read_text().splitlines(), ["1 products of 2048 x 288 x 128"] * len(kernels))

    def test_exact_sums_are_not_the_librarys(self):
        self.assertEqual(self.products(of_convolution(CONVOLUTIONS[3]), "cuda:exact", profile=("--profile", "exact")), [])

    def test_without_the_library(self):
        for dot in DOTS:
            with self.subTest(dot=dot):
                self.products(of_dot(dot), library="/none/libcublasLt.so")
