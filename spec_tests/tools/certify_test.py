"""`assay certify` and `assay verify-report`: an honest certificate agrees, and a changed one disagrees."""

import hashlib
import json
import shutil

from spec_tests.tools.command_line import GOLDEN, PEER, CliTest

CHOSEN = "op=floor | name=add/types/*"
WRONG = "mutant:floor_truncates"


def failures_of(report):
    return [case["name"] for case in report["cases"] if case["verdict"] == "FAIL"]


class Certificate(CliTest):
    def certificate(self):
        """Returns the folder of a certificate of a backend with a fault."""
        folder = self.folder / "certificate"
        self.assay("certify", "--backend", WRONG, "--filter", CHOSEN, "--out", folder, code=1)
        return folder

    def edit(self, folder, name, change, mends_digest=True):
        """Changes a JSON file of a certificate, and its digest in the certificate, as a forger would."""
        path = folder / name
        document = json.loads(path.read_text())
        change(document)
        path.write_text(json.dumps(document))
        if mends_digest and name != "certificate.json":
            self.mend(folder, name)

    def mend(self, folder, name):
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        self.edit(folder, "certificate.json", lambda claim: claim["files"].update({name: digest}))

    def assert_agrees(self, folder, *options):
        done = self.assay("verify-report", folder, *options, code=0)
        self.assertTrue(done.stdout.endswith("everything agrees\n"), done.stdout)

    def assert_disagrees(self, folder, text, *options):
        done = self.assay("verify-report", folder, *options, code=1)
        lines = [line for line in done.stdout.splitlines() if line.startswith("disagrees: ")]
        self.assertTrue(any(text in line for line in lines), done.stdout)
        return lines

    def failures(self, folder):
        return failures_of(self.results(folder))


class Honest(Certificate):
    def test_a_certificate_says_what_was_checked(self):
        folder = self.certificate()
        claim = json.loads((folder / "certificate.json").read_text())
        self.assertEqual((claim["schema"], claim["profile"], claim["filter"]), (1, "xla", CHOSEN))
        self.assertEqual(claim["backend"]["option"], WRONG)
        self.assertGreater(claim["totals"]["FAIL"], 0)
        self.assertIn("floor/f32.hlo", claim["corpus"])
        self.assertTrue(claim["machine"]["machine"])

    def test_an_honest_certificate_agrees(self):
        folder = self.certificate()
        self.assert_agrees(folder)
        self.assert_agrees(folder, "--backend", WRONG, "--sample", "20", "--sample-seed", "3")

    def test_honest_certificates_of_every_verdict_agree(self):
        once = PEER.replace('"unsupported"}', '"unsupported"} if message["id"] % 3 else sys.exit("out of luck")')
        crashing = PEER.replace('"unsupported"}', '"unsupported"} if "f32" not in str(message) else sys.exit("out of luck")')
        slow = PEER.replace('"unsupported"}', '"unsupported"} if "f32" not in str(message) else __import__("time").sleep(60)')
        for number, (backend, verdicts) in enumerate((
            (f"process:{PEER}", {"UNSUPPORTED"}),
            (f"process:{once}", {"UNSUPPORTED"}),
            (f"process:{crashing}", {"UNSUPPORTED", "CRASH"}),
            (f"process:{slow}", {"UNSUPPORTED", "TIMEOUT"}),
            ("lawful:xla", {"EXACT", "LEGAL"}),
        )):  # fmt: skip
            folder = self.folder / f"certificate{number}"
            chosen = "name=tanh/*" if backend == "lawful:xla" else "name=floor/types/f*"
            done = self.assay("certify", "--backend", backend, "--filter", chosen, "--out", folder, "--timeout", "3")
            self.assertIn(done.returncode, (0, 1), done.stderr)
            totals = json.loads((folder / "certificate.json").read_text())["totals"]
            self.assertEqual(set(totals), verdicts, backend)
            self.assert_agrees(folder)

    def of_own_profile(self, name="mine"):
        """Returns the folder of a certificate under a profile that accepts what the lawful backend returns."""
        rows = [{"op": "tanh", "ulp": 5, "source": "the manual of a chip"}]
        text = json.dumps({"name": name, "extends": "xla", "meaning": "mine", "allowances": rows})
        profile, folder = self.file("mine.json", text), self.folder / "own"
        done = self.assay("certify", "--backend", "lawful:xla", "--profile", profile, "--out", folder,
                          "--filter", "name=tanh/f32/*")  # fmt: skip
        return done, folder, text

    def test_a_profile_of_ones_own_is_in_the_certificate(self):
        done, folder, text = self.of_own_profile()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.file("mine.json", "")
        claim = json.loads((folder / "certificate.json").read_text())
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.assertEqual((claim["profile"], claim["profile_file"]), ("mine", {"text": text, "sha256": digest}))
        self.assertGreater(claim["totals"]["LEGAL"], 0)
        self.assert_agrees(folder)
        self.assertIn(f"profile mine of its own (sha256 {digest})", self.assay("verify-report", folder).stdout)

    def test_a_changed_profile_disagrees(self):
        _, folder, text = self.of_own_profile()
        strict = text.replace('"ulp": 5', '"ulp": 0')
        self.edit(folder, "certificate.json", lambda claim: claim["profile_file"].update(text=strict))
        lines = self.assert_disagrees(folder, "certificate.json profile_file sha256: claimed")
        self.assertTrue(any("claimed LEGAL" in line and "found FAIL" in line for line in lines), lines)

    def test_a_profile_under_the_name_of_a_built_in_one_is_refused(self):
        done, folder, text = self.of_own_profile(name="exact")
        self.assertEqual(done.returncode, 2)
        self.assertIn("must not be that of a built-in one, found exact", done.stderr)
        _, folder, text = self.of_own_profile()
        forged = text.replace('"mine"', '"exact"')
        self.edit(folder, "certificate.json", lambda claim: claim.update(profile="exact", profile_file={"text": forged}))
        self.assert_fails(2, "must not be that of a built-in one, found exact", "verify-report", folder)


