"""The files of a report, by readers of others: results.json by its schema, junit.xml by junitparser. ASSAY names the executable."""

import importlib.util
import json
import re
import unittest
import xml.etree.ElementTree

from command_line import PEER, ROOT, CliTest, peer

READERS = all(importlib.util.find_spec(name) for name in ("jsonschema", "junitparser"))
# The one element of JUnit that a case of these standings has; others have no failure.
ELEMENTS = {"failed": "failure", "unexpected": "failure", "flaky": "failure", "unjudged": "error",
            "unsupported": "skipped"}  # fmt: skip


class PageTest(CliTest):
    def test_no_text_of_a_backend_is_markup_to_a_parser(self):
        # Behind "<!--<script>" a parser of HTML does not take "</script>" for the end of the element.
        said = "<!--<script> </script> <b>&amp;"
        backend = self.backend_of(peer(f'reply = {{"status": "error", "message": {said!r}}}', said))
        self.assay("check", "--corpus", ROOT / "golden", "--filter", "name=subtract/f32/specials", "--report",
                   self.report, "--backend", backend)
        page = (self.report / "report.html").read_text()
        data = re.search(r'<script type="application/json" id="report">(.*?)</script>', page, re.DOTALL)[1]
        self.assertNotIn("<", data)
        report = json.loads(data)
        self.assertEqual(report, self.results())
        self.assertEqual(report["backend"]["name"], said)
        self.assertIn(said, report["cases"][0]["reason"])
        junit = xml.etree.ElementTree.parse(self.report / "junit.xml").getroot()
        self.assertEqual((junit.tag, junit.get("name")), ("testsuites", f"assay check of {said} 1"))
        self.assertEqual(junit.find("testsuite[@name='subtract']/testcase/failure").get("message")[:6], "ERROR:")


@unittest.skipUnless(READERS, "needs jsonschema and junitparser")
class ReportTest(CliTest):
    def reports(self):
        """Reports with everything that one can have, by a name."""
        corpus = ("--corpus", ROOT / "golden")
        known = self.file("known.json", {"cases": [
            {"name": "subtract/f32/specials", "verdict": "FAIL", "reason": "known"},
            {"name": "subtract/s32/*", "verdict": "FAIL", "reason": "wrong"},
            {"name": "no/such/case", "verdict": "FAIL", "reason": "stale"}]})
        for name in ("mlp_adam_step", "top_k"):
            self.file(f"models/{name}.hlo", (ROOT / f"spec_tests/models/{name}.hlo").read_text())
        self.file("models/broken.hlo", "HloModule broken")
        self.file("broken/add/f32.hlo", "no golden")
        subtract = ("--filter", "op=subtract | model/", *corpus)
        runs = {
            "lawful": (*subtract, "--backend", "lawful:xla:3", "--models", self.models),
            "mutant": (*subtract, "--backend", "mutant:subtract_of_equals", "--expectations", known, "--retries", 1),
            "simd": ("--filter", "op=tanh", *corpus, "--backend", "simd", "--profile", "exact"),
            "broken": ("--corpus", self.folder / "broken"),
            "limited": (*subtract, "--memory-limit", "1KiB"),
            "dying": ("--filter", "op=add", *corpus, "--backend", "process:read x; echo '{\"hello\": 1, \"name\": "
                      "\"dies\", \"version\": \"1\"}'; read x; exit 3", "--most-deaths", 2),
            "shard": (*subtract, "--shard", "2/3"),
            "declining": (*subtract, "--backend", f"process:{PEER}"),
        }
        for name, arguments in runs.items():
            result = self.assay("check", *arguments, "--report", self.folder / name)
            self.assertIn("report: ", result.stdout, result.stderr)
            yield name, self.folder / name
        self.assay("merge", self.folder / "shard", "--report", self.folder / "merged")
        yield "merged", self.folder / "merged"

    def test_readers_of_others_take_them(self):
        import jsonschema
        import junitparser

        schema = json.loads((ROOT / "docs/results.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        seen = set()
        for name, folder in self.reports():
            with self.subTest(name):
                report = self.results(folder)
                self.assertEqual([f"{error.json_path}: {error.message}"[:300] for error in validator.iter_errors(report)], [])
                entries = report["cases"] + report["models"]
                seen |= {entry["standing"] for entry in entries} | {key for key in report if report[key]}
                standings = {entry["name"]: entry["standing"] for entry in entries}
                suites = junitparser.JUnitXml.fromfile(str(folder / "junit.xml"))
                tests = [test for suite in suites for test in suite]
                self.assertEqual(sorted(test.name for test in tests), sorted(entry["name"] for entry in entries))
                for suite in suites:
                    kinds = [result._tag for test in suite for result in test.result]
                    self.assertEqual((suite.tests, suite.failures, suite.errors, suite.skipped),
                                     (len(list(suite)), *map(kinds.count, ("failure", "error", "skipped"))))
                    for test in suite:
                        self.assertEqual(test.classname, suite.name)
                        if (standing := standings[test.name]) in ELEMENTS:
                            self.assertEqual([result._tag for result in test.result], [ELEMENTS[standing]])
                        else:
                            self.assertNotIn("failure", [result._tag for result in test.result], standing)
        # The schema was tried on all that it speaks of.
        self.assertLessEqual({"passed", "expected", "failed", "unexpected", "unjudged", "ended_by", "not_run",
                              "stale_expectations", "clusters", "profile_met", "models", "types"}, seen)
