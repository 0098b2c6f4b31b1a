"""References between code, pages and goldens are valid."""

import functools
import re
import unittest

from spec_tests.meta.tree_test import CODE, LAYERS, ROOT, files, mnemonics

TEXT = CODE | {".in", ".py", ".md", ".build"}
# Pages of docs/ops that are not about one op.
OTHER_PAGES = {"README", "elementwise"}


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
        for path in files(TEXT, *LAYERS, "spec_tests", "docs", "corpus", "oracle"):
            for page, anchor in re.findall(r"docs/((?:ops/)?[\w-]+\.md)(?:#([\w-]+))?", path.read_text()):
                count += 1
                self.assertTrue((ROOT / "docs" / page).exists(), f"{path}: docs/{page}")
                if anchor:
                    self.assertIn(anchor, anchors_of(ROOT / "docs" / page), f"{path}: docs/{page}")
        self.assertGreater(count, 10)

    def test_every_op_has_a_page_of_its_own(self):
        pages = {path.stem for path in files({".md"}, "docs/ops")}
        self.assertEqual(pages - OTHER_PAGES, set(mnemonics()))

    def test_clauses_of_goldens_resolve(self):
        count = 0
        for path in files({".hlo"}, "golden"):
            for page in re.findall(r"^//! clause +(\S+)$", path.read_text(), re.M):
                count += 1
                folder = path.parent.name
                if folder == "refused":
                    self.assertIn(page, (f"ops/{path.stem.partition('_')[0]}.md", "ops/README.md"), path)
                else:
                    self.assertEqual(page, f"ops/{folder}.md" if folder in mnemonics() else "programs.md", path)
                self.assertTrue((ROOT / "docs" / page).exists(), f"{path}: {page}")
        self.assertGreater(count, 0)

    def test_links_between_pages_resolve(self):
        for page in [ROOT / "README.md", *files({".md"}, "docs")]:
            for target, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", page.read_text()):
                path = page.parent / target if target else page
                self.assertTrue(path.exists(), f"{page}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors_of(path), f"{page}: {target}#{anchor}")

    def test_the_first_page_links_every_other(self):
        linked = set(re.findall(r"\]\(docs/(\w+)\.md\)", (ROOT / "README.md").read_text()))
        self.assertEqual(linked, {path.stem for path in (ROOT / "docs").glob("*.md")})

    def test_terms_of_the_glossary_are_sorted(self):
        terms = re.findall(r"^\| (?!term |--)(.+?) \|", (ROOT / "docs/glossary.md").read_text(), re.M)
        self.assertGreater(len(terms), 50)
        self.assertEqual(terms, sorted(set(terms), key=str.lower))


if __name__ == "__main__":
    unittest.main()
