"""diff, explain, repro, the issue and Python say the same of one run. ASSAY names the executable."""

import json
import pathlib
import re
import shlex
import sys

import assay
import numpy as np
from command_line import CliTest, entry, ran

TESTS = pathlib.Path(__file__).parent
# exp(0), exp(1), exp(2), exp(3) in the order that a reshape keeps. The peer exchanges the second and the third.
MODULE = entry("x = f32[4] parameter(0)", "y = f32[4] exponential(x)", "ROOT r = f32[2,2] reshape(y)")
X = "f32[4] {0, 1, 2, 3}"


class OneAnswerTest(CliTest):
    def peer(self, fault):
        return [sys.executable, str(TESTS / "reshaping_peer.py"), fault]

    def answers(self, fault):
        """Returns what each command prints of a run, without times, and the comparison in Python."""
        module = self.file("m.hlo", MODULE)
        backend = f"process:exec {shlex.join(self.peer(fault))}"
        arguments = [module, "--backend", backend, "--input", X]
        runs = {"diff": self.assay("diff", *arguments), "explain": self.assay("explain", *arguments),
                "repro": self.assay("repro", *arguments, "--out", self.folder / "out"),
                "json": self.assay("diff", *arguments, "--format", "json")}  # fmt: skip
        codes = {run.returncode for run in runs.values()}
        self.assertEqual(len(codes), 1, {name: run.stdout + run.stderr for name, run in runs.items()})
        texts = {name: re.sub(r"\d+\.\d{3} s", "T s", run.stdout) for name, run in runs.items()}
        found = assay.diff(MODULE, [0, 1, 2, 3], backend=self.peer(fault))
        self.assertEqual(found.verdict.is_failure, codes == {1})
        # explain and repro print every line of diff.
        for name in ("explain", "repro"):
            self.assertIn(texts["diff"], texts[name])
        report = json.loads(runs["json"].stdout)
        self.assertEqual((report["verdict"], report["reason"]), (str(found.verdict), found.reason))
        self.assertTrue(texts["diff"].startswith(f"{found.verdict}: "), texts["diff"])
        self.assertIn(f"  {found.reason}\n", texts["diff"])
        worst = found.outputs[0].worst
        self.assertEqual(worst.name, report["outputs"]["worst"]["element"])
        self.assertIn(f"the worst: {worst.name}: got {worst.got}, want {worst.want}", texts["diff"])
        return texts, report, found

    def issue(self):
        return (self.folder / "out/issue.md").read_text()

    def test_the_whole_alone_is_wrong(self):
        texts, report, found = self.answers("whole")
        self.assertEqual(found.verdict, "FAIL")
        # The exponential is lawful, and the reshape alone is exact: no instruction is to blame.
        self.assertIn("  to blame: no instruction fails alone\n", texts["diff"])
        self.assertNotIn("blamed", report)
        self.assertIsNone(found.first_divergent)
        self.assertEqual([(one.line, one.verdict) for one in found.instructions], [(4, "LEGAL")])
        self.assertEqual(found.region.lines, (4, 5))
        self.assertIn("lines 4, 5: exponential, reshape", self.issue())
        # Two of the three elements that differ are wrong; the third has a lawful ULP.
        self.assertIn("2 of 4 elements are wrong", self.issue())
        self.assertEqual(re.findall(r"^\| (element \S+) \|", self.issue(), re.M), ["element [0,1]", "element [1,0]"])
        self.assertNotIn("the operation is exact", self.issue())
        marked = re.findall(r"^(element \S+).*?^  got .*?  <- (\w+)", texts["explain"], re.M | re.S)
        self.assertEqual(marked, [("element [0,1]", "FAIL"), ("element [1,0]", "FAIL"), ("element [0,0]", "LEGAL")])

    def test_one_instruction_is_wrong(self):
        texts, report, found = self.answers("alone")
        self.assertEqual(found.verdict, "FAIL")
        reshape = "line 5: %r = f32[2,2]{1,0} reshape(%y)"
        self.assertIn(f"  to blame: {reshape}\n", texts["diff"])
        self.assertEqual((report["blamed"]["line"], found.first_divergent.line, found.region.lines), (5, 5, (5,)))
        self.assertIn("to blame, on its operands in the reference:\n" + reshape, texts["explain"])
        # The part is the reshape alone, so the lawful ULP of the exponential is in none of its elements.
        issue = self.issue()
        self.assertIn(reshape, issue.splitlines()[0])
        self.assertIn("2 of 4 elements are wrong: nothing may round on the way: one value is right", issue)
        self.assertNotIn("exponential", issue)
        self.assertEqual(len(re.findall(r"^\| element", issue, re.M)), 1 + 2)

    def test_a_lawful_difference_is_one_for_all(self):
        texts, _, found = self.answers("right")
        self.assertEqual((found.verdict, found.reason), ("LEGAL", "approximation"))
        self.assertIn("nothing to reproduce", texts["repro"])
        self.assertFalse((self.folder / "out").exists())
        self.assertIn("  <- LEGAL: approximation\n", texts["explain"])

    def test_the_script_compares_all_and_repeats(self):
        script = [sys.executable, str(self.folder / "out/repro.py")]
        self.answers("whole")
        run = ran(*script, "--runs", "2")
        lines = run.stdout.splitlines()
        self.assertEqual((run.returncode, run.stderr, len(lines)), (1, "", 3), run.stdout)
        self.assertTrue(lines[0].startswith("output 0, element 1: expected "), run.stdout)
        self.assertEqual(lines[-1], "wrong in 2 of 2 runs")
        # Every peer has the lawful ULP of the exponential.
        run = ran(*script, "--runs", "3", *self.peer("right"))
        self.assertEqual((run.returncode, run.stdout), (0, "wrong in 0 of 3 runs\n"), run.stderr)
        # This peer is wrong in each third run, of which a single run shows none.
        run = ran(*script, *self.peer("sometimes"))
        self.assertEqual((run.returncode, run.stdout.splitlines()[-1]), (1, "wrong in 6 of 20 runs"), run.stderr)
        run = ran(*script, "--runs", "1", *self.peer("sometimes"))
        self.assertEqual((run.returncode, run.stdout), (0, "wrong in 0 of 1 runs\n"), run.stderr)

    def test_recorded_outputs_have_the_same_verdict(self):
        # The outputs of the peer, judged as those of JAX are.
        found = assay.diff(MODULE, [0, 1, 2, 3], backend=self.peer("whole"))
        again = assay.judge(MODULE, [np.float32([0, 1, 2, 3])], [found.outputs[0].got], backend=self.peer("whole"))
        self.assertEqual((again.verdict, again.reason, again.first_divergent), (found.verdict, found.reason, None))
        self.assertEqual(again.region.lines, found.region.lines)
