"""report.html in a browser: what a reader clicks, and what the page shows then. ASSAY names the executable."""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from command_line import PYTHON, CliTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BROWSER = shutil.which("chromium")
NODE = shutil.which("node") or shutil.which("nodejs")
# Stands behind the page's own script, and leaves its findings in the title.
QUESTIONS = """<script>
(async () => {
  const answers = {};
  const wait = () => new Promise((resume) => setTimeout(resume, 50));
  const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
  const rows = (id) => [...byId(id).rows].slice(1).map((row) => [...row.cells].map((cell) => cell.textContent));
  answers.heading = byId("title").textContent;
  answers.headline = byId("headline").textContent;
  answers.totals = texts("#totals .chip");
  answers.causes = rows("causes");
  answers.lawful = rows("lawful_causes");
  answers.ops = texts("#matrix th:not(.type)").filter(Boolean);
  answers.cells = [...document.querySelectorAll("#matrix td.cell")].map((cell) => [cell.title, cell.textContent]);
  document.querySelector("#causes a")?.click();
  answers.found = texts("#cases summary");
  const details = document.querySelector("#cases details");
  if (details) details.open = true;
  await wait();
  answers.shown = texts("#cases details pre");
  document.querySelector('#matrix td.cell[title^="subtract f16"]')?.click();
  answers.cell = [byId("search").value, byId("count").textContent];
  [...document.querySelectorAll("#totals a")].find((a) => a.textContent.endsWith("FAIL"))?.click();
  answers.verdict = [byId("search").value, byId("count").textContent];
  byId("search").value = "no such words";
  byId("search").dispatchEvent(new Event("input"));
  answers.none = byId("count").textContent;
  if (typeof OTHER !== "undefined") {
    const files = new DataTransfer();
    files.items.add(new File([JSON.stringify(OTHER)], "results.json"));
    byId("other").files = files.files;
    byId("other").dispatchEvent(new Event("change"));
    // Virtual time does not wait for the page's read of the file, so each turn reads the file too.
    for (let turn = 0; turn < 100 && !document.querySelector("#changes summary"); ++turn) {
      await byId("other").files[0].text();
      await wait();
    }
    answers.changes = texts("#changes summary");
    answers.worse = texts("#changes details[open] a");
  }
  answers.declined = byId("declined").hidden ? null : [byId("declined").querySelector("summary").textContent, ...texts("#declined a")];
  answers.stale = texts("#stale summary, #stale details > div");
  answers.matrix = byId("matrix").scrollWidth;
  answers.wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
  document.body.replaceChildren(make("pre", {id: "answers"}, JSON.stringify(answers)));
})();
</script>
"""


@unittest.skipUnless(NODE, "needs node")
class FilterTest(unittest.TestCase):
    """The page's filter, without a browser."""

    def found(self, *words):
        """Returns the verdicts of the entries that the words choose."""
        page = (ROOT / "conformance/reports/report.html").read_text()
        order = re.search(r"^const order = .*?;$", page, re.M)[0]
        function = re.search(r"^function fits\(.*?^}$", page, re.M | re.S)[0]
        verdicts = json.loads(re.search(r"\[.*\]", order)[0])
        entries = [{"name": f"add/f32/{verdict.lower()}", "op": "add", "verdict": verdict, "types": ["f32"],
                    "standing": "failed", "reason": "it may FAIL"} for verdict in verdicts]  # fmt: skip
        script = f"{order}{function}console.log(JSON.stringify({json.dumps(entries)}.filter((e) => fits(e, {json.dumps(words)}))))"
        done = subprocess.run([NODE, "-e", script], capture_output=True, text=True, check=True)
        return [entry["verdict"] for entry in json.loads(done.stdout)]

    def test_a_verdict_in_capitals_finds_exactly_its_cases(self):
        verdicts = ["EXACT", "LEGAL", "SPEC-GAP", "UNSUPPORTED", "WEAK", "SUSPECT", "FAIL", "ERROR", "TIMEOUT", "CRASH", "UNJUDGED"]
        for verdict in verdicts:
            self.assertEqual(self.found(verdict), [verdict])
        self.assertEqual(self.found("FAIL", "type:f32"), ["FAIL"])
        self.assertEqual(self.found("FAIL", "CRASH"), [])
        self.assertEqual(self.found("fail"), verdicts)  # a part of a name, a standing or a reason


