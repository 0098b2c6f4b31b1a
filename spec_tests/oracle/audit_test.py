"""The exact half of the audit: goldens of every op, and files that are wrong in one bit."""

import importlib.util
import os
import subprocess
import sys
import unittest

if not all(map(importlib.util.find_spec, ("numpy", "ml_dtypes", "mpmath"))):
    raise unittest.SkipTest("no numpy, ml_dtypes or mpmath here; tools/dev installs them")

from oracle import audit  # noqa: E402
from oracle.hlo import goldens  # noqa: E402
from oracle.program import ASSAY, GOLDEN, ROOT  # noqa: E402
from spec_tests.nightly import nightly  # noqa: E402

ADD = """//! clause     ops/add.md
//! provenance derived
//! oracle     none
//! tags       add f32 level1

HloModule add

ENTRY main {
  x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  ROOT r = f32[3] add(x, y)
}

//! case one a case
//! arg  f32[3] 1 2 nan
//! arg  f32[3] 0.5 0.25 1
//! want f32[3] 1.5 2.25 xffc00001
"""
UNKNOWN = ADD.replace("add(x, y)", 'custom-call(x, y), custom_call_target="f"')


HOST = """//! clause ops/infeed.md

HloModule m

ENTRY main {
  t = token[] after-all()
  i = (s32[1], token[]) infeed(t)
  x = s32[1] get-tuple-element(i), index=0
  u = token[] get-tuple-element(i), index=1
  o = token[] outfeed(x, u), outfeed_shape=s32[1]
  ROOT r = s32[1] negate(x)
}

//! case one there and back
//! infeed s32[1] 7
//! want s32[1] -7
//! outfeed s32[1] 7
"""


class OtherWitness:
    """In place of XLA: confirms with the arrays that it was given, or fails."""

    def __init__(self, results):
        self.results = results

    def compile(self, name, text):
        if self.results is None:
            raise RuntimeError("first line\nsecond line")
        return lambda arguments: self.results


def finding(text, **options):
    (found,) = audit.audit(goldens.parse("add/f32", text), audit.ExactWitness(), **options)
    return found


def audit_quick_cases(names):
    """Yields the findings of the cases with these names."""
    exact, disputed = audit.ExactWitness(), audit.disputed_cases()
    for file in sorted({name.rpartition("/")[0] for name in names}):
        golden = goldens.read(GOLDEN / f"{file}.hlo")
        golden.cases = [case for case in golden.cases if f"{file}/{case.name}" in names]
        yield from audit.audit(golden, exact, disputed=disputed)


