"""`tools/dev bench --cuda` over the stand-ins of CUDA's libraries: it prints its measurements; the times do not
matter."""

import json
import os
import pathlib
import subprocess
import unittest

from spec_tests.cuda.cuda_test_case import ROOT, CudaTest
from tools.bench import modules

BENCH = pathlib.Path(os.environ["ASSAY"]).with_name("bench")


@unittest.skipUnless(BENCH.exists(), "tools/bench was not built")
class CudaBenchTest(CudaTest):
    def bench(self, *arguments, **settings):
        environment = {**os.environ, "ASSAY_CUDA_CACHE": str(self.cache), **settings}
        return subprocess.run([BENCH, *map(str, arguments)], capture_output=True, text=True, check=False, env=environment)

    def test_the_rates_of_a_device(self):
        done = self.bench("device", 1 << 16, 16, ASSAY_CUDA_CUBLASLT=os.environ["HOST_CUBLASLT"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rates = json.loads(done.stdout)
        self.assertGreater(rates["copied_bytes"], 0)
        self.assertGreater(rates["dot_operations"], 0)
        self.assertIn("bf16 dot", modules.describe(rates))
        without = json.loads(self.bench("device", 1 << 16, 16, ASSAY_CUDA_CUBLASLT="/none").stdout)
        self.assertIsNone(without["dot_operations"])
        self.assertIn("no cuBLASLt", modules.describe(without))

    def test_no_device_is_one_line(self):
        done = self.bench("device", ASSAY_CUDA_DRIVER="/none")
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (3, "", 1))

    def test_a_device_with_too_little_memory_is_one_line(self):
        done = self.bench("device", 1 << 16, 16, HOST_DRIVER_MEMORY="4096")
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (4, "", 1))

    def test_numbers_that_are_none_are_refused(self):
        for wrong in ("0", "-1", "much", "1e9"):
            done = self.bench("device", wrong)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(wrong, done.stderr)

    def test_every_module_names_sizes_of_both_kinds(self):
        for template in modules.MODULES.glob("*.hlo"):
            with self.subTest(template.stem):
                self.assertTrue(modules.sizes_of(template, on_gpu=False))
                self.assertTrue(modules.sizes_of(template, on_gpu=True))
        dot = modules.MODULES / "dot_bf16.hlo"
        self.assertEqual(modules.sizes_of(dot, on_gpu=True)[-1], 8192)
        self.assertEqual(modules.operations_of(dot, 8192), 2 * 8192**3)
        self.assertIsNone(modules.operations_of(modules.MODULES / "softmax.hlo", 16))

    def test_bytes_of_a_module(self):
        module = self.module("HloModule m\nENTRY e {\n a = f32[3,5] parameter(0)\n b = bf16[7] parameter(1)\n"
                             " ROOT t = (f32[3,5], bf16[7]) tuple(a, b)\n}\n")
        done = subprocess.run([BENCH, "module", "reference", module, self.folder], input="bytes\n", capture_output=True,
                              text=True, check=False, cwd=ROOT)
        self.assertEqual(done.stdout.splitlines()[-1], str(2 * (60 + 14)))

    def test_kernels_beside_the_rate_of_copies(self):
        data = {"operations": 2 * 10**12, "of": {"cuda": {"kernel_seconds": 0.5, "bytes": 10**9}, "XLA:GPU": {"kernel_seconds": 1.5}}}
        participants = dict(modules.PARTICIPANTS)
        self.addCleanup(lambda: (modules.PARTICIPANTS.clear(), modules.PARTICIPANTS.update(participants)))
        modules.PARTICIPANTS.clear()
        modules.PARTICIPANTS.update(modules.CUDA_PARTICIPANTS)
        self.assertEqual(modules.kernel_columns(data, {"copied_bytes": 4e9}), ["5e+05", "0.50", "4", "3"])
        self.assertEqual(modules.kernel_columns({"operations": None, "of": {"cuda": {}}}, {}), ["-"] * 4)
        self.assertEqual(modules.means_of_kernels([data]), ["", "", "", "3"])