@unittest.skipUnless(BROWSER, "needs chromium")
class ReportPageTest(CliTest):
    def report(self, name, *options, corpus=ROOT / "golden"):
        self.assay("check", "--corpus", corpus, *options, "--report", self.folder / name)
        return self.folder / name

    def look(self, folder, other=None):
        """Returns the page's answers to the questions."""
        page = (folder / "report.html").read_text()
        script = f"<script>const OTHER = {(other / 'results.json').read_text()};</script>" if other else ""
        asked = self.file("asked.html", page.replace("</body>", script + QUESTIONS + "</body>"))
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900",
                   f"--user-data-dir={self.folder}/browser", "--virtual-time-budget=5000", "--dump-dom", f"file://{asked}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, "HOME": str(self.folder)})
        found = re.search(r'<pre id="answers">(.*?)</pre>', done.stdout, re.DOTALL)
        self.assertTrue(found, done.stderr[-2000:])
        return json.loads(html.unescape(found[1]))

    def test_a_failure_is_found_and_explained(self):
        mutant = self.report("mutant", "--filter", "op=subtract", "--backend", "mutant:subtract_of_equals")
        right = self.report("right", "--filter", "op=subtract", "--backend", "reference")
        report = json.loads((mutant / "results.json").read_text())
        failed = [case for case in report["cases"] if case["verdict"] == "FAIL"]
        answers = self.look(mutant, right)
        self.assertEqual(answers["heading"], "mutant:subtract_of_equals 0.1.0")
        self.assertEqual(answers["headline"], report["profile_met"]["text"])
        self.assertEqual(answers["verdict"], ["FAIL", f"{len(failed)} cases"])
        self.assertIn(f"{len(failed)} FAIL", answers["totals"])
        self.assertEqual(answers["ops"], ["subtract"])
        self.assertIn(["subtract f16: FAIL", str(report["types"]["subtract"]["f16"]["cases"])], answers["cells"])
        # The smallest witness, by a click; its module, inputs and values are those of the report.
        witness = report["clusters"][0]["witness"]
        self.assertEqual(answers["causes"][0][0], "FAIL")
        self.assertEqual(answers["found"], ["FAIL" + witness])
        case = next(case for case in failed if case["name"] == witness)
        shown = "\n".join(answers["shown"])
        self.assertIn(case["evidence"]["module"].rstrip(), answers["shown"])
        for part in (*case["evidence"]["inputs"], case["evidence"]["want"], case["evidence"]["got"], case["place"]):
            self.assertIn(part, shown)
        self.assertIn(f"--filter 'name={witness}'", shown)
        f16 = [case for case in report["cases"] if "f16" in case["types"]]
        self.assertEqual(answers["cell"], ["op:subtract type:f16", f"{len(f16)} cases"])
        self.assertEqual(answers["none"], "0 cases")
        self.assertEqual(answers["changes"], [f"Became worse: {len(failed)}", "Became better: 0", "Other bits: 0",
                                              "New here: 0", "Only there: 0"])  # fmt: skip
        self.assertEqual(sorted(answers["worse"]), sorted(case["name"] for case in failed))
        self.assertFalse(answers["wide"], "the page is wider than the window")

    def test_the_matrix_fits_the_page(self):
        answers = self.look(self.report("types", "--filter", "name=*/types/*", "--backend", "reference"))
        self.assertGreater(len(answers["ops"]), 100)
        self.assertGreater(len({title.split()[1] for title, _ in answers["cells"]}), 30)
        self.assertLessEqual(answers["matrix"], 1216)
        self.assertFalse(answers["wide"], "the page is wider than the window")
        self.assertIsNone(answers["declined"])

    def test_what_is_declined_in_every_type_is_folded_away(self):
        peer = self.file("peer.py", """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        print(json.dumps({"hello": 1, "name": "small", "version": "1"}), flush=True)
    else:
        status = "unsupported" if "subtract(" in request["hlo"] else "error"
        print(json.dumps({"id": request.get("id"), "status": status, "message": "no"}), flush=True)
""")  # fmt: skip
        answers = self.look(self.report("small", "--filter", "op=subtract & name=*/types/* | op=not & name=*/types/*",
                                        "--backend", f"process:{PYTHON} {peer}"))  # fmt: skip
        self.assertEqual(answers["ops"], ["not"])
        self.assertEqual(answers["declined"], ["Declined in every type: 1 operations", "subtract"])

    def test_expectations_without_a_case_are_told_of_a_whole_run_alone(self):
        corpus = self.folder / "corpus" / "not"
        corpus.mkdir(parents=True)
        for name in ("pred", "types"):
            shutil.copy(ROOT / f"golden/not/{name}.hlo", corpus)
        rows = [{"name": f"no/such/{i}", "verdict": "FAIL", "reason": "gone"} for i in range(50)]
        known = self.file("known.json", json.dumps({"cases": rows}))
        whole = ("--backend", "reference", "--expectations", known)

        def stale_of(name, *options):
            return self.look(self.report(name, *whole, *options, corpus=corpus.parent))["stale"]

        stale = stale_of("whole")
        self.assertEqual((stale[0], len(stale)), ("Expectations that fit no case: 50", 51))
        self.assertEqual(stale_of("part", "--filter", "pred"), [])
        self.assertEqual(stale_of("early", "--jobs", "1", "--budget", "0.000001"), [])

    def test_nothing_failed(self):
        answers = self.look(self.report("right", "--filter", "op=subtract", "--backend", "reference"))
        self.assertRegex(answers["headline"], r"^profile met: exact, on (\d+) of \1 cases \(--filter op=subtract\)$")
        self.assertEqual((answers["causes"], answers["lawful"]), ([], []))

    def test_a_backend_that_writes_markup(self):
        peer = self.file("peer.py", """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        print(json.dumps({"hello": 1, "name": "</script><h1>x</h1>", "version": "<b>1</b>"}), flush=True)
    else:
        print(json.dumps({"id": request.get("id"), "status": "error", "message": "<!--<script><img src=x onerror=alert(1)></pre>"}), flush=True)
""")  # fmt: skip
        answers = self.look(self.report("markup", "--filter", "op=subtract", "--backend", f"process:{PYTHON} {peer}"))
        self.assertEqual(answers["heading"], "</script><h1>x</h1> <b>1</b>")
        self.assertEqual({row[0] for row in answers["causes"]}, {"ERROR"})
        self.assertIn(f"--backend 'process:{PYTHON} {peer}'", answers["shown"][-1])
        self.assertIn("<!--<script><img src=x onerror=alert(1)></pre>", answers["causes"][0][3])
