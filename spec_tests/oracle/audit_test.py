"""The audit: of some goldens of every op by exact arithmetic, of another part of the corpus each day by both witnesses,
and of files that are wrong in one bit."""

import contextlib
import datetime
import importlib.util
import io
import os
import subprocess
import sys
import unittest


from golden.witness import audit
from golden.witness.hlo import goldens
from golden.witness.peer import Declined, Died, Peer, Refused
from golden.witness.program import ASSAY, GOLDEN, ROOT
from spec_tests.nightly import is_nightly, nightly

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

    def run(self, text, arguments):
        if self.results is None:
            raise Refused("first line\nsecond line")
        return self.results


# A peer whose replies depend on the name of the module.
PEER = """
import json, os, struct, sys, time
served = 0
for line in sys.stdin:
    request = json.loads(line)
    name = request.get("hlo", " ").split()[1:2]
    if name == ["dies"] or (name == ["damaged"] and served > 0):
        os.write(2, b"F1126 15:16:41.526949 20915 shape.h:803] Check failed: is_tuple\\n*** stack ***\\n")
        os.abort()
    if name == ["exits"]:
        sys.exit(3)
    if name == ["hangs"]:
        time.sleep(1e6)
    if name == ["shouts"]:
        print("not a reply", flush=True)
        continue
    data = struct.pack("3f", 1.5, 2.25, float("nan")).hex()
    outputs = [{"shape": "f32[3]", "data_hex": data}] if name != ["lies"] else [{"shape": "f32[3]", "data_hex": "00"}]
    served += "hlo" in request
    print(json.dumps({"hello": 2} if "hello" in request else
                     {"id": request["id"], "status": "ok", "outputs": outputs}), flush=True)
"""


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
    """Returns the names of cases, without those of StableHLO programs: make_goldens_test derives these."""
    command = [ASSAY, "check", "--list", "--corpus", GOLDEN, *options]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return [name for name in names if not (GOLDEN / name).parent.with_suffix(".mlir").exists()]


class Corpus(unittest.TestCase):
    def test_exact_arithmetic_derives_a_sixth_of_the_quick_cases(self):
        names = set(sorted(listed("--quick"))[::6])
        self.assert_derived(audit_quick_cases(names), names)

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "no jaxlib here; tools/dev installs it")
    def test_both_witnesses_confirm_the_part_of_this_day(self):
        part, count = audit.shard_of(datetime.date.today())
        is_nightly(f"{count - 1} of {count} parts of the audit, all but {part}/{count}")
        output = io.StringIO()
        with contextlib.closing(Peer()) as xla, contextlib.redirect_stdout(output):
            are_confirmed = audit.show(audit.audit_corpus(xla, shard=(part, count)), False)
        self.assertTrue(are_confirmed, f"python -m golden.witness.audit --shard {part}/{count}\n{output.getvalue()}")
        self.assertRegex(output.getvalue(), r"\d{3} both")

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

    def test_cases_that_are_not_derived_must_be_listed(self):
        found = finding(UNKNOWN)
        self.assertEqual((found.verdict, found.statements["exact"].reason), ("not derived", 'no rule for custom-call "f"'))
        self.assertIn("not derived", audit.FAILING)
        listed = {"not_derived": {"add/f32/one": "random"}}
        self.assertEqual(finding(UNKNOWN, **listed).verdict, "left to XLA")
        want = goldens.parse("add/f32", UNKNOWN).cases[0].want
        self.assertEqual(finding(UNKNOWN, xla=OtherWitness(want), **listed).verdict, "XLA only")
        failed = finding(UNKNOWN, xla=OtherWitness(None), **listed)
        self.assertEqual(failed.verdict, "unconfirmed")
        self.assertEqual(failed.statements["XLA:CPU"].reason, "first line")

    def test_the_host_is_part_of_a_case(self):
        self.assertEqual(finding(HOST).verdict, "exact only")
        wrong = finding(HOST.replace("outfeed s32[1] 7", "outfeed s32[1] 8"))
        self.assertEqual((wrong.verdict, wrong.statements["exact"].reason), ("contradicted", "component 0 is 7, golden 8"))
        self.assertEqual(finding(HOST, xla=OtherWitness([])).statements["XLA:CPU"].reason, "no host")

    def test_xla_confirms_a_refusal_by_refusing(self):
        class Checking:
            def __init__(self, *errors):
                self.errors = errors

            def check(self, text):
                for error in self.errors:
                    raise error

        refused = ADD.split("//! arg")[0] + "//! refused declared\n"
        self.assertEqual(finding(refused).verdict, "left to XLA")
        for error in (Refused("illegal"), Declined("jaxlib does not read it")):
            self.assertEqual(finding(refused, xla=Checking(error)).verdict, "XLA only")
        for errors in ((), (Died("signal 6"),), (Declined("the conversion to StableHLO changes the module: a"),)):
            self.assertEqual(finding(refused, xla=Checking(*errors)).verdict, "unconfirmed")
        self.assertEqual(finding(refused, xla=Checking(), disputed={"add/f32/one"}).verdict, "disputed")

    def test_only_wanted_cases(self):
        golden = goldens.parse("add/f32", ADD)
        self.assertEqual(list(audit.audit(golden, audit.ExactWitness(), wanted="add/f64")), [])


