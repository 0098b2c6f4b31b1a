"""Real programs on every backend: what JAX lowers its own harnesses and the layers beside this file to.

The reference is the judge of simd, of cuda over the stand-ins of its libraries, and of its own definitions without
kernels; XLA:CPU is a witness of the reference. A nightly run takes every program. Any other run takes those of kinds
that once failed, and a share that the date chooses: ASSAY_LOWERINGS_DAY=N chooses that of another day.
"""

import collections
import datetime
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy

from spec_tests.lowerings.programs import all_programs
from spec_tests.lowerings.write_modules import write_module, write_modules
from spec_tests.nightly import is_nightly, nightly

ROOT = pathlib.Path(__file__).resolve().parents[2]
KNOWN = pathlib.Path(__file__).with_name("known")
DAY = int(os.environ.get("ASSAY_LOWERINGS_DAY", datetime.date.today().toordinal()))
SHARE = 100  # one program of so many
# Kinds of programs that a backend once had wrong: simd's gathers of whole planes before a select by one predicate.
ONCE_FAILED = re.compile(r"^gather\..*mode_fill|^indexing\.(take_fill_0|take_plane_fill|at_(two_)?numbers?_)|order_stat")
# Verdicts of folds in another order than the reference's, and of products and folds without a derived bound.
OPEN = ("SPEC-GAP", "WEAK")


def chosen_programs():
    """Returns the programs of this run."""
    programs = all_programs()
    if is_nightly("all programs"):
        return programs
    return [program for i, program in enumerate(programs) if (i + DAY) % SHARE == 0 or ONCE_FAILED.search(program.name)]


class LoweringsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.modules = cls.folder / "modules"
        cls.written = write_modules(chosen_programs(), cls.modules)
        print(cls.written)

    def test_every_program_is_lowered_and_read(self):
        self.assertEqual(self.written.not_lowered, {})
        self.assertGreater(len(self.written.modules), 100)

    def check_backend(self, backend, *verdicts):
        """Judges a backend on the modules. Each verdict is one of these, or that of the known verdicts with a reason."""
        report = self.folder / "report"
        command = [os.environ["ASSAY"], "check", "--backend", backend, "--corpus", self.modules, "--report", report,
                   "--timeout", "3000"]  # fmt: skip
        known = KNOWN / f"{backend.partition(':')[0]}.json"
        if known.exists():
            command += ["--expectations", known]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        cases = json.loads((report / "results.json").read_text())["models"] if done.returncode in (0, 1) else []
        self.assertEqual(len(cases), len(self.written.modules), done.stderr[-2000:])
        print(f"{backend}: {dict(collections.Counter(case['verdict'] for case in cases))}")
        wrong = [f"{case['name']}: {case['verdict']}: {case.get('reason', '')}" for case in cases
                 if case["standing"] != "expected"
                 and (case["verdict"] not in verdicts or case["standing"] == "unexpected")]  # fmt: skip
        self.assertEqual(wrong, [], f"the programs of day {DAY} on {backend}")

    def test_the_definitions_alone(self):
        self.check_backend("reference:plain", "EXACT")

    def test_simd(self):
        self.check_backend("simd", "EXACT", "LEGAL")

    def test_cuda(self):
        self.check_backend("cuda", "EXACT", "LEGAL", *OPEN)

    @nightly
    def test_xla_cpu(self):
        self.check_backend("xla-cpu", "EXACT", "LEGAL", *OPEN, "UNSUPPORTED")


class Writing(unittest.TestCase):
    def test_a_folder_of_an_earlier_run_is_written_again(self):
        with tempfile.TemporaryDirectory() as folder:
            module = pathlib.Path(folder) / "one"
            for text in ("HloModule before", "HloModule after"):
                write_module(module, text, [numpy.float32(1)])
            self.assertEqual((module / "module.hlo").read_text(), "HloModule after")
