"""python -m assay.ci, and the scripts of the action of GitHub and of the template of GitLab."""

import json
import os
import re
import sys
import textwrap
import xml.etree.ElementTree

from assay import ci
from command_line import ROOT, CliTest, ran, write_program

MUTANT = "mutant:floor_truncates"
FILTER = "floor/f32/"

# Stands for the program that calls a forge: writes its arguments and the body of the comment, and answers with the id
# of an earlier comment or with an earlier report.
FORGE = """#!{python}
import json, os, pathlib, sys
log = pathlib.Path({log!r})
body = [word for word in sys.argv if word.startswith(("body=@", "body=<"))]
text = pathlib.Path(body[0][6:]).read_text() if body else ""
log.write_text((log.read_text() if log.exists() else "") + json.dumps([sys.argv[1:], text]) + "\\n")
print({answer!r} if not body else "", end="")
if "--output" in sys.argv:
    output = pathlib.Path(sys.argv[sys.argv.index("--output") + 1])
    output.write_text(pathlib.Path({report!r}).read_text())
"""


def scripts_of_action():
    """Returns the scripts of the action's steps by their names."""
    text = (ROOT / "action.yml").read_text()
    steps = re.findall(r"^    - name: (\w+)\n(?:      .*\n)*?      run: \|\n((?:        .*\n)+)", text, re.M)
    return {name: textwrap.dedent(script) for name, script in steps}


def script_of_template(name):
    """Returns a list of commands of the template as one script."""
    (block,) = re.findall(rf"^  {name}:\n((?:    .*\n)+)", (ROOT / ".gitlab/grade.yml").read_text(), re.M)
    items = re.split(r"^    - ", re.sub(r"^    # .*\n", "", block, flags=re.M), flags=re.M)[1:]
    return "".join(textwrap.dedent(item[2:]) if item.startswith("|\n") else item for item in items)


