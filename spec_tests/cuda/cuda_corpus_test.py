"""The backend cuda on the corpus, over the stand-ins of CUDA's libraries: within its profile, exact where it does nothing
but arithmetic, and on the device wherever it says so. Of the corpus it takes the quick part, and with
ASSAY_CUDA_CORPUS=whole, as the nightly tests set it, all.
"""

import collections
import json
import os
import unittest

from spec_tests.cuda.cuda_test_case import IS_WHOLE, ROOT, CudaTest

# Ops whose results may differ from the reference's; all others are exact.
FUNCTIONS = set(
    "abs acos acosh asin asinh atan atan2 atanh cbrt cosh cosine divide erf exponential exponential-minus-one log"
    " log-plus-one logistic multiply power rsqrt sign sine sinh sqrt tan tanh"
    # Sums in another order.
    " cholesky fft scatter triangular-solve".split()
)
# Ops with sums, which may be taken in any order.
SUMS = {"convolution", "dot", "reduce", "reduce-window", "scan", "select-and-scatter"}
# What the stand-in's arithmetic is not: the device's sums may take other orders.
MAY_BE_OPEN = {"SPEC-GAP", "WEAK"}
# What repeats others, or is made of them.
CALLERS = {"programs", "while"}
# Their kernels compute some forms only.
HOST_TOO = {"bitcast"}  # orders in memory


class CudaCorpusTest(CudaTest):
    def setUp(self):
        super().setUp()
        self.report = self.folder / "report"

    def checked(self, *options, backend="cuda"):
        done = self.assay("check", "--backend", backend, "--corpus", ROOT / "golden", "--report", self.report,
                          *([] if IS_WHOLE else ["--quick"]), *options,
                          ASSAY_CUDA_LOG=self.folder / "log", ASSAY_CUDA_CACHE=os.environ["ASSAY_CUDA_CACHE"])
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertNotIn("left to the host", done.stderr)
        return json.loads((self.report / "results.json").read_text())

    def test_the_corpus_passes(self):
        written = sum(path.read_text().count("\n//! case ") for path in (ROOT / "golden").rglob("*.hlo"))
        report = self.checked()
        self.assertEqual(report["profile"], "cuda")
        if IS_WHOLE:
            self.assertEqual(len(report["cases"]), written)
        self.assertGreater(len(report["cases"]), 600)
        for case in report["cases"]:
            if case["name"].startswith("programs/host"):
                self.assertEqual(case["verdict"], "UNSUPPORTED", case)
            elif case["op"] in FUNCTIONS | SUMS | CALLERS:
                self.assertIn(case["verdict"], {"EXACT", "LEGAL"} | MAY_BE_OPEN, case)
            else:
                self.assertEqual(case["verdict"], "EXACT", case)
        on_device, on_host = collections.Counter(), collections.Counter()
        for counts in self.counts():
            on_device.update(counts["device"])
            on_host.update(counts["host"])
        accelerated = set(report["backend"]["accelerated_ops"])
        self.assertEqual(set(on_device) - accelerated, set())
        if IS_WHOLE:
            self.assertEqual(accelerated - set(on_device), set())
        self.assertEqual(set(on_host) & accelerated - HOST_TOO, set())

    def test_the_corpus_is_exact_where_that_is_asked_for(self):
        report = self.checked("--profile", "exact", backend="cuda:exact")
        self.assertEqual({case["verdict"] for case in report["cases"]}, {"EXACT", "UNSUPPORTED"})
        on_device, on_host = collections.Counter(), collections.Counter()
        for counts in self.counts():
            on_device.update(counts["device"])
            on_host.update(counts["host"])
        for op in ("convolution", "dot", "reduce-window"):
            self.assertGreater(on_device[op], 0)
            self.assertEqual(on_host[op], 0, op)


if __name__ == "__main__":
    unittest.main()
