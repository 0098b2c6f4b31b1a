"""The backend cuda on the corpus, over the stand-ins of CUDA's libraries: within its profile, exact for arithmetic, and
on the device for every op that it claims. The quick cases represent the corpus, which nightly tests run.
"""

import collections
import json
import os

from golden.witness.hlo.goldens import case_names
from golden.witness.program import golden_paths
from spec_tests.cuda.cuda_test_case import ROOT, CudaTest
from spec_tests.nightly import nightly

# Ops whose results may differ from the reference's; all others are exact.
FUNCTIONS = set(
    "abs acos acosh asin asinh atan atan2 atanh cbrt cosh cosine divide erf exponential exponential-minus-one log"
    " log-plus-one logistic multiply power rsqrt sign sine sinh sqrt tan tanh"
    # Sums in another order.
    " cholesky fft scatter triangular-solve".split()
)
# Ops with sums, which may be taken in any order.
SUMS = {"convolution", "dot", "reduce", "reduce-window", "scan", "select-and-scatter"}
# Verdicts that a real device may have too: its sums may be in other orders than the stand-in's.
MAY_BE_OPEN = {"SPEC-GAP", "WEAK"}
# Folders of cases that repeat others or are made of them.
CALLERS = {"programs", "quantized", "while", "wrong_results"}
# Their kernels compute some forms only.
HOST_TOO = {"bitcast", "select-and-scatter"}  # orders in memory, sums of quantized numbers
# A device may keep the signaling NaN that the host makes quiet.
PROCESSOR_DECIDES = "wrong_results/payload_of_a_nan/lawful"


class CudaCorpusTest(CudaTest):
    def setUp(self):
        super().setUp()
        self.report = self.folder / "report"

    def checked(self, *options, backend="cuda"):
        done = self.assay("check", "--backend", backend, "--corpus", ROOT / "golden", "--report", self.report,
                          *options, ASSAY_CUDA_LOG=self.folder / "log", ASSAY_CUDA_CACHE=os.environ["ASSAY_CUDA_CACHE"])
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertNotIn("left to the host", done.stderr)
        return json.loads((self.report / "results.json").read_text())

    def test_the_quick_cases_pass(self):
        self.check_corpus("--quick")

    @nightly
    def test_the_corpus_passes(self):
        report, on_device = self.check_corpus()
        written = sum(len(case_names(path)) for path in golden_paths())
        self.assertEqual(len(report["cases"]), written)
        self.assertEqual(set(report["backend"]["accelerated_ops"]) - on_device, set())

    def check_corpus(self, *options):
        """Returns the report, and the ops that ran on the device."""
        report = self.checked(*options)
        self.assertEqual(report["profile"], "cuda")
        self.assertGreater(len(report["cases"]), 600)
        for case in report["cases"]:
            if case["name"].startswith(("programs/host", "quantized/host")):
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
        self.assertEqual(set(on_host) & accelerated - HOST_TOO, set())
        return report, set(on_device)

    def test_the_quick_cases_are_exact_on_cuda_exact(self):
        self.check_exact("--quick")

    @nightly
    def test_the_corpus_is_exact_on_cuda_exact(self):
        self.check_exact()

    def check_exact(self, *options):
        report = self.checked(*options, "--profile", "exact", backend="cuda:exact")
        decided = (case for case in report["cases"] if case["name"] != PROCESSOR_DECIDES)
        self.assertEqual({case["verdict"] for case in decided}, {"EXACT", "UNSUPPORTED"})
        on_device, on_host = collections.Counter(), collections.Counter()
        for counts in self.counts():
            on_device.update(counts["device"])
            on_host.update(counts["host"])
        for op in ("convolution", "dot", "reduce-window"):
            self.assertGreater(on_device[op], 0)
            self.assertEqual(on_host[op], 0, op)