def listed(*options):
    command = [ASSAY, "check", "--list", "--corpus", GOLDEN, *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


class Corpus(unittest.TestCase):
    def test_exact_arithmetic_derives_a_sixth_of_the_quick_cases(self):
        names = set(sorted(listed("--quick"))[::6])
        self.assert_derived(audit_quick_cases(names), names)

    @nightly
    def test_exact_arithmetic_derives_every_golden(self):
        names = set(listed())
        self.assert_derived(audit.audit_corpus(), names)
        self.assertLessEqual(audit.disputed_cases(), names)

    def assert_derived(self, findings, wanted):
        names, verdicts = set(), {}
        for found in findings:
            names.add(found.name)
            if found.name.startswith("refused/"):  # They have no values, and rules for some alone.
                self.assertIn(found.verdict, ("exact only", "left to XLA", "disputed"), found.name)
            elif found.verdict != "exact only":
                verdicts[found.name] = found.verdict
        self.assertEqual(verdicts, {name: "left to XLA" for name in audit.NOT_DERIVED if name in wanted})
        self.assertEqual(names, wanted)


class Findings(unittest.TestCase):
    def test_a_right_golden_is_confirmed(self):
        self.assertEqual(finding(ADD).verdict, "exact only")
        want = goldens.parse("add/f32", ADD).cases[0].want
        self.assertEqual(finding(ADD, xla=OtherWitness(want)).verdict, "both")

    def test_one_wrong_bit_is_found(self):
        wrong = ADD.replace("want f32[3] 1.5 2.25", "want f32[3] 1.5 x40100001")
        found = finding(wrong)
        self.assertEqual((found.name, found.verdict), ("add/f32/one", "contradicted"))
        self.assertEqual(found.statements["exact"].reason, "component 1 is 2.25, golden x40100001")
        self.assertIn("contradicted", audit.FAILING)

    def test_whatever_xla_says(self):
        wrong = ADD.replace("want f32[3] 1.5 2.25", "want f32[3] 1.5 x40100001")
        want = goldens.parse("add/f32", wrong).cases[0].want
        self.assertEqual(finding(wrong, xla=OtherWitness(want)).verdict, "contradicted")

    def test_a_wrong_sign_of_zero_and_a_number_for_nan_are_found(self):
        zeros = ADD.replace("arg  f32[3] 1 2 nan", "arg  f32[3] 0 2 nan").replace("0.5 0.25 1", "-0 0.25 1")
        self.assertEqual(finding(zeros.replace("want f32[3] 1.5", "want f32[3] 0")).verdict, "exact only")
        self.assertEqual(finding(zeros.replace("want f32[3] 1.5", "want f32[3] -0")).verdict, "contradicted")
        self.assertEqual(finding(ADD.replace("xffc00001", "1")).verdict, "contradicted")

    def test_another_number_of_results_or_another_shape_is_found(self):
        twice = finding(ADD + "//! want f32[] 1\n")
        self.assertEqual((twice.verdict, twice.statements["exact"].reason), ("contradicted", "1 results, golden 2"))
        shape = finding(ADD.replace("want f32[3]", "want f32[3,1]"))
        self.assertEqual(shape.statements["exact"].reason, "shape f32[3], golden f32[3,1]")

    def test_a_dispute_is_not_reported(self):
        wrong = ADD.replace("want f32[3] 1.5", "want f32[3] 1.25")
        self.assertEqual(finding(wrong, disputed={"add/f32/one"}).verdict, "disputed")
        self.assertEqual(finding(wrong, disputed={"add/f32/other"}).verdict, "contradicted")
        self.assertNotIn("disputed", audit.FAILING)

    def test_what_is_not_derived_must_be_listed(self):
        found = finding(UNKNOWN)
        self.assertEqual((found.verdict, found.statements["exact"].reason), ("not derived", 'no rule for custom-call "f"'))
        self.assertIn("not derived", audit.FAILING)
        listed = {"not_derived": {"add/f32/one": "random"}}
        self.assertEqual(finding(UNKNOWN, **listed).verdict, "left to XLA")
        want = goldens.parse("add/f32", UNKNOWN).cases[0].want
        self.assertEqual(finding(UNKNOWN, xla=OtherWitness(want), **listed).verdict, "XLA only")
        failed = finding(UNKNOWN, xla=OtherWitness(None), **listed)
        self.assertEqual(failed.verdict, "unconfirmed")
        self.assertEqual(failed.statements["XLA:CPU"].reason, "RuntimeError: first line")

    def test_the_host_is_part_of_a_case(self):
        self.assertEqual(finding(HOST).verdict, "exact only")
        wrong = finding(HOST.replace("outfeed s32[1] 7", "outfeed s32[1] 8"))
        self.assertEqual((wrong.verdict, wrong.statements["exact"].reason), ("contradicted", "component 0 is 7, golden 8"))
        self.assertEqual(finding(HOST, xla=OtherWitness([])).statements["XLA:CPU"].reason, "no host")

    def test_xla_confirms_a_refusal_by_refusing(self):
        class Refusing:
            def ends_by(self, name):
                return False

            def check(self, text):
                raise ValueError("illegal")

        class Taking(Refusing):
            def check(self, text):
                pass

        refused = ADD.split("//! arg")[0] + "//! refused declared\n"
        self.assertEqual(finding(refused).verdict, "left to XLA")
        self.assertEqual(finding(refused, xla=Refusing()).verdict, "XLA only")
        self.assertEqual(finding(refused, xla=Taking()).verdict, "unconfirmed")
        self.assertEqual(finding(refused, xla=Taking(), disputed={"add/f32/one"}).verdict, "disputed")

    def test_only_wanted_cases(self):
        golden = goldens.parse("add/f32", ADD)
        self.assertEqual(list(audit.audit(golden, audit.ExactWitness(), wanted="add/f64")), [])


class Command(unittest.TestCase):
    def audit(self, *arguments):
        command = [sys.executable, "-m", "oracle.audit", "--exact", *arguments]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ)
        return ran.returncode, ran.stdout

    def test_counts_verdicts(self):
        cases = len(goldens.read(GOLDEN / "not" / "pred.hlo").cases)
        self.assertEqual(self.audit("not/pred/"), (0, f"{cases} exact only\n"))

    def test_fails_where_nothing_is_audited(self):
        self.assertEqual(self.audit("no/such/case"), (1, "no such case\n"))


if __name__ == "__main__":
    unittest.main()
