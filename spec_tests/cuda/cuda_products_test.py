"""Dots of the backend cuda: by cuBLASLt where it is there, and by a kernel of its own where it is not."""

import os
import unittest

from spec_tests.cuda.cuda_test_case import CudaTest

# Operands, result and dimension numbers, and what the library is asked for (None: nothing).
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


class Products(CudaTest):
    def check(self, dot, **settings):
        lhs, rhs, result, numbers, _ = dot
        path = self.module(f"HloModule m\nENTRY e {{\n  x = {lhs} parameter(0)\n  y = {rhs} parameter(1)\n"
                           f"  ROOT z = {result} dot(x, y), {numbers}\n}}\n")
        done = self.assay("diff", path, "--backend", "cuda", "--seed", 3, **settings)
        self.assertEqual(done.returncode, 0, f"{dot}\n{done.stdout}{done.stderr}")

    def test_by_the_library(self):
        for dot in DOTS:
            with self.subTest(dot=dot):
                log = self.folder / "products"
                log.unlink(missing_ok=True)
                self.check(dot, ASSAY_CUDA_CUBLASLT=os.environ["HOST_CUBLASLT"], HOST_CUBLASLT_LOG=log)
                products = log.read_text().splitlines() if log.exists() else []
                self.assertEqual(products[:1], [dot[4]] if dot[4] else [])

    def test_operands_that_are_one_or_none(self):
        log = self.folder / "products"
        for text in ("x = f32[4,4] parameter(0)\n  ROOT z = f32[4,4] dot(x, x), lhs_contracting_dims={1},"
                     " rhs_contracting_dims={0}",
                     "y = f32[] parameter(0)\n  x = f32[] constant(3)\n  ROOT z = f32[] dot(x, y)"):
            path = self.module(f"HloModule m\nENTRY e {{\n  {text}\n}}\n")
            done = self.assay("diff", path, "--backend", "cuda", "--seed", 3,
                              ASSAY_CUDA_CUBLASLT=os.environ["HOST_CUBLASLT"], HOST_CUBLASLT_LOG=log)
            self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
        self.assertEqual(log.read_text().splitlines()[0], "1 products of 4 x 4 x 4")

    def test_without_the_library(self):
        for dot in DOTS:
            with self.subTest(dot=dot):
                self.check(dot, ASSAY_CUDA_CUBLASLT="/none/libcublasLt.so")


if __name__ == "__main__":
    unittest.main()
