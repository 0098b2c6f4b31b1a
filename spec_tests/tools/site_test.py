"""`tools/dev site`: the pages of a small report, their links and contents. ASSAY names the executable."""

import fnmatch
import html
import html.parser
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from browser import AXE, CHROMIUM, Browser
from command_line import ASSAY, ROOT, CliTest, each, ran

MUTANT = "mutant:floor_truncates"


class Links(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.links += [attrs[name] for name in ("href", "src", "action") if attrs.get(name)]
        self.anchors += [attrs["id"]] if "id" in attrs else []


class SiteTest(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.assay_of_class("check", "--backend", MUTANT, "--profile", "xla", "--filter", "op=floor | op=not", "--report",
                           cls.place / "in/mutant")  # fmt: skip
        cls.assay_of_class("check", "--backend", "reference", "--filter", "op=floor", "--report", cls.place / "in/right")
        cls.assay_of_class("fuzz", "--backend", MUTANT, "--ops", "floor", "--count", "300", "--most-findings", "1", "--out",
                           cls.place / "in/findings")  # fmt: skip
        cls.assay_of_class("accuracy", "--backend", "simd", "--op", "sqrt", "--type", "bf16", "--out", cls.place / "in/card")
        reduced = cls.place / "in/mutant/reduced/floor/every_pattern/f8e5m2"
        reduced.mkdir(parents=True)
        (reduced / "module.hlo").write_text("HloModule the_smallest\n")
        cls.write_finding(cls.place / "in/starts/FAIL-x", f"process:touch {cls.place}/ran")
        cls.built = cls.build(cls.place / "site", cls.place / "in")
        if CHROMIUM:
            cls.browser = Browser(cls.place / "browser")
            cls.addClassCleanup(cls.browser.close)

    @staticmethod
    def assay_of_class(*words):
        subprocess.run([ASSAY, *map(str, words)], capture_output=True, check=False, timeout=600)

    @staticmethod
    def write_finding(place, backend):
        place.mkdir(parents=True)
        finding = {"backend": backend, "version": "1", "verdict": "FAIL", "reason": "wrong", "pass": "", "number": 1,
                   "seed": 1, "source": "ops"}  # fmt: skip
        for name, text in (("module.hlo", "HloModule m\n"), ("inputs.json", "{}"), ("command.txt", "assay diff"),
                           ("finding.json", json.dumps(finding))):  # fmt: skip
            (place / name).write_text(text)

    @staticmethod
    def build(out, *folders):
        command = [sys.executable, "-m", "tools.site", "--out", str(out), "--assay", ASSAY, *map(str, folders)]
        return ran(*command, cwd=ROOT, timeout=1200)

    def page(self, path):
        return (self.place / "site" / path).read_text()

    def test_the_site_is_built(self):
        self.assertEqual(self.built.returncode, 0, self.built.stderr)
        self.assertRegex(self.built.stdout, r"index\.html: \d+ files, [\d.]+ MB, \d+ s\n$")

    def test_every_link_leads_to_a_page_and_an_anchor(self):
        site = (self.place / "site").resolve()
        files = {str(path) for path in site.rglob("*") if path.is_file()}
        pages = {str(path): Links(path.read_text()) for path in site.rglob("*.html")}
        self.assertGreater(len(pages), 200)
        bad = []
        for path, page in pages.items():
            self.assertEqual(len(page.anchors), len(set(page.anchors)), f"{path}: an anchor occurs twice")
            for link in set(page.links):
                if link.startswith("https://"):
                    continue
                target, _, anchor = urllib.parse.unquote(link).partition("#")
                to = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
                if to not in files or (anchor and anchor not in pages[to].anchors):
                    bad.append(f"{os.path.relpath(path, site)}: {link}")
        self.assertEqual(bad, [])

    def test_no_page_loads_anything_from_a_network(self):
        for path in (self.place / "site").rglob("*.html"):
            loaded = re.findall(r'<(?:script|img|link|iframe)\b[^>]*(?:src|href)="([a-z]+:[^"]*)', path.read_text())
            self.assertEqual(loaded, [], path)
        self.assertNotRegex(self.page("style.css"), r"url\(|@import")

    def test_a_cell_leads_to_its_case_and_its_command_repeats_the_verdict(self):
        report = json.loads((self.place / "in/mutant/results.json").read_text())
        case = next(one for one in report["cases"] if one["name"] == "floor/every_pattern/f8e5m2")
        key = "mutant_floor_truncates-0.1.0"
        self.assertIn(f'href="reports/{key}/floor.html"', self.page("operations.html"))
        self.assertIn('href="floor.html#type-f8e5m2"', self.page(f"reports/{key}/index.html"))
        page = html.unescape(self.page(f"reports/{key}/floor.html"))
        shown = page.split(f'id="{case["name"]}"')[1].split("</details>")[0]
        for part in (case["reason"], case["worst"]["got"], case["worst"]["want"], case["evidence"]["module"],
                     "golden/floor/every_pattern.hlo.txt", "HloModule the_smallest"):  # fmt: skip
            self.assertIn(part, shown)
        self.assertTrue((self.place / "site/golden/floor/every_pattern.hlo.txt").is_file())
        again = self.assay(*shlex.split(re.search(r'class="command">(.*?)</code>', shown)[1])[1:])
        self.assertEqual(again.returncode, 1)
        self.assertIn(f"FAIL     {case['name']}", again.stdout)

    def test_a_report_says_first_whether_the_check_passed(self):
        outcome = json.loads((self.place / "in/mutant/results.json").read_text())["outcome"]
        self.assertRegex(outcome, r"^failed: \d+ new failures$")
        for page in ("index.html", "reports/mutant_floor_truncates-0.1.0/index.html"):
            self.assertIn(outcome.replace("failed:", "FAILED"), html.unescape(re.sub("<[^>]+>", "", self.page(page))))
        self.assertIn("PASSED no new failure in ", re.sub("<[^>]+>", "", self.page("reports/reference-0.1.0/index.html")))

    def test_the_page_of_an_op_has_its_results(self):
        page = self.page("docs/ops/floor.html")
        results = page.split("<aside")[1].split("</aside>")[0]
        self.assertIn("mutant:floor_truncates 0.1.0", results)
        self.assertIn('<span class="chip FAIL">FAIL</span>', results)
        self.assertIn('<h2 id="meaning">', page)
        self.assertIn("<aside", self.page("docs/ops/exponential.html"), "the tables of expectations have cases of it")

    def test_the_history_has_the_cases_that_changed(self):
        page = html.unescape(self.page("history/xla-cpu.html"))
        versions = re.findall(r"<th[^>]*><a href=\"[^\"]*\">jaxlib ([\d.]+)</a>", page)
        self.assertEqual(versions, sorted(versions, key=lambda one: [int(n) for n in one.split(".")]))
        self.assertEqual(len(versions), 1 + len(list(ROOT.glob("golden/xla-cpu@*.json"))))  # and xla-cpu
        old, new = ([case["name"] for case in json.loads((ROOT / f"golden/{name}.json").read_text())["cases"]]
                    for name in ("xla-cpu@0.4.30", "xla-cpu@0.12.0.1"))  # fmt: skip
        rows = set(re.findall(r'<tr><th scope="row">([^<]+)</th>', page))
        only = {name for one, other in ((old, new), (new, old)) for name in one
                if not re.search(r"[*?[]", name) and not any(fnmatch.fnmatchcase(name, pattern) for pattern in other)}
        self.assertGreater(len(only), 20)
        self.assertEqual(only - rows, set())
        self.assertFalse(any("*" in name for name in rows), "patterns are expanded")
        cells = (set(re.findall(r'<a class="(\w[\w-]*)"', row)) for row in re.findall(r'<tr><th scope="row">[^<]+</th>.*', page))
        self.assertNotIn({"UNSUPPORTED"}, list(cells), "what one table lists as declined is no difference")

    def test_a_table_of_expectations_has_the_version_of_its_backend(self):
        shown = dict(re.findall(r">([^<]+)<br><small>([^<]+) known</small>", self.page("operations.html")))
        self.assertEqual(sorted(shown), sorted(path.stem for path in ROOT.glob("golden/*.json")))
        self.assertEqual(shown["xla-cpu@0.7.2"], "jaxlib 0.7.2")
        self.assertRegex(shown["stablehlo"], r"^jaxlib \d")
        for name in ("iree-cpu", "lammps-jax-pjrt-cpu", "xla-cpu-pjrt"):
            self.assertRegex(shown[name], r"^\d+\.\d+\.\d+$", name)

    def test_a_finding_has_its_module_and_the_text_of_an_issue(self):
        (folder,) = (path.parent for path in (self.place / "in/findings").glob("*/finding.json"))
        page = html.unescape(self.page(f"findings/{folder.name}-mutant-floor_truncates-0.1.0.html"))
        self.assertIn((folder / "module.hlo").read_text(), page)
        issue = page.split('<pre id="issue" tabindex="0">')[1].split("</pre>")[0]
        self.assay("repro", folder / "module.hlo", "--backend", MUTANT, "--inputs", folder / "inputs.json", "--profile",
                   "xla", "--out", self.folder / "repro")  # fmt: skip
        self.assertEqual(issue.strip().splitlines()[0], (self.folder / "repro/issue.md").read_text().strip().splitlines()[0])
        self.assertIn("HloModule", issue)
        finding = json.loads((folder / "finding.json").read_text())
        draw = f"draw {finding['draw']} of " if finding["draw"] else ""
        self.assertIn(f"{draw}program {finding['number']} of seed 1: ", page)
        # The causes of earlier runs are pages too, and what stands between backticks is code.
        (cause,) = (self.place / "site/findings").glob("A-loop-whose-counter-wraps-*.html")
        self.assertIn("<dt>pass</dt><dd>while-loop-trip-count-annotator</dd>", cause.read_text())
        self.assertIn("f64 to f16 through f32: rounded twice", self.page("findings/index.html"))

    def test_the_accuracy_page_has_a_picture(self):
        page = self.page("accuracy.html")
        self.assertIn("<title>sqrt bf16 on simd", page)
        self.assertIn('href="accuracy/0.html"', page)

    def test_bad_folders_are_errors(self):
        self.assertIn("no such folder", self.build(self.folder / "out", self.folder / "none").stderr)
        self.file("bad/results.json", "{}")
        self.assertIn("not a report of assay check", self.build(self.folder / "out", self.folder / "bad").stderr)
        twice = self.build(self.folder / "out", self.place / "in/right", self.place / "in/right")
        self.assertIn("two reports of reference-0.1.0", twice.stderr)

    @each((
        ({"op": "../../../outside"}, "the op must be a name, found ../../../outside"),
        ({"op": ".."}, "the op must be a name, found .."),
        ({"name": "../outside"}, "the name of a case must be a path below the corpus, found ../outside"),
        ({"verdict": "FINE"}, "a verdict must be one of EXACT, "),
    ))
    def test_paths_out_of_a_folder_and_unknown_verdicts_are_errors(self, changes, reason):
        """Names that lead out of a folder, and verdicts that there are not, are errors: no file is written for them."""
        report = json.loads((self.place / "in/right/results.json").read_text())
        report["cases"][0].update(changes)
        self.file("lies/results.json", report)
        done = self.build(self.folder / "deep/er/out", self.folder / "lies")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(reason, done.stderr)
        self.assertEqual(list(self.folder.rglob("outside*")), [])

    def test_a_finding_starts_no_program(self):
        self.assertEqual(self.built.returncode, 0, self.built.stderr)
        self.assertTrue(list((self.place / "site/findings").glob("FAIL-x-process*.html")))
        self.assertFalse((self.place / "ran").exists())
        self.file("found/FAIL-x/finding.json", "{}")
        self.assertIn("no finding of assay fuzz", self.build(self.folder / "out", self.folder / "found").stderr)

    @unittest.skipUnless(CHROMIUM, "needs chromium")
    def test_the_search_works_from_a_folder(self):
        browser = self.browser
        for query, results in (("rounded+twice", r"[1-9]\d* results"), ("no_such_word_anywhere", "0 results"),
                               ("floor/every_pattern/f8e5m2", r"[1-9]\d* results")):
            browser.open(self.place / "site/search.html", f"?q={query}")
            browser.wait("document.getElementById('count').textContent.endsWith('results')")
            self.assertRegex(browser.run("document.getElementById('count').textContent"), f"^{results}$")
        self.assertIn("reports/mutant_floor_truncates-0.1.0/floor.html#floor/every_pattern/f8e5m2",
                      browser.run("[...document.querySelectorAll('#results a')].map((one) => one.getAttribute('href'))"))  # fmt: skip
        # A reload and Back keep the words; words of two lines stay apart.
        browser.run("field.value = 'ulp', field.dispatchEvent(new Event('input'))")
        self.assertEqual(browser.run("location.search"), "?q=ulp")
        self.assertIn("to the case, its module, and", self.page("search-index.js"), "two lines of docs/site.md")

    @unittest.skipUnless(CHROMIUM, "needs chromium")
    def test_pages_fit_a_phone_and_paper_and_work_by_keyboard(self):
        browser, key = self.browser, "mutant_floor_truncates-0.1.0"
        for page in ("index.html", "operations.html", f"reports/{key}/index.html", f"reports/{key}/floor.html",
                     "history/xla-cpu.html", "findings/index.html", "accuracy.html", "docs/ops/floor.html",
                     "docs/commands.html"):  # fmt: skip
            with self.subTest(page):
                # Wide tables scroll by themselves: the page is never wider than the window.
                browser.open(self.place / "site" / page, width=390, height=844)
                self.assertFalse(browser.is_too_wide())
                browser.press("/")
                self.assertEqual(browser.run("document.activeElement.type"), "search")
                browser.run("document.getElementById('theme').click()")
                self.assertIn(browser.run("document.documentElement.dataset.theme"), ("light", "dark"))
                browser.run("localStorage.clear()")
                browser.open(self.place / "site" / page, width=1032, media="print")
                self.assertFalse(browser.is_too_wide())

    @unittest.skipUnless(CHROMIUM and AXE, "needs chromium and axe-core-python")
    def test_axe_finds_nothing(self):
        browser, key = self.browser, "mutant_floor_truncates-0.1.0"
        for page in ("index.html", f"reports/{key}/index.html", f"reports/{key}/floor.html", "docs/ops/floor.html"):
            for scheme in ("light", "dark"):
                browser.open(self.place / "site" / page, prefers_color_scheme=scheme)
                self.assertEqual(browser.violations(), [], f"{page} {scheme}")