class Ci(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "assay/bin").mkdir(parents=True)
        (self.folder / "assay/bin/python").symlink_to(sys.executable)

    def grade(self, *options):
        done = ran(sys.executable, "-m", "assay.ci", *options, cwd=self.folder,
                   env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
        return done.returncode, done.stdout + done.stderr

    def runs(self, script, answer="", report="", **variables):
        """Runs a script with bash as GitHub does. Returns its exit code and the calls of the forge."""
        tools = self.folder / "tools"
        log = self.folder / "calls"
        log.unlink(missing_ok=True)
        for name in ("gh", "curl"):
            forge = FORGE.format(python=sys.executable, log=str(log), answer=answer, report=str(report))
            write_program(tools / name, forge)
        environment = {**os.environ, "PATH": f"{tools}:{self.folder}/assay/bin:{os.environ['PATH']}",
                       "PYTHONPATH": str(ROOT / "python"), "RUNNER_TEMP": str(self.folder),
                       "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md")}
        done = ran("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script, cwd=self.folder,
                   env={**environment, **variables})
        calls = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return done.returncode, calls, done.stdout + done.stderr

    def text(self, name):
        return (self.folder / name).read_text()

    def test_a_first_report_has_a_claim_and_a_badge(self):
        code, printed = self.grade("--backend", "simd", "--filter", FILTER)
        self.assertEqual(code, 0, printed)
        cases = len(json.loads(self.text("report/results.json"))["cases"])
        self.assertGreater(cases, 1)
        badge = json.loads(self.text("report/badge.json"))
        self.assertEqual(badge,
                         {"schemaVersion": 1, "label": "assay", "message": f"exact, {cases} of {cases} cases, chosen",
                          "color": "brightgreen"})
        self.assertIn(f"profile met: exact, on {cases} of {cases} cases (--filter {FILTER})",
                      self.text("report/changes.md"))
        self.assertIn("There is no earlier report to compare with.", self.text("report/changes.md"))
        picture = xml.etree.ElementTree.fromstring(self.text("report/badge.svg"))
        self.assertEqual(picture.get("aria-label"), f"assay: {badge['message']}")

    def test_a_change_that_breaks_a_case_fails_and_is_named(self):
        self.assertEqual(self.grade("--backend", "reference", "--filter", FILTER, "--report", "before")[0], 0)
        code, printed = self.grade("--before", "before", "--backend", MUTANT, "--filter", FILTER)
        self.assertEqual(code, 1, printed)
        wrong = [
            case["name"] for case in json.loads(self.text("report/results.json"))["cases"] if case["verdict"] == "FAIL"
        ]
        self.assertGreater(len(wrong), 0)
        changes = self.text("report/changes.md")
        self.assertTrue(changes.startswith(f"### assay: `{MUTANT} "), changes)
        self.assertIn(f"**{len(wrong)} newly wrong, 0 mended, ", changes)
        for name in wrong:
            self.assertIn(f"| `{name}` | EXACT | FAIL | `", changes)
        self.assertEqual(json.loads(self.text("report/badge.json"))["color"], "red")

    def test_a_backend_that_does_not_start_makes_no_report(self):
        self.file("report/results.json", "the last one")
        code, printed = self.grade("--backend", "process:no-such-program", "--filter", FILTER)
        self.assertEqual(code, 3, printed)
        self.assertIn("made no report: exit code 3", self.text("report/changes.md"))
        self.assertFalse((self.folder / "report/badge.json").exists())

    def test_a_wrong_earlier_report_is_named(self):
        self.file("before/results.json", "{")
        code, printed = self.grade("--before", "before", "--backend", "reference", "--filter", FILTER)
        self.assertEqual(code, 0, printed)
        self.assertIn("The earlier report cannot be compared: `", self.text("report/changes.md"))

    def test_badges_without_a_claim(self):
        met = {"profile": None, "cases": 20276, "proven": 12, "text": ""}
        self.assertEqual(ci.badge({"profile_met": met}, True)["message"], "no claim, 12 of 20,276 cases")
        met["next"] = {"profile": "fast", "cases": 1234, "smallest": "add/f32/x"}
        self.assertEqual(ci.badge({"profile_met": met}, False)["message"],
                         "no profile, 1,234 of 20,276 cases fail fast")
        met = {"profile": "xla", "cases": 20276, "proven": 19874, "text": ""}
        self.assertEqual(ci.badge({"profile_met": met}, True)["message"], "xla, 19,874 of 20,276 cases")
        self.assertEqual(ci.badge({"profile_met": met}, False)["color"], "yellow")
        self.assertEqual(ci.badge({}, True)["message"], "no claim, 0 of 0 cases")

    def test_the_examples_of_the_page_have_ten_lines_and_only_known_names(self):
        page = (ROOT / "docs/continuous_integration.md").read_text()
        action, template, _ = re.findall(r"^```yaml\n(.*?)^```", page, re.M | re.S)
        (given,) = re.findall(r"with: \{(.*)\}", action)
        inputs = re.findall(r"^  (\w+):\n    description", (ROOT / "action.yml").read_text(), re.M)
        self.assertEqual(re.findall(r"^\| `(\w+)` \|", page[page.index("| input |") : page.index("The action\n")],
                                    re.M), inputs)
        self.assertLess(set(re.findall(r"(\w+): \"", given)), set(inputs))
        variables = re.findall(r"^    (ASSAY_\w+):", (ROOT / ".gitlab/grade.yml").read_text(), re.M)
        self.assertLess(set(re.findall(r"^    (ASSAY_\w+):", template, re.M)), set(variables))
        for example in (action, template):
            self.assertLessEqual(len(example.splitlines()), 10)

    def test_the_action_compares_with_the_report_in_its_cache(self):
        scripts = scripts_of_action()
        self.assertEqual(list(scripts), ["sources", "wheel", "install", "grade", "comment"])
        names = {"NAME": "mine", "OPTIONS": f"--filter {FILTER} --jobs 1"}
        code, _, printed = self.runs(scripts["grade"], BACKEND="simd", **names)
        self.assertEqual(code, 0, printed)
        code, _, printed = self.runs(scripts["grade"], BACKEND=MUTANT, **names)
        self.assertEqual(code, 1, printed)
        self.assertTrue((self.folder / "mine-before/results.json").is_file())
        self.assertRegex(self.text("mine-report/changes.md"), r"\*\*[1-9]\d* newly wrong, 0 mended")
        self.assertTrue(self.text("summary.md").endswith(self.text("mine-report/changes.md")))

    def test_the_action_names_a_wheel_by_the_files_that_make_it(self):
        digests = []
        for text in ("a", "a", "b"):
            self.file("source/one file.txt", text)
            variables = {"GITHUB_ACTION_PATH": f"{self.folder}/source", "GITHUB_OUTPUT": str(self.folder / "output")}
            code, _, printed = self.runs(scripts_of_action()["sources"], **variables)
            self.assertEqual(code, 0, printed)
            digests.append(re.fullmatch("digest=([0-9a-f]{16})", self.text("output").splitlines()[-1])[1])
        self.assertEqual(digests[0], digests[1])
        self.assertNotEqual(digests[0], digests[2])

    def test_the_action_writes_one_comment_and_replaces_it(self):
        self.file("mine-report/changes.md", "### assay\n")
        names = {"NAME": "mine", "GH_REPO": "me/chip", "PULL_REQUEST": "7"}
        for answer, call in (("", ["api", "--method", "POST", "repos/me/chip/issues/7/comments"]),
                             ("41\n42\n", ["api", "--method", "PATCH", "repos/me/chip/issues/comments/42"])):
            code, calls, printed = self.runs(scripts_of_action()["comment"], answer, **names)
            self.assertEqual(code, 0, printed)
            words, body = calls[-1]
            self.assertEqual(words[:4], call)
            self.assertEqual(body, "<!-- assay: mine -->\n### assay\n")

    def test_the_template_compares_with_the_report_of_the_main_branch(self):
        self.assertEqual(self.grade("--backend", "simd", "--filter", FILTER, "--report", "main")[0], 0)
        names = {"CI_API_V4_URL": "https://forge/api/v4", "CI_PROJECT_ID": "9", "CI_DEFAULT_BRANCH": "main",
                 "CI_JOB_NAME": "grade", "CI_JOB_TOKEN": "secret", "ASSAY_BACKEND": MUTANT,
                 "ASSAY_OPTIONS": f"--filter {FILTER}"}
        code, calls, printed = self.runs(script_of_template("script"), report=self.folder / "main/results.json",
                                         **names)
        self.assertEqual(code, 1, printed)
        self.assertEqual(calls[0][0][-1],
                         "https://forge/api/v4/projects/9/jobs/artifacts/main/raw/report/results.json?job=grade")
        self.assertRegex(self.text("report/changes.md"), r"\*\*[1-9]\d* newly wrong, 0 mended")
        for answer, call in (("[]", "POST https://forge/api/v4/projects/9/merge_requests/3/notes"),
                             ('[{"id": 5, "body": "<!-- assay: grade -->"}, {"id": 4, "body": "other"}]',
                              "PUT https://forge/api/v4/projects/9/merge_requests/3/notes/5")):
            code, calls, printed = self.runs(script_of_template("after_script"), answer, ASSAY_TOKEN="t",
                                             CI_MERGE_REQUEST_IID="3", **names)
            self.assertEqual(code, 0, printed)
            words, body = calls[-1]
            self.assertEqual(f"{words[words.index('--request') + 1]} {words[-1]}", call)
            self.assertEqual(body, "<!-- assay: grade -->\n" + self.text("report/changes.md"))
