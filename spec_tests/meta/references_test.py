"""References between code, pages and goldens are valid."""

import functools
import re
import unittest

from spec_tests.meta.tree_test import CODE, LAYERS, ROOT, files, mnemonics

TEXT = CODE | {".in", ".py", ".md", ".build"}
# Pages of docs/ops that are not about one op.
OTHER_PAGES = {"README", "elementwise", "names", "numpy"}
# A page with a section for each command, and the pages of measurements, whose tables a tool writes.
LONG = {"commands.md", "measurements"}


def pages():
    """Yields every page of the repository."""
    yield from sorted(ROOT.glob("*.md"))
    folders = (path.name for path in sorted(ROOT.iterdir()) if path.is_dir())
    yield from files({".md"}, *(name for name in folders if not name.startswith((".", "build", "report", "dist"))))


@functools.cache
def anchors_of(path):
    return set(anchors(path))


def anchors(path):
    """Yields the names that GitHub gives to the headings of a page."""
    for heading in re.findall(r"^#+ (.+)$", path.read_text(), re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class References(unittest.TestCase):
    def test_of_code_and_pages_resolve(self):
        count = 0
        for path in files(TEXT, *LAYERS, "spec_tests", "docs", "golden/make", "golden/witness"):
            for page, anchor in re.findall(r"docs/((?:ops/)?[\w-]+\.md)(?:#([\w-]+))?", path.read_text()):
                count += 1
                self.assertTrue((ROOT / "docs" / page).exists(), f"{path}: docs/{page}")
                if anchor:
                    self.assertIn(anchor, anchors_of(ROOT / "docs" / page), f"{path}: docs/{page}")
        self.assertGreater(count, 10)

    def test_code_of_the_page_on_ops_is_that_of_the_sources(self):
        page = (ROOT / "docs/adding_an_op.md").read_text()
        sources = {" ".join(path.read_text().split()) for path in files(CODE, "interpreter", "spec_tests/ops")}
        blocks = [re.sub(r"^//.*\n", "", block) for block in re.findall(r"```cpp\n(.*?)```", page, re.S)]
        self.assertGreater(len(blocks), 2)
        for code in (" ".join(block.split()) for block in blocks):
            self.assertTrue(any(code in source for source in sources), code)

    def test_every_op_has_a_page_of_its_own(self):
        pages = {path.stem for path in files({".md"}, "docs/ops")}
        self.assertEqual(pages - OTHER_PAGES, set(mnemonics()))

    def test_clauses_of_goldens_resolve(self):
        count = 0
        for path in files({".hlo"}, "golden"):
            page = re.search(r"^//! clause +(\S+)$|\Z", path.read_text(), re.M)[1]
            folder = path.parent.name
            if folder == "refused":
                self.assertIn(page, (f"ops/{path.stem.partition('_')[0]}.md", "ops/README.md"), path)
            else:
                self.assertIsNone(page, path)
                page = f"ops/{folder}.md" if folder in mnemonics() else "programs.md"
            self.assertTrue((ROOT / "docs" / page).exists(), f"{path}: {page}")
            count += 1
        self.assertGreater(count, 0)

    def test_links_between_pages_resolve(self):
        for page in pages():
            for target, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", page.read_text()):
                if workflow := re.fullmatch(r"(?:\.\./){2}actions/workflows/(\w+\.yml)(/badge\.svg)?", target):
                    target = f".github/workflows/{workflow[1]}"
                path = page.parent / target if target else page
                self.assertTrue(path.exists(), f"{page}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors_of(path), f"{page}: {target}#{anchor}")

    def test_every_page_is_linked_from_the_list_of_pages(self):
        listed = set(re.findall(r"\]\(([\w./]+\.md)\)", (ROOT / "docs/README.md").read_text()))
        present = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
        self.assertEqual({name for name in listed if "/" not in name}, present)
        self.assertLessEqual({"ops/README.md", "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md"}, listed)
        self.assertIn("](docs/README.md)", (ROOT / "README.md").read_text())

    def test_the_first_page_fits_two_screens_and_begins_with_two_commands(self):
        text = (ROOT / "README.md").read_text()
        self.assertLess(text.count("\n"), 70)
        commands = re.search(r"^```\n(.*?)^```$", text, re.M | re.S)[1].splitlines()
        self.assertEqual([line.split("#")[0].strip() for line in commands], ["tools/dev check", "tools/dev test"])

    def test_pages_are_short(self):
        for page in pages():
            if not LONG & {page.name, *page.relative_to(ROOT).parts}:
                self.assertLessEqual(page.read_text().count("\n"), 300, page)

    def test_the_badge_has_the_version_of_the_build(self):
        (version,) = re.findall(r"^ +version: '([\d.]+)',", (ROOT / "meson.build").read_text(), re.M)
        self.assertIn(f"badge/version-{version}-", (ROOT / "README.md").read_text())
        self.assertIn(f"\n## {version}", (ROOT / "CHANGELOG.md").read_text())

    def test_jobs_run_commands_that_are_there(self):
        commands = set(re.findall(r"^  ([a-z-]+)(?: .*|)\n", re.search(
            r"^usage:.*?^EOF", (ROOT / "tools/dev").read_text(), re.M | re.S)[0], re.M))
        self.assertLessEqual({"test", "asan", "tsan", "format", "nightly"}, commands)
        for job in (".github/workflows/test.yml", ".github/workflows/nightly.yml", ".gitlab-ci.yml"):
            text = (ROOT / job).read_text()
            used = set(re.findall(r"tools/dev ([a-z-]+)", text)) | set(re.findall(r"\w+", "".join(
                re.findall(r"command: \[(.*)\]", text))))
            self.assertTrue(used)
            self.assertLessEqual(used, commands, job)
        self.assertIn('tools/dev" test', (ROOT / ".ci/run").read_text())

    def test_terms_of_the_glossary_are_sorted(self):
        terms = re.findall(r"^\| (?!term |--)(.+?) \|", (ROOT / "docs/glossary.md").read_text(), re.M)
        self.assertGreater(len(terms), 50)
        self.assertEqual(terms, sorted(set(terms), key=str.lower))