def exact(report):
    """Changes the verdict of a failure."""
    first = next(case for case in report["cases"] if case["verdict"] == "FAIL")
    first["verdict"] = "EXACT"


def in_report(**changes):
    return lambda report: report.update(changes)


# A file of a certificate, how a forger changes it, and what disagrees: FAILED is the name of the first failure.
FORGERIES = [
    ("results.json", exact, "cases FAILED: claimed EXACT"),
    ("results.json", lambda report: report["cases"].insert(0, {"name": failures_of(report)[0], "verdict": "EXACT"}),
     "cases FAILED: claimed EXACT and FAIL, "),
    ("results.json",
     lambda report: report["cases"].remove(next(case for case in report["cases"] if case["verdict"] == "FAIL")),
     "cases FAILED: the report omits it, found FAIL"),
    ("results.json", lambda report: report["cases"].append({"name": "floor/x/y", "verdict": "EXACT"}),
     "cases floor/x/y: claimed EXACT, and the corpus has no such case"),
    # Readers of results.json alone see its totals, its profile and its backend.
    ("results.json", lambda report: report["totals"].update(FAIL=0), "results.json totals FAIL: claimed 0, found "),
    ("results.json", lambda report: report["profile_met"].update(profile="exact"),
     'results.json profile_met profile: claimed "exact"'),
    ("results.json", in_report(profile="exact"), 'results.json profile: claimed "exact", found "xla"'),
    ("results.json", lambda report: report["backend"].update(name="chip"), 'results.json backend name: claimed "chip"'),
    ("results.json", in_report(exit_code=0), "results.json exit_code: claimed 0, found 1"),
    ("results.json", lambda report: report["types"]["floor"]["f32"].update(verdict="EXACT"),
     'results.json types floor f32 verdict: claimed "EXACT", found "FAIL"'),
    ("results.json", lambda report: report["clusters"][0].update(cases=1), "results.json clusters[0] cases: claimed 1"),
    ("results.json", in_report(clusters=[]), "results.json clusters: claimed []"),
    ("results.json", in_report(assay="9.9"), 'results.json assay: claimed "9.9"'),
    ("results.json", in_report(backend_option="a-chip"), 'results.json backend_option: claimed "a-chip"'),
    ("results.json", lambda report: report["backend"].update(accelerated_ops=["dot"]), "backend accelerated_ops"),
    ("results.json", in_report(award="gold"), 'results.json award: claimed "gold", found "nothing"'),
    ("certificate.json", in_report(award="gold"), 'certificate.json award: claimed "gold"'),
    ("certificate.json", in_report(assay="9.9"), 'certificate.json assay: claimed "9.9"'),
    ("certificate.json", lambda claim: claim["totals"].update(FAIL=0), "totals FAIL: claimed 0, found "),
    ("certificate.json", lambda claim: claim["profile_met"].update(profile="exact"), 'met profile: claimed "exact"'),
    ("certificate.json", lambda claim: claim["backend"].update(option="a-chip"), "backend_option: claimed"),
    ("certificate.json", lambda claim: claim["backend"].update(verification=9), "backend verification: claimed 9"),
    ("certificate.json", lambda claim: claim["corpus"].update({"floor/f32.hlo": "0" * 64}),
     'corpus floor/f32.hlo: claimed "000'),
    ("certificate.json", lambda claim: claim["corpus"].pop("floor/f32.hlo"), 'corpus floor/f32.hlo: claimed "nothing"'),
    ("certificate.json", lambda claim: claim["files"].pop("report.html"), 'files report.html: claimed "nothing"'),
]