class ProcessOfAWitness(unittest.TestCase):
    def statements(self, *modules, **options):
        """The statements of a peer on modules of these names, one after the other."""
        witness = Peer((sys.executable, "-c", PEER), **options)
        self.addCleanup(lambda: witness.close())
        texts = [ADD.replace("HloModule add", f"HloModule {name}") for name in modules]
        return [finding(text, xla=witness) for text in texts]

    def test_a_death_is_the_statement_on_that_case_and_the_audit_continues(self):
        first, died, other, ended, last = self.statements("add", "dies", "add", "exits", "add")
        self.assertEqual([found.verdict for found in (first, other, last)], ["both"] * 3)
        self.assertEqual([found.verdict for found in (died, ended)], ["exact only"] * 2)
        self.assertEqual(died.statements["XLA:CPU"],
                         audit.Statement(audit.DIES, "signal 6: shape.h:803] Check failed: is_tuple"))
        self.assertEqual(ended.statements["XLA:CPU"], audit.Statement(audit.DIES, "exit status 3"))

    def test_a_process_that_earlier_cases_damaged_does_not_count(self):
        self.assertEqual([found.verdict for found in self.statements("add", "damaged")], ["both"] * 2)

    def test_a_process_that_hangs_is_ended(self):
        (hung,) = self.statements("hangs", seconds=1)
        self.assertEqual(hung.statements["XLA:CPU"], audit.Statement(audit.DIES, "no reply in 1 s"))

    def test_a_process_that_breaks_the_protocol_is_ended(self):
        garbage, right, lie = self.statements("shouts", "add", "lies")
        self.assertEqual(garbage.statements["XLA:CPU"], audit.Statement(audit.DIES, "replied b'not a reply\\n'"))
        self.assertEqual((garbage.verdict, right.verdict, lie.verdict), ("exact only", "both", "exact only"))
        self.assertRegex(lie.statements["XLA:CPU"].reason, "the outputs are no arrays")

    def test_a_witness_that_cannot_be_greeted_ends_the_audit(self):
        with self.assertRaisesRegex(RuntimeError, "no witness .*: exit status 5"):
            Peer((sys.executable, "-c", "raise SystemExit(5)"))

    def test_deaths_are_counted_and_named(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertTrue(audit.show(self.statements("dies", "add"), False))
        self.assertEqual(output.getvalue(), "XLA:CPU died on 1 cases:\n"
                         "    add/f32/one: signal 6: shape.h:803] Check failed: is_tuple\n1 both, 1 exact only\n")


class Command(unittest.TestCase):
    def audit(self, *arguments):
        command = [sys.executable, "-m", "golden.witness.audit", "--exact", *arguments]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ)
        return ran.returncode, ran.stdout

    def test_counts_verdicts(self):
        cases = len(goldens.read(GOLDEN / "not" / "pred.hlo").cases)
        self.assertEqual(self.audit("not/pred/"), (0, f"{cases} exact only\n"))

    def test_audits_a_part_of_the_files(self):
        files = sorted(GOLDEN.rglob("*.hlo"))
        shards = [files[part - 1 :: audit.SHARDS] for part in range(1, audit.SHARDS + 1)]
        self.assertEqual(sorted(sum(shards, [])), files)
        days = [datetime.date(2026, 11, 26) + datetime.timedelta(days) for days in range(audit.SHARDS)]
        self.assertEqual(sorted(map(audit.shard_of, days)), [(part, 30) for part in range(1, 31)])
        yesterday = datetime.date.today()
        today = audit.shard_named("today")  # midnight may pass here
        self.assertIn(today, (audit.shard_of(yesterday), audit.shard_of(datetime.date.today())))
        golden = goldens.read(files[4])
        found = self.audit("--shard", "5/2000", golden.path + "/")
        self.assertEqual(found, (0, f"{len(golden.cases)} exact only\n"))
        self.assertEqual(self.audit("--shard", "6/2000", golden.path + "/")[0], 1)

    def test_fails_where_nothing_is_audited(self):
        self.assertEqual(self.audit("no/such/case"), (1, "no such case\n"))
