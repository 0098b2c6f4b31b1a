"""`assay fuzz` and `assay findings`: known faults are found, reduced and kept once. ASSAY names the executable."""

import json
import pathlib
import signal
import subprocess
import time
import unittest

from command_line import ASSAY, CliTest


class FuzzTest(CliTest):
    def fuzz(self, *words, folder="findings", timeout=120):
        return self.assay("fuzz", "--out", self.folder / folder, *words, timeout=timeout)

    def findings(self, folder="findings"):
        listed = self.assay("findings", self.folder / folder, "--format", "json")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        return json.loads(listed.stdout)

    def test_the_reference_has_no_faults(self):
        run = self.fuzz("--backend", "reference", "--count", "1500", "--jobs", "2")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"^1[45]\d\d programs in .*: 1[45]\d\d EXACT; 1[23]\d ops, ")
        self.assertEqual(self.findings(), [])

    def test_a_fault_of_two_instructions_is_kept_reduced(self):
        run = self.fuzz("--backend", "mutant:root_of_square", "--profile", "xla", "--count", "3000")
        self.assertEqual(run.returncode, 1, run.stderr)
        findings = self.findings()
        self.assertGreater(len(findings), 0)
        for finding in findings:
            self.assertEqual(finding["verdict"], "FAIL")
            self.assertLessEqual(finding["instructions"], 5)
            self.assertIn("multiply", finding["signature"])
            self.assertIn("sqrt", finding["signature"])
            folder = self.folder / "findings" / finding["signature"]
            again = self.assay("diff", folder / "module.hlo", "--backend", "mutant:root_of_square", "--profile", "xla",
                               "--inputs", folder / "inputs.json")  # fmt: skip
            self.assertTrue(again.stdout.startswith("FAIL: "), again.stdout)
        self.assertEqual(len({finding["signature"] for finding in findings}), len(findings))
        # A second run over the same programs finds nothing that is new.
        self.assertIn("; 0 findings", self.fuzz("--backend", "mutant:root_of_square", "--profile", "xla", "--count",
                                                "3000", "--from-start").stdout)  # fmt: skip
        self.assertEqual(self.findings(), findings)

    def test_only_some_ops(self):
        run = self.fuzz("--backend", "mutant:xor_is_or", "--ops", "xor", "--count", "100")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertTrue(all("xor" in finding["signature"] for finding in self.findings()))
        self.assert_fails(2, "no op is called nonsense", "fuzz", "--backend", "reference", "--ops", "nonsense")

    def test_runs_are_the_same_for_a_seed(self):
        words = ("--backend", "mutant:concat_order", "--count", "800", "--seed", "3")
        for folder, jobs in (("one", "1"), ("two", "2")):
            self.fuzz(*words, "--jobs", jobs, folder=folder)
        one, two = ({finding["signature"] for finding in self.findings(folder)} for folder in ("one", "two"))
        self.assertGreater(len(one), 0)
        self.assertGreater(len(one & two), 0)

    def test_a_killed_run_goes_on(self):
        words = ("fuzz", "--backend", "mutant:concat_order", "--out", self.folder / "findings", "--jobs", "1")
        run = subprocess.Popen([ASSAY, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        runs = pathlib.Path(self.folder / "findings" / "runs.json")
        for _ in range(200):
            time.sleep(0.1)
            if runs.exists():
                break
        run.send_signal(signal.SIGKILL)
        run.wait()
        (reached,) = (run["next"] for run in json.loads(runs.read_text()).values())
        self.assertGreater(reached, 0)
        before = self.findings()
        on = self.assay(*words, "--count", "200")
        self.assertIn(f"note: goes on at program {reached}", on.stderr)
        after = self.findings()
        self.assertGreaterEqual(len(after), len(before))
        self.assertEqual(len({finding["signature"] for finding in after}), len(after))
        (now,) = (run["next"] for run in json.loads(runs.read_text()).values())
        self.assertEqual(now, reached + 200)

    def test_folders_that_are_none(self):
        self.assert_fails(2, "No such file", "findings", self.folder / "nothing")
        (self.folder / "bad" / "x").mkdir(parents=True)
        (self.folder / "bad" / "x" / "finding.json").write_text("{}")
        self.assert_fails(2, "no finding", "findings", self.folder / "bad")


if __name__ == "__main__":
    unittest.main()
