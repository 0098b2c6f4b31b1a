"""SUSPECT, evidence that is no proof: every command and report shows the word, and it fails a run unless --suspects-pass
says otherwise. ASSAY names the executable."""

import json
import xml.etree.ElementTree as ElementTree

from command_line import CliTest, peer

import numpy as np

# 64 numbers, of which all are in [0, 1): in range, so that only their distribution speaks against them.
MODULE = """HloModule draws
ENTRY main { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[64] rng(a, b), distribution=rng_uniform }
"""
CASE = "//! case  draws 64 numbers\n//! arg   f32[] 0\n//! arg   f32[] 1\n//! want  f32[64] {bits}"
# Draws the same number again and again.
PEER = peer('reply = {"status": "ok", "outputs": [{"shape": "f32[64]", "data_hex": "0000003f" * 64}]}', "constant")
REASON = "test of Kolmogorov and Smirnov: the statistic of 64 numbers is"


class SuspectTest(CliTest):
    def setUp(self):
        super().setUp()
        self.module = self.file("m.hlo", MODULE)
        self.inputs = ["--input", "f32[] 0", "f32[] 1"]
        run = self.assay("run", self.module, *self.inputs, "--format", "json")
        numbers = np.frombuffer(bytes.fromhex(json.loads(run.stdout)["outputs"][0]["data_hex"]), "<u4")
        case = CASE.format(bits=" ".join(f"x{bits:08x}" for bits in numbers))
        self.corpus = self.corpus_of(case, MODULE, "rng/values")
        self.backend = self.backend_of(PEER)

    def check(self, code, *words):
        return self.assay("check", "--corpus", self.corpus, "--backend", self.backend, "--report", self.report, *words,
                          code=code)

    def case(self):
        return self.results()["cases"][0]

    def test_check_fails_and_every_report_has_the_word(self):
        result = self.check(1)
        self.assertIn("1 SUSPECT", result.stdout)
        self.assertIn(REASON, result.stdout)
        self.assertIn("independent numbers of the distribution exceed it with a probability below 2.5e-10", result.stdout)
        self.assertIn("profile met: none", result.stdout)
        case = self.case()
        self.assertEqual((case["verdict"], case["standing"]), ("SUSPECT", "failed"))
        failures = list(ElementTree.parse(self.report / "junit.xml").iter("failure"))
        self.assertEqual([failure.get("type") for failure in failures], ["SUSPECT"])

    def test_suspects_pass_passes_suspects(self):
        result = self.check(0, "--suspects-pass")
        self.assertIn("1 SUSPECT", result.stdout)
        self.assertIn("profile met: none", result.stdout)
        self.assertEqual((self.case()["verdict"], self.case()["standing"]), ("SUSPECT", "weak"))
        self.assertEqual(list(ElementTree.parse(self.report / "junit.xml").iter("failure")), [])
        known = self.file("known.json", {"cases": [
            {"name": "rng/values/draws", "verdict": "SUSPECT", "reason": "its generator is a constant"}]})
        self.check(0, "--expectations", known)
        self.assertEqual(self.case()["standing"], "expected")
        self.assertIn("1 SUSPECT", self.assay("merge", self.report, "--report", self.folder / "merged", code=0).stdout)

    def test_diff_and_the_tools_for_failures(self):
        words = [self.module, *self.inputs, "--backend", self.backend]
        for further, code in (([], 1), (["--suspects-pass"], 0)):
            result = self.assay("diff", *words, *further, code=code)
            self.assertTrue(result.stdout.startswith("SUSPECT: "), result.stdout)
            self.assertIn(REASON, result.stdout)
        self.assertEqual(json.loads(self.assay("diff", *words, "--format", "json").stdout)["verdict"], "SUSPECT")
        explained = self.assay("explain", *words, code=1)
        self.assertIn("SUSPECT", explained.stdout)
        self.assay("reduce", *words, "--out", self.folder / "reduced", code=1)
        self.assertTrue((self.folder / "reduced/module.hlo").exists())
        self.assay("repro", *words, "--out", self.folder / "repro", code=1)
        issue = (self.folder / "repro/issue.md").read_text()
        self.assertTrue(issue.startswith("# constant: SUSPECT in "), issue)
        self.assertIn("## Evidence, no proof", issue)

    def test_triage_says_suspect(self):
        folder = self.folder / "cases/draws"
        self.file("cases/draws/module.hlo", MODULE)
        (folder / "chip").mkdir()
        np.save(folder / "input-0.npy", np.float32(0))
        np.save(folder / "input-1.npy", np.float32(1))
        np.save(folder / "chip/output-0.npy", np.full(64, 0.5, np.float32))
        result = self.assay("triage", self.folder / "cases", code=1)
        self.assertIn("suspect   draws by chip (SUSPECT)", result.stdout)
        self.assertIn("chip: 0 lawful, 0 wrong, 1 suspect, 0 undecided", result.stdout)
