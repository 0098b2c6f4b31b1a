"""The backend simd on the corpus: within its own profile, and exact wherever it does nothing but arithmetic."""

import json
import os
import re

from golden.witness.hlo.goldens import case_names
from golden.witness.program import golden_paths
from spec_tests.nightly import nightly
from spec_tests.tools.command_line import ASSAY, ROOT, CliTest, ran


# Ops whose results may differ from the reference's; all others are exact.
FUNCTIONS = set(
    "acos acosh asin asinh atan atan2 atanh cbrt cosh cosine erf exponential exponential-minus-one log log-plus-one"
    " logistic power rsqrt sine sinh tan tanh".split()
)
SUMS = {"cholesky", "convolution", "dot", "fft", "reduce", "reduce-window", "scatter", "triangular-solve"}
# The sum overflows, and only the quotient is a number: a freedom of whatever adds before it divides.
OVERFLOW = "fft/f32_results/overflow"
HOST = re.compile(r"quantized/host_\w+/values$")  # programs with infeed and outfeed

# Programs of many instructions that may lawfully differ, each in its own way.
LAWFUL = re.compile(r"wrong_results/\w+/lawful$")

# A function, sums of several kinds and a loop, large enough for many pieces.
MODULE = """HloModule m
ENTRY e {
  a = f32[300,400] parameter(0)
  b = f32[400,500] parameter(1)
  x = f32[300,400] tanh(a)
  p = f32[300,500] dot(x, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[500,300] transpose(p), dimensions={1,0}
  ROOT r = f32[500,300] exponential(t)
}
"""


class SimdCorpusTest(CliTest):
    def checked(self, *options):
        """Returns the cases of a check's report, and its profile."""
        done = self.assay("check", "--backend", "simd", "--corpus", ROOT / "golden", "--report", self.folder, *options,
                          timeout=3600)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report = json.loads((self.folder / "results.json").read_text())
        self.assertLessEqual(FUNCTIONS | SUMS, set(report["backend"]["accelerated_ops"]))
        return report["cases"], report["profile"]

    def test_the_corpus_passes(self):
        written = sum(len(case_names(path)) for path in golden_paths())
        cases, profile = self.checked()
        self.assertEqual((len(cases), profile), (written, "simd"))
        for case in cases:
            if case["name"].startswith(("programs/host", "quantized/host")):
                self.assertEqual(case["verdict"], "UNSUPPORTED", case)
                continue
            if case["name"] == OVERFLOW:
                self.assertEqual(case["verdict"], "SPEC-GAP", case)
                continue
            if LAWFUL.match(case["name"]):
                self.assertNotIn(case["verdict"], ("SUSPECT", "FAIL"), case)
                continue
            self.assertIn(case["verdict"], ("EXACT", "LEGAL"), case)
            if case["verdict"] == "LEGAL":
                self.assertIn(case["op"], FUNCTIONS | SUMS | {"quantized", "wrong_results"}, case)

    def test_arithmetic_of_the_quick_cases_passes_as_ieee(self):
        self.check_ieee("--quick")

    @nightly
    def test_arithmetic_passes_as_ieee(self):
        self.check_ieee()

    def check_ieee(self, *options):
        cases, _ = self.checked("--profile", "ieee", *options)
        self.assertGreater(len(cases), 500)
        for case in cases:
            if LAWFUL.match(case["name"]):
                self.assertNotIn(case["verdict"], ("SUSPECT", "FAIL"), case)
            elif HOST.match(case["name"]):
                self.assertEqual(case["verdict"], "UNSUPPORTED", case)
            elif case["op"] not in FUNCTIONS | {"programs"} and case["name"] != OVERFLOW:
                self.assertIn(case["verdict"], ("EXACT", "LEGAL"), case)

    def test_threads_do_not_show(self):
        command = [ASSAY, "run", self.file("m.hlo", MODULE), "--backend", "simd", "--seed", "3", "--format", "json"]
        results = set()
        for cores in (1, 2, 3, None, None):
            allowed = sorted(os.sched_getaffinity(0))[:cores]
            done = ran(*command, check=True, preexec_fn=lambda cores=allowed: os.sched_setaffinity(0, cores))
            results.add(json.dumps(json.loads(done.stdout)["outputs"]))
        self.assertEqual(len(results), 1)
