"""The claims of checks of backends that run a part of the corpus (partial_peer.py): each page and file says the same."""

import json
import re
import xml.etree.ElementTree

import partial_peer
from golden.witness.hlo import goldens
from spec_tests.tools.command_line import GOLDEN, CliTest

# Additions, negations, and modules of both that must be refused.
CHOSEN = "op=add | op=negate | name=refused/elementwise/*"


class Claims(CliTest):
    def check(self, behaviour, chosen=CHOSEN, code=0):
        """Returns the report, and asserts that all files of it and the terminal make one claim."""
        folder = self.folder / behaviour
        done = self.assay("check", "--backend", partial_peer.backend(behaviour), "--filter", chosen, "--corpus", GOLDEN,
                          "--profile", "exact", "--report", folder, code=code)  # fmt: skip
        report = self.results(folder)
        claim = report["profile_met"]["text"]
        self.assertIn(f"\n{claim}\n", done.stdout)
        junit = xml.etree.ElementTree.parse(folder / "junit.xml")
        self.assertEqual(junit.find("testsuite[@name='claim']/properties/property[@name='claim']").get("value"), claim)
        page = re.search(r'id="report">(.*?)</script>', (folder / "report.html").read_text(), re.S)[1]
        self.assertEqual(json.loads(page)["profile_met"]["text"], claim)
        return report

    def verdicts(self, report, prefix):
        """Returns the number of cases of each verdict whose names begin so."""
        found = [case["verdict"] for case in report["cases"] if case["name"].startswith(prefix)]
        return {verdict: found.count(verdict) for verdict in set(found)}

    def test_a_backend_that_only_adds_refuses_and_claims_no_more_than_that(self):
        report = self.check("adds")
        cases = {case["name"]: case for case in report["cases"]}
        refused = {name for name, case in cases.items() if name.startswith("refused/") and case["verdict"] == "EXACT"}
        # The modules of the rules of add, which a backend that adds can refuse.
        cases_of_refused = goldens.read(GOLDEN / "refused/elementwise.hlo").cases
        of_add = {case.name for case in cases_of_refused if case.neighbour.startswith("add/")}
        self.assertEqual(refused, {f"refused/elementwise/{name}" for name in of_add})
        self.assertLess(len(refused), 12)
        proven = sum(case["verdict"] == "EXACT" for case in report["cases"])
        met = report["profile_met"]
        self.assertEqual((met["proven"], met["cases"]), (proven, len(cases)))
        self.assertLess(proven, len(cases) / 2)
        self.assertIsNone(met["profile"])
        self.assertEqual(met["text"], f"profile met: not claimed: {proven} of {len(cases)} cases prove something, and a "
                                      "claim needs half of them; --filter chooses cases for a narrower claim")  # fmt: skip

    def test_a_narrower_claim_names_its_filter(self):
        met = self.check("adds", "op=add & name=add/types/*")["profile_met"]
        self.assertEqual((met["profile"], met["proven"]), ("exact", met["cases"]))
        self.assertEqual(met["text"], f"profile met: exact, on {met['cases']} of {met['cases']} cases "
                                      "(--filter op=add & name=add/types/*)")  # fmt: skip

    def test_a_backend_that_declines_every_second_case_claims_what_it_ran(self):
        report = self.check("second", "op=add | name=refused/elementwise/*")
        cases = {case["name"]: case for case in report["cases"]}
        unsupported = {case["verdict"] for case in report["cases"]}
        self.assertEqual(unsupported, {"EXACT", "UNSUPPORTED"})
        met = report["profile_met"]
        proven = sum(case["verdict"] == "EXACT" for case in report["cases"])
        self.assertEqual((met["proven"], met["cases"]), (proven, len(cases)))
        if proven >= len(cases) / 2:
            self.assertTrue(met["text"].startswith(f"profile met: exact, on {proven} of {len(cases)} cases"), met)
        else:
            self.assertIn("not claimed", met["text"])
        # Half of the refusals have a neighbour that it declines.
        self.assertEqual(set(self.verdicts(report, "refused/")), {"EXACT", "UNSUPPORTED"})

    def test_unsupported_with_a_value_beside_it_is_unsupported(self):
        report = self.check("value")
        self.assertEqual({case["verdict"] for case in report["cases"]}, {"UNSUPPORTED"})
        met = report["profile_met"]
        self.assertEqual((met["profile"], met["proven"]), (None, 0))
        self.assertTrue(met["text"].startswith(f"profile met: not claimed: 0 of {met['cases']} cases prove something"), met)

    def test_a_backend_that_fails_on_everything_refuses_nothing(self):
        report = self.check("raises", code=1)
        self.assertEqual(set(self.verdicts(report, "refused/")), {"UNSUPPORTED"})
        self.assertEqual(set(self.verdicts(report, "add/")), {"ERROR"})
        self.assertTrue(report["profile_met"]["text"].startswith("profile met: none; outside of fast, the widest, are "))

    def test_a_certificate_makes_the_same_claim(self):
        folder = self.folder / "certificate"
        done = self.assay("certify", "--backend", partial_peer.backend("adds"), "--filter", CHOSEN, "--corpus", GOLDEN,
                          "--profile", "exact", "--out", folder, code=0)  # fmt: skip
        claim = self.check("adds")["profile_met"]
        self.assertEqual(json.loads((folder / "certificate.json").read_text())["profile_met"], claim)
        self.assertIn(f"\n{claim['text']}\n", done.stdout)
        verified = self.assay("verify-report", folder, "--corpus", GOLDEN, code=0)
        self.assertIn(f"\n{claim['text']}\neverything agrees\n", verified.stdout)

    def test_the_site_prints_the_claim(self):
        from tools.site import model

        met = self.check("adds", "op=add")["profile_met"]
        self.assertEqual(model.read_report(self.folder / "adds").claim, met["text"])

    def test_a_check_that_ended_early_makes_no_claim(self):
        for name, options in (("all", ()), ("none", ("--budget", "0.000001"))):
            folder = self.folder / name
            done = self.assay("check", "--filter", "op=add | op=negate", "--corpus", GOLDEN, "--jobs", "1",
                              "--report", folder, *options)  # fmt: skip
            met = self.results(folder).get("profile_met", {}).get("profile")
            self.assertEqual((name, done.returncode, met), ("all", 0, "exact") if not options else ("none", 2, None))


class NothingTest(CliTest):
    def test_a_check_of_nothing_is_an_error(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for options, said in ((("--filter", "no/such"), "no case matches --filter no/such"),
                              (("--tag", "none"), "no case matches --tag none"),
                              (("--models", empty), f"{empty}: no module in this folder"),
                              (("--filter", "op=add", "--shard", "9000/9000"), "no case matches --filter op=add --shard 9000/9000")):  # fmt: skip
            with self.subTest(options=options):
                self.assert_fails(2, said, "check", "--corpus", GOLDEN, *options)

    def test_a_merge_of_reports_without_a_case_is_an_error(self):
        self.assay("check", "--corpus", GOLDEN, "--filter", "op=add-dependency", "--report", self.report)
        document = self.results(self.report)
        (self.report / "results.json").write_text(json.dumps({**document, "cases": [], "models": []}))
        self.assert_fails(2, "no report has a case", "merge", self.report)
