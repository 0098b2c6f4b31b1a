"""report.html in a browser: what a reader clicks, types and presses, and what the page shows then. ASSAY names the
executable."""

import json
import shutil
import tempfile
import unittest

from browser import AXE, CHROMIUM, Browser
from command_line import ROOT, CliTest, peer

MUTANT = "mutant:subtract_of_equals"
VERDICTS = ["EXACT", "LEGAL", "SPEC-GAP", "UNSUPPORTED", "WEAK", "SUSPECT", "FAIL", "ERROR", "TIMEOUT", "CRASH", "UNJUDGED"]
STANDINGS = {"EXACT": "passed", "LEGAL": "passed", "SPEC-GAP": "passed", "UNSUPPORTED": "unsupported", "WEAK": "weak",
             "UNJUDGED": "unjudged"}  # fmt: skip
A4_LANDSCAPE = 1032  # CSS pixels between margins of 12 mm


@unittest.skipUnless(CHROMIUM, "needs chromium")
class ReportPageTest(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.errors.clear()
        self.addCleanup(lambda: self.assertEqual(self.browser.errors, []))

    def report(self, name, *options, corpus=ROOT / "golden"):
        self.assay("check", "--corpus", corpus, *options, "--report", self.folder / name)
        return self.folder / name

    def page_of(self, changes, copies=1):
        """Returns the page of a report whose cases are copies of one with these changes, and its document."""
        folder = self.report("edited", "--backend", "reference", "--filter", "name=subtract/f32/specials")
        document = self.results(folder)
        (case,) = document["cases"]
        document["cases"] = [{**case, "name": f"subtract/f32/{i}", **change} for i, change in enumerate(changes * copies)]
        (folder / "results.json").write_text(json.dumps(document))
        self.assay("compare", folder, folder, "--page", self.folder / "page.html", code=0)
        return self.folder / "page.html"

    def every_verdict(self, **fields):
        return [{"verdict": one, "standing": STANDINGS.get(one, "failed"), "reason": f"it may FAIL {one}", **fields}
                | ({"is_limit": True} if one == "UNJUDGED" else {}) for one in VERDICTS]  # fmt: skip

    def texts(self, selector):
        return self.browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent.trim())")

    def text(self, selector):
        (text,) = self.texts(selector)
        return text

    def click(self, selector):
        """Clicks the first element that fits, and waits until the page has followed its link."""
        self.browser.run(f"document.querySelector({json.dumps(selector)}).click(), new Promise((done) => setTimeout(done, 50))")

    def filter(self):
        return self.browser.run("document.getElementById('filter').value")

    def test_a_failure_is_found_and_explained(self):
        folder = self.report("mutant", "--filter", "op=subtract", "--backend", MUTANT)
        report = self.results(folder)
        failed = [case for case in report["cases"] if case["verdict"] == "FAIL"]
        self.browser.open(folder / "report.html")
        self.assertEqual(self.text("h1"), f"FAILED {MUTANT} 0.1.0")
        self.assertEqual(self.text("#outcome"), f"The check failed: {len(failed)} new failures.")
        self.assertEqual(self.browser.run("document.title"), f"failed: assay check of {MUTANT} 0.1.0")
        self.assertEqual(self.text("#headline"), report["profile_met"]["text"])
        self.assertEqual(self.texts("#totals dt"), ["fail the check", "all others"])
        self.assertEqual(self.texts("#totals dd:nth-of-type(1) a"), [f"{len(failed)} FAIL"])
        # The smallest case of the cause, by its link; its module, inputs and values are those of the report.
        witness = report["clusters"][0]["witness"]
        self.assertTrue(self.texts("#causes li")[0].startswith("FAIL"))
        self.click("#causes a:last-child")
        self.assertEqual(self.texts("#cases summary"), [f"FAIL {witness} (failed)"])
        case = next(case for case in failed if case["name"] == witness)
        shown = self.texts("#cases details[open] pre")
        self.assertIn(case["evidence"]["module"].strip(), shown)
        for part in (*case["evidence"]["inputs"], case["evidence"]["want"], case["evidence"]["got"], case["place"],
                     f"--filter 'name={witness}'"):  # fmt: skip
            self.assertIn(part, "\n".join(shown))
        f16 = [case for case in report["cases"] if "f16" in case["types"]]
        self.assertEqual(self.texts('#matrix a[title^="subtract f16:"]'), [str(report["types"]["subtract"]["f16"]["cases"])])
        self.click('#matrix a[title^="subtract f16:"]')
        self.assertEqual((self.filter(), self.text("#count")), ("op:subtract type:f16", f"{len(f16)} cases"))
        self.click("#totals a")
        self.assertEqual((self.filter(), self.text("#count")), ("FAIL is:new", f"{len(failed)} cases"))

    def test_new_and_expected_failures_are_apart(self):
        folder = self.report("known", "--filter", "op=subtract", "--backend", MUTANT, "--expectations", self.file(
            "known.json", json.dumps({"cases": [{"name": "subtract/f32/*", "verdict": "FAIL", "reason": "known"}]})))  # fmt: skip
        report = self.results(folder)
        counts = {standing: sum(case["standing"] == standing and case["verdict"] == "FAIL" for case in report["cases"])
                  for standing in ("expected", "failed")}  # fmt: skip
        self.assertGreater(min(counts.values()), 0)
        self.assertIn(f"{counts['failed']} new failures, ", report["outcome"])
        self.assertTrue(report["outcome"].endswith(f", {counts['expected']} expected failures"), report["outcome"])
        self.browser.open(folder / "report.html")
        self.assertEqual(self.texts("#totals dt"), ["fail the check", "as expected", "all others"])
        self.assertEqual(self.texts("#totals dd:nth-of-type(2) a"), [f"{counts['expected']} FAIL"])
        self.assertEqual(len(self.texts("#expected_causes li")), 1)
        self.click("#totals dd:nth-of-type(2) a")
        self.assertEqual((self.filter(), self.text("#count")), ("FAIL is:expected", f"{counts['expected']} cases"))
        self.assertTrue(all(text.endswith("(expected)") for text in self.texts("#cases summary")))

    def test_filters(self):
        self.browser.open(self.page_of(self.every_verdict()))
        found = lambda words: self.browser.run(f"find({json.dumps(words)}).map((one) => one.verdict)")  # noqa: E731
        for verdict in VERDICTS:
            self.assertEqual(found(verdict), [verdict])
        worst_first = VERDICTS[::-1]
        failures = ["CRASH", "TIMEOUT", "ERROR", "FAIL", "SUSPECT"]
        for words, verdicts in (
            ("FAIL type:f32", ["FAIL"]), ("FAIL CRASH", []), ("FAIL type:f16", []), ("fail", worst_first),
            ("is:new", failures), ("is:unjudged", ["UNJUDGED"]),
            ("is:other", ["UNJUDGED", "WEAK", "UNSUPPORTED", "SPEC-GAP", "LEGAL", "EXACT"]), ("is:expected", []), ("op:sub*", worst_first),
            ("op:sub", []), ("name:subtract/f32/6", ["FAIL"]), ('name:"subtract/f32/6"', ["FAIL"]),
            ("name:*/6", ["FAIL"]), ("subtract/*", worst_first), ("may*CRASH", ["CRASH"]), ("[", []), ("may.fail", []),
            ('"may fail time"', ["TIMEOUT"]), ("", worst_first),
        ):  # fmt: skip
            self.assertEqual(found(words), verdicts, words)

    def test_each_filter_has_an_address(self):
        cases = self.every_verdict()
        cases[6]["name"] = "a b#%"
        page = self.page_of(cases)
        self.browser.open(page)
        self.click("#totals a")
        self.click("#matrix tbody th a")
        self.assertEqual(self.filter(), "op:subtract")
        self.browser.run("history.back(), new Promise((done) => setTimeout(done, 200))")
        self.assertEqual(self.filter(), "CRASH is:new")
        self.browser.run("history.back(), new Promise((done) => setTimeout(done, 200))")
        self.assertEqual((self.filter(), self.text("#count")), ("", "11 cases"))
        self.browser.run("filter = document.getElementById('filter'), filter.value = 'is:new FAIL', filter.dispatchEvent(new Event('input'))")
        self.browser.wait("location.hash === '#?is:new%20FAIL'")
        for address, filter, count in (("#?is:new%20FAIL", "is:new FAIL", 1), ("#?%", "%", 1), ("#causes", "", 11),
                                       ("#?name:%22a%20b%23%25%22", 'name:"a b#%"', 1)):  # fmt: skip
            self.browser.open(page, address)
            self.assertEqual((self.filter(), self.text("#count")), (filter, "1 case" if count == 1 else f"{count} cases"), address)
        self.assertEqual(self.browser.run("document.activeElement.id"), "found")
        self.click(".skip")
        self.assertEqual(self.browser.run("[document.activeElement.id, location.hash]"), ["filter", "#?name:%22a%20b%23%25%22"])
        self.assertEqual(self.browser.run("addressOf(nameFilter('a b#%'))"), "#?name:%22a%20b%23%25%22")

    def test_the_keyboard_reaches_cells_and_cases(self):
        self.browser.open(self.report("types", "--filter", "op=subtract | op=not", "--backend", "reference") / "report.html")
        active = lambda: self.browser.run("document.activeElement.title || document.activeElement.textContent")  # noqa: E731
        seen = []
        for _ in range(40):
            self.browser.press("Tab")
            seen.append(active())
            if self.browser.run("document.activeElement.id") == "filter":
                break
        self.assertEqual(seen[0], "Skip to the cases")
        self.assertEqual(sum(text == "bf16" for text in seen), 1, "the matrix is one stop")
        self.assertLess(len(seen), 40)
        self.browser.run("document.querySelector('#matrix a').focus()")
        for key, reached in (("ArrowDown", "subtract bf16: "), ("ArrowRight", "subtract c128: "), ("ArrowUp", "c128"),
                             ("ArrowLeft", "bf16"), ("ArrowLeft", "bf16"), ("ArrowDown", "subtract bf16: "),
                             ("ArrowLeft", "subtract"), ("ArrowUp", "not"), ("ArrowRight", "not pred: ")):  # fmt: skip
            self.browser.press(key)
            self.assertTrue(active().startswith(reached), f"{key}: {active()}, not {reached}")
        self.assertNotEqual(self.browser.run("getComputedStyle(document.activeElement).outlineStyle"), "none")
        self.browser.press("Enter")
        self.browser.wait("document.activeElement.id === 'found'")
        self.assertEqual(self.filter(), "op:not type:pred")
        self.browser.press("Tab")
        self.browser.press("Tab")
        self.browser.press("Enter")
        self.browser.wait("document.querySelector('#cases details').open")

    def test_all_cases_can_be_scrolled_to(self):
        self.browser.open(self.page_of(self.every_verdict()[:1], copies=3000))
        self.assertEqual(self.text("#count"), "3000 cases")
        self.assertLess(len(self.texts("#cases summary")), 1000)
        self.browser.wait("scrollTo(0, 1e9), document.querySelector('#cases > :last-child summary')")
        self.assertIn("EXACT subtract/f32/2999", self.texts("#cases summary"))

    def test_the_page_fits_every_window_and_breaks_no_word(self):
        page = self.report("types", "--filter", "name=*/types/*", "--backend", MUTANT) / "report.html"
        for width in (360, 768, 1024, 2560):
            self.browser.open(page, "#?FAIL", width=width)
            self.assertFalse(self.browser.is_too_wide(), width)
            self.assertEqual(self.browser.run("[...document.querySelectorAll('.chip')].filter((one) => one.getClientRects().length > 1).length"), 0)
        self.assertGreater(len(self.texts("#matrix tbody tr")), 100)
        self.browser.run("document.querySelector('.matrix').scrollIntoView(), document.querySelector('.matrix').scrollTop = 500")
        self.assertTrue(self.browser.run("document.elementFromPoint(...(({x, y}) => [x + 5, y + 5])("
                                         "document.querySelector('.matrix').getBoundingClientRect())).closest('thead') !== null"))  # fmt: skip
        self.browser.open(page, width=A4_LANDSCAPE, media="print")
        self.assertFalse(self.browser.is_too_wide(), "paper")
        self.assertLessEqual(self.browser.run("document.getElementById('matrix').scrollWidth"), A4_LANDSCAPE)

    @unittest.skipUnless(AXE, "needs axe-core-python")
    def test_axe_finds_nothing(self):
        page = self.page_of(self.every_verdict() + self.every_verdict(standing="expected"))
        for media in ({"prefers_color_scheme": "light"}, {"prefers_color_scheme": "dark"}, {"forced_colors": "active"}):
            self.browser.open(page, "#?subtract", **media)
            self.browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            self.assertEqual(self.browser.violations(), [], media)

    def test_a_browser_without_scripts_shows_the_causes(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.addCleanup(self.browser.call, "Emulation.setScriptExecutionDisabled", value=False)
        self.browser.open(self.page_of(self.every_verdict(reason="a < b & c")))
        shown = self.browser.run("document.body.innerText")
        for part in ("failed: 5 new failures, 1 case UNJUDGED", "CRASH    subtract/f32/9: a < b & c (1 cases)"):
            self.assertIn(part, shown)
        self.assertNotIn("subtract/f32/1:", shown)
        self.assertNotIn("Filter", shown)

    def test_the_matrix_shows_declined_cases_apart(self):
        self.browser.open(self.page_of([{"types": ["f32"]}, {"types": ["f32"], "verdict": "UNSUPPORTED"},
                                        {"types": ["f16"], "verdict": "UNSUPPORTED"}]))  # fmt: skip
        self.assertEqual(self.browser.run("[...document.querySelectorAll('#matrix .cell a')].map((one) => [one.className, one.title])"),
                         [["UNSUPPORTED", "subtract f16: 1 UNSUPPORTED"],
                          ["EXACT partly", "subtract f32: 1 UNSUPPORTED, 1 EXACT"]])  # fmt: skip

    def test_operations_declined_in_every_type_are_folded_away(self):
        answer = 'reply = {"status": "unsupported" if "subtract(" in message["hlo"] else "error", "message": "no"}'
        self.browser.open(self.report("small", "--filter", "op=subtract & name=*/types/* | op=not & name=*/types/*",
                                      "--backend", self.backend_of(peer(answer))) / "report.html")
        self.assertEqual(self.texts("#matrix tbody th"), ["not"])
        self.assertEqual(self.texts("#declined summary, #declined a"), ["Declined in every type: 1 operation", "subtract"])

    def test_expectations_without_a_case_are_listed_for_a_whole_run_only(self):
        corpus = self.folder / "corpus" / "not"
        corpus.mkdir(parents=True)
        for name in ("pred", "types"):
            shutil.copy(ROOT / f"golden/not/{name}.hlo", corpus)
        rows = [{"name": f"no/such/{i}", "verdict": "FAIL", "reason": "gone"} for i in range(50)]
        whole = ("--backend", "reference", "--expectations", self.file("known.json", {"cases": rows}))

        def stale_of(name, *options):
            self.browser.open(self.report(name, *whole, *options, corpus=corpus.parent) / "report.html")
            return self.texts("#stale summary, #stale details > div")

        stale = stale_of("whole")
        self.assertEqual((stale[0], len(stale)), ("Expectations that fit no case: 50", 51))
        self.assertEqual(stale_of("part", "--filter", "pred"), [])
        self.assertEqual(stale_of("early", "--jobs", "1", "--budget", "0.000001"), [])
        self.assertTrue(self.text("h1").startswith("INCOMPLETE"))
        self.assertRegex(self.text("#outcome"), r"ended by the end of its time \(--budget\)")

    def test_nothing_failed(self):
        self.browser.open(self.report("right", "--filter", "op=subtract", "--backend", "reference") / "report.html")
        self.assertRegex(self.text("#headline"), r"^profile met: exact, on (\d+) of \1 cases \(--filter op=subtract\)$")
        self.assertEqual((self.texts("#causes li"), self.text("h1")), (["None."], "PASSED reference 0.1.0"))
        self.assertRegex(self.text("#outcome"), r"^The check passed: no new failure in \d+ cases\.$")

    def test_a_backend_that_writes_markup(self):
        answer = 'reply = {"status": "error", "message": "<!--<script><img src=x onerror=alert(1)></pre>"}'
        backend = self.backend_of(peer(answer, "</script><h1>@REPORT@</h1>", version="<b>1</b>"))
        self.browser.open(self.report("markup", "--filter", "op=subtract", "--backend", backend) / "report.html")
        self.assertEqual(self.text("h1"), "FAILED </script><h1>@REPORT@</h1> <b>1</b>")
        self.assertIn("<!--<script><img src=x onerror=alert(1)></pre>", self.texts("#causes li")[0])
        self.click("#causes a:last-child")
        self.assertIn(f"--backend '{backend}'", self.texts("#cases pre")[-1])

    def test_changes_are_those_of_compare(self):
        before = self.report("before", "--filter", "op=subtract", "--backend", "reference")
        after = self.report("after", "--filter", "op=subtract", "--backend", MUTANT)
        page = self.folder / "changes.html"
        done = self.assay("compare", before, after, "--format", "json", "--page", page)
        newly_wrong = [change["name"] for change in json.loads(done.stdout)["changes"]]
        self.assertGreater(len(newly_wrong), 0)
        self.browser.open(page)
        expected = [f"newly wrong: {len(newly_wrong)}", *(f"EXACT → FAIL {name}" for name in newly_wrong)]
        shown = ("#changes summary, #changes details[open] div")
        self.assertEqual(self.texts(shown), expected)
        self.assertTrue(self.browser.run("document.getElementById('compared').open"))
        self.browser.open(after / "report.html")
        self.assertFalse(self.browser.run("document.getElementById('compared').open"))
        for name, text, message in (
            ("results.json", (before / "results.json").read_text(), "found a report: assay compare BEFORE AFTER compares two"),
            ("other.json", "[1]", "found other JSON"), ("null.json", "null", "found other JSON"),
            ("odd.json", '{"changes": [null]}', "found other JSON"),
            ("broken.json", "{", "found SyntaxError"), ("changes.json", done.stdout, ""),
        ):  # fmt: skip
            self.browser.choose_file("#other", self.file(name, text))
            if message:
                self.browser.wait(f"document.getElementById('changes').textContent.startsWith('{name} has no changes')")
                self.assertIn(message, self.text("#changes"))
            else:
                self.browser.wait("document.querySelector('#changes summary')")
                self.assertEqual(self.texts(shown), expected)
