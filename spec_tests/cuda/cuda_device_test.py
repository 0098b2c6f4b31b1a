"""The backend cuda on a CUDA device, if this machine has one; otherwise each test is skipped by name. Runs the quick
part of the corpus and a minute of fuzzing; with ASSAY_NIGHTLY=1 the whole corpus and an hour.
"""

import os
import shutil

from spec_tests.cuda.cuda_test_case import ROOT, CudaTest
from spec_tests.nightly import IS_NIGHTLY, nightly

OP = """HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  ROOT y = f32[4] exponential(x)
}
"""


class Device(CudaTest):
    def setUp(self):
        super().setUp()
        self.libraries = {name: None for name in os.environ if name.startswith("ASSAY_CUDA_") and name.endswith(
            ("DRIVER", "NVRTC", "CUBLASLT"))}
        done = self.assay("run", self.module(OP), "--backend", "cuda", "--seed", 1, **self.libraries)
        if done.returncode == 3:
            self.skipTest(f"not run, for there is no CUDA device: {done.stderr.strip()}")

    def passes(self, *arguments, backend="cuda"):
        done = self.assay(*arguments, "--backend", backend, **self.libraries)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-2000:])
        self.assertNotIn("left to the host", done.stderr)

    def check_corpus(self, *options):
        self.passes("check", "--corpus", ROOT / "golden", "--report", self.folder / "report", *options)

    def test_the_quick_cases_on_the_device(self):
        self.check_corpus("--quick")

    @nightly
    def test_the_corpus_on_the_device(self):
        self.check_corpus()

    def test_fuzzing_on_the_device(self):
        self.passes("fuzz", "--time", 3600 if IS_NIGHTLY else 60, "--out", self.folder / "findings")

    def test_exact_functions_on_the_device(self):
        for op in ("exponential", "log", "sine", "tanh"):
            self.passes("exhaust", op, "--type", "f16", "--profile", "exact", backend="cuda:exact")

    def test_compute_sanitizer_on_the_device(self):
        sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
        if sanitizer is None:
            self.skipTest("not run, for there is no compute-sanitizer")
        for tool in ("memcheck", "initcheck", "racecheck", "synccheck"):
            with self.subTest(tool):
                done = self.assay("check", "--corpus", ROOT / "golden", "--report", self.folder / "report", "--backend", "cuda",
                                  *([] if IS_NIGHTLY else ["--quick"]), **self.libraries, ASSAY_CUDA_ALLOCATE="each",
                                  program=[sanitizer, "--tool", tool, "--error-exitcode", "99"])
                self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-2000:])
