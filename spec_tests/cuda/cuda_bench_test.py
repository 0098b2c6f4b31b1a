"""`tools/dev bench --cuda` over the stand-ins of CUDA's libraries: it prints its measurements; the times do not
matter."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from spec_tests.cuda.cuda_test_case import ROOT, CudaTest
from tools.bench import modules

BENCH = pathlib.Path(os.environ["ASSAY"]).with_name("bench")
# Modules, and their operations counted by hand.
WORK = [
    # 21 sums of 5 products
    ("ENTRY e {\n a = f32[3,5] parameter(0)\n b = f32[5,7] parameter(1)\n"
     " ROOT d = f32[3,7] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n", 2 * 21 * 5),
    # 1 x 6 x 6 x 8 sums of 3 x 3 x 4 products
    ("ENTRY e {\n a = f32[1,6,6,4] parameter(0)\n k = f32[3,3,4,8] parameter(1)\n"
     " ROOT c = f32[1,6,6,8] convolution(a, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n}\n",
     2 * 288 * 36),
    ("add {\n x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT s = f32[] add(x, y)\n}\n"
     "ENTRY e {\n a = f32[4,6] parameter(0)\n t = f32[6,4] transpose(a), dimensions={1,0}\n h = f32[6,4] tanh(t)\n"
     " z = f32[] constant(0)\n ROOT r = f32[6] reduce(h, z), dimensions={1}, to_apply=add\n}\n", 24 + 24),
    # 10 turns with an addition of 4 numbers and one of the counter; 11 comparisons
    ("less {\n p = (s32[], f32[4]) parameter(0)\n i = s32[] get-tuple-element(p), index=0\n n = s32[] constant(10)\n"
     " ROOT c = pred[] compare(i, n), direction=LT\n}\n"
     "body {\n p = (s32[], f32[4]) parameter(0)\n i = s32[] get-tuple-element(p), index=0\n"
     " v = f32[4] get-tuple-element(p), index=1\n o = s32[] constant(1)\n j = s32[] add(i, o)\n w = f32[4] add(v, v)\n"
     " ROOT t = (s32[], f32[4]) tuple(j, w)\n}\n"
     "ENTRY e {\n a = f32[4] parameter(0)\n z = s32[] constant(0)\n t = (s32[], f32[4]) tuple(z, a)\n"
     " ROOT w = (s32[], f32[4]) while(t), condition=less, body=body\n}\n", 10 * 5 + 11),
]


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

    def answers(self, participant, text, *questions):
        folder = tempfile.mkdtemp(dir=self.folder)
        done = subprocess.run([BENCH, "module", participant, self.module(text), folder], input="\n".join(questions) + "\n",
                              capture_output=True, text=True, check=False, cwd=ROOT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_bytes_of_a_module(self):
        text = ("HloModule m\nENTRY e {\n a = f32[3,5] parameter(0)\n b = bf16[7] parameter(1)\n"
                " ROOT t = (f32[3,5], bf16[7]) tuple(a, b)\n}\n")
        for participant in ("reference", "roof"):
            self.assertEqual(self.answers(participant, text, "bytes")[-1], str(2 * (60 + 14)))

    def test_operations_of_a_module(self):
        for text, operations in WORK:
            with self.subTest(text):
                self.assertEqual(self.answers("roof", f"HloModule m\n{text}", "operations")[-1], str(operations))

    def test_kernels_beside_the_rate_of_copies(self):
        data = {"operations": 2 * 10**12,
                "of": {"cuda": {"kernel_seconds": 0.5, "bytes": 10**9}, "XLA:GPU": {"kernel_seconds": 1.5}}}
        participants = dict(modules.PARTICIPANTS)
        self.addCleanup(lambda: (modules.PARTICIPANTS.clear(), modules.PARTICIPANTS.update(participants)))
        modules.PARTICIPANTS.clear()
        modules.PARTICIPANTS.update(modules.CUDA_PARTICIPANTS)
        self.assertEqual(modules.kernel_columns(data, {"copied_bytes": 4e9}), ["5e+05", "0.50", "4", "3"])
        self.assertEqual(modules.kernel_columns({"operations": None, "of": {"cuda": {}}}, {}), ["-"] * 4)
        self.assertEqual(modules.means_of_kernels([data]), ["", "", "", "3"])
