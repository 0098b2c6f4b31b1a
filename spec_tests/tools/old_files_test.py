"""Reports, certificates and expectations of older versions are read (docs/compatibility.md). old_files/VERSION has
those that a version wrote: no change of the program may need a change there."""

import json
import pathlib
import shutil

from command_line import ROOT, CliTest

OLD = sorted(pathlib.Path(__file__).with_name("old_files").iterdir())
BACKEND = "mutant:floor_truncates"


class OldFiles(CliTest):
    def check(self, old, name, *options):
        """Returns the exit code of a check of the old corpus, and its report."""
        run = self.assay("check", "--backend", BACKEND, "--corpus", old / "corpus", "--report", self.folder / name,
                         *options)
        return run.returncode, self.results(name)

    def test_there_is_one_of_the_first_version(self):
        self.assertEqual(OLD[0].name, "0.1.0")

    def test_a_report_is_merged_and_compared(self):
        for old in OLD:
            self.assertEqual(self.check(old, old.name)[0], 1)
            run = self.assay("compare", old / "certificate", self.folder / old.name, code=0)
            self.assertIn("0 newly wrong, 0 mended, 0 other verdict, 0 other bits, 0 added, 0 removed\n", run.stdout)
            run = self.assay("merge", old / "certificate", "--report", self.folder / "merged")
            self.assertEqual((run.returncode, run.stderr), (1, ""))
            (failed,) = [case for case in self.results("merged")["cases"] if case["verdict"] == "FAIL"]
            self.assertEqual(failed["name"], "floor/f32/ordinary")

    def test_a_report_without_later_fields_is_read(self):
        """The schema says which fields every report has: a reader needs no other one."""
        required = json.loads((ROOT / "docs/results.schema.json").read_text())["required"]
        for old in OLD:
            document = json.loads((old / "certificate/results.json").read_text())
            self.file("results.json", {name: document[name] for name in required})
            self.assertEqual(self.assay("merge", self.folder / "results.json", code=1).stderr, "")

    def test_expectations_hold(self):
        for old in OLD:
            code, report = self.check(old, old.name, "--expectations", old / "expectations.json")
            self.assertEqual(code, 0)
            self.assertEqual([case["standing"] for case in report["cases"]], ["expected", "expected"])

    def test_a_certificate_is_judged_again(self):
        """It may disagree with a newer version, which judges otherwise: then each line says what was claimed and found.
        Its corpus and its answers are those of its version, so that their digests agree."""
        for old in OLD:
            run = self.assay("verify-report", old / "certificate", "--corpus", old / "corpus")
            self.assertIn(run.returncode, (0, 1), run.stderr)
            self.assertNotRegex(run.stdout, r"(certificate\.json (corpus|files)|verdict): claimed")
            changed = self.folder / old.name
            shutil.copytree(old / "certificate", changed)
            claim = json.loads((changed / "certificate.json").read_text())
            claim["totals"]["FAIL"] = 0
            (changed / "certificate.json").write_text(json.dumps(claim))
            run = self.assay("verify-report", changed, "--corpus", old / "corpus", code=1)
            self.assertIn("totals FAIL: claimed 0, found 1", run.stdout)