class Forged(Certificate):
    def test_each_claim_about_the_run(self):
        honest = self.certificate()
        (failed, *_) = self.failures(honest)
        for name, forge, text in FORGERIES:
            with self.subTest(text):
                folder = self.copy_of(honest)
                self.edit(folder, name, forge)
                self.assert_disagrees(folder, text.replace("FAILED", failed))

    def test_a_certificate_without_a_case_disagrees(self):
        folder = self.certificate()
        empty = {"cases": [], "totals": {}, "clusters": [], "types": {}, "filter": "no/such"}
        self.edit(folder, "results.json", lambda report: (report.update(empty), report.pop("profile_met")))
        self.edit(folder, "certificate.json",
                  lambda claim: (claim.update(totals={}, corpus={}, filter="no/such"), claim.pop("profile_met")))
        self.assert_disagrees(folder, "the certificate has no case: its filter and tags must match some")

    def test_a_changed_verdict_disagrees_with_its_digest(self):
        folder = self.certificate()
        self.edit(folder, "results.json", exact, mends_digest=False)
        self.assert_disagrees(folder, "certificate.json files results.json: claimed ")

    def test_each_claim_about_a_case(self):
        """Every field of a failure is compared, each changed alone."""
        honest = self.certificate()
        (name, *_) = self.failures(honest)
        (entry,) = [entry for entry in self.results(honest)["cases"] if entry["name"] == name]
        self.assertLess({"reason", "elements", "not_exact", "tallies", "worst", "evidence", "place", "standing"}, set(entry))
        forgeries = [((field,), f"cases {name} {field}") for field in entry if field not in ("name", "worst")]
        forgeries += [(("worst", field), f"cases {name} worst {field}") for field in entry["worst"]]
        for path, text in forgeries:
            with self.subTest(text):
                folder = self.copy_of(honest)
                self.edit(folder, "results.json", lambda report: self.falsify(report, name, path))
                expected = f"cases {name}: claimed " if path in (("verdict",), ("narrowest_profile",)) else text
                self.assert_disagrees(folder, expected)

    def falsify(self, report, name, path):
        """Changes a field of a case: a number by one, a text or a list by one more letter or element."""
        (entry,) = [entry for entry in report["cases"] if entry["name"] == name]
        *outer, last = path
        for field in outer:
            entry = entry[field]
        value = entry[last]
        if isinstance(value, dict):
            entry[last] = {**value, "module": ""}
        elif isinstance(value, list):
            entry[last] = [*value, "f32"]
        else:
            entry[last] = value + "x" if isinstance(value, str) else 0 if value is None else value + 1

    def copy_of(self, honest):
        folder = self.folder / "forged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(honest, folder)
        return folder

    def test_pages_that_are_not_of_the_report(self):
        """Most readers open report.html alone."""
        honest = self.certificate()
        for name in ("report.html", "junit.xml"):
            folder = self.copy_of(honest)
            page = folder / name
            page.write_text(page.read_text().replace("FAIL", "EXACT"))
            self.assert_disagrees(folder, f"certificate.json files {name}: claimed ")
            self.mend(folder, name)
            self.assert_disagrees(folder, f"{name}: differs from results.json")

    def test_the_folder_of_the_corpus_is_no_claim(self):
        """A certificate made elsewhere agrees: its places have the path of another corpus."""
        folder, elsewhere = self.certificate(), self.folder / "elsewhere"
        for op in ("floor", "add"):
            shutil.copytree(GOLDEN / op, elsewhere / op)
        self.assert_agrees(folder, "--corpus", elsewhere)

    def test_a_profile_of_the_forgers_own(self):
        """The file lies beside the certificate, and accepts more than any built-in profile."""
        folder = self.certificate()
        mine = folder / "xla.json"
        mine.write_text(json.dumps({"name": "xla", "extends": "xla", "meaning": "mine"}))
        self.edit(folder, "certificate.json", lambda claim: claim.update(profile=str(mine)))
        self.assert_fails(2, f"must have the text of its profile or name a built-in one, found {mine}", "verify-report", folder)

    def test_another_profile_disagrees(self):
        folder = self.certificate()
        self.edit(folder, "certificate.json", lambda claim: claim.update(profile="exact"))
        self.edit(folder, "certificate.json", lambda claim: claim["backend"].update(version="other"))
        self.assert_disagrees(folder, "backend version: claimed", "--backend", WRONG, "--sample", "1")

    def test_a_missing_answer_disagrees(self):
        folder = self.certificate()
        lines = (folder / "runs.jsonl").read_text().splitlines(keepends=True)
        (folder / "runs.jsonl").write_text("".join(lines[1:]))
        self.mend(folder, "runs.jsonl")
        self.assert_disagrees(folder, "found CRASH")

    def test_answers_of_another_backend_are_found_by_the_sample(self):
        folder, honest = self.certificate(), self.folder / "honest"
        self.assertEqual(self.assay("certify", "--backend", "reference", "--filter", CHOSEN, "--out", honest).returncode, 0)
        for name in ("runs.jsonl", "results.json", "junit.xml", "report.html"):
            of_other = (honest / name).read_text()
            for before, after in (('"', '"'), ("of ", " "), ("<pre>", " ")):  # JSON, JUnit, the page without scripts
                of_other = of_other.replace(f"{before}reference{after}", f"{before}{WRONG}{after}")
            (folder / name).write_text(of_other)
            self.mend(folder, name)
        of_reference = json.loads((honest / "certificate.json").read_text())
        self.edit(folder, "certificate.json",
                  lambda claim: claim.update(totals=of_reference["totals"], profile_met=of_reference["profile_met"]))  # fmt: skip
        self.assert_agrees(folder)
        lines = self.assert_disagrees(folder, "claimed EXACT", "--backend", WRONG, "--sample", "1000")
        self.assertTrue(any("found FAIL" in line for line in lines))

    def test_damaged_files_are_errors(self):
        folder = self.certificate()
        (folder / "runs.jsonl").write_text("[]\n")
        self.assert_fails(2, "line 1 must be an object with a key", "verify-report", folder)
        (folder / "certificate.json").write_text("{}")
        self.assert_fails(2, "not a certificate", "verify-report", folder)
        (folder / "certificate.json").unlink()
        self.assert_fails(2, "No such file", "verify-report", folder)
