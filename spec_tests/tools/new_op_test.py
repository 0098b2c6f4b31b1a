"""tools/dev new-op: the skeletons compile, the lists get their lines, and nothing is written over."""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest

from spec_tests.tools.command_line import ROOT, ran

BUILD = os.environ["BUILD"]
CXX = os.environ.get("CXX", "g++").split()
LISTS = ["tools/docs/op_pages.py", "interpreter/ops/meson.build", "interpreter/acceptance/ops/rows.cc",
         "spec_tests/ops/elementwise_legality_test.cc"]  # fmt: skip


class NewOp(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for path in [*LISTS, "tools/new_op.py"]:
            (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.tree / path)
        for path in ("spec_tests/legality", "docs/ops"):
            (self.tree / path).mkdir(parents=True)

    def new_op(self, *arguments):
        return ran(sys.executable, self.tree / "tools/new_op.py", *arguments)

    def assert_compiles(self, name):
        command = [*CXX, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT}", f"-I{BUILD}"]
        done = ran(*command, self.tree / f"interpreter/ops/{name}.cc")
        self.assertEqual(done.returncode, 0, done.stderr)

    def added_lines(self, path):
        before = (ROOT / path).read_text(encoding="utf-8").splitlines()
        after = (self.tree / path).read_text(encoding="utf-8").splitlines()
        return [line.strip() for line in after if line not in before], [line for line in before if line not in after]

    def added_words(self, path):
        before, after = ((root / path).read_text(encoding="utf-8").split() for root in (ROOT, self.tree))
        quotes = '";'
        return {word.strip(quotes) for word in after} - {word.strip(quotes) for word in before}

    def test_an_element_wise_op(self):
        done = self.new_op("copy-sign-of", "--family", "Arithmetic", "--operands", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_compiles("copy_sign_of")
        self.assertEqual(self.added_lines("interpreter/ops/meson.build"), (["'copy_sign_of',"], []))
        self.assertEqual(self.added_lines("interpreter/acceptance/ops/rows.cc"), (["{.op = &op_copy_sign_of},"], []))
        self.assertEqual(self.added_words("spec_tests/ops/elementwise_legality_test.cc"), {"copy-sign-of"})
        self.assertIn("spec_tests/ops/integer_ops_test.cc", done.stdout)

    def test_an_op_on_whole_arrays(self):
        done = self.new_op("zip-up", "--family", "Moving elements", "--array")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_compiles("zip_up")
        self.assertEqual(self.added_words("spec_tests/ops/elementwise_legality_test.cc"), set())

    def test_every_place_that_it_names_is_there(self):
        for arguments in (["--array"], []):
            name = "zip-up" if arguments else "copy-sign-of"
            done = self.new_op(name, "--family", "Arithmetic", *arguments)
            for line in done.stdout.splitlines():
                path = line[2:].split("  ")[0].split(",")[0].split(" or ")[0]
                is_new = name in path or name.replace("-", "_") in path
                if not line.startswith("  ") or is_new:
                    continue
                self.assertTrue(list(ROOT.glob(path.rstrip("/"))), f"new-op names {path}, which is not there")

    def test_nothing_is_written_over(self):
        page = self.tree / "docs/ops" / "zip-up.md"
        page.write_text("a page", encoding="utf-8")
        self.assertIn("nothing was written", self.new_op("zip-up", "--family", "Arithmetic", "--array").stderr)
        self.assertEqual(page.read_text(encoding="utf-8"), "a page")
        self.assertEqual(self.added_lines("tools/docs/op_pages.py"), ([], []))

    def test_a_family_that_is_none(self):
        done = self.new_op("zip-up", "--family", "Zips", "--array")
        self.assertIn("no family 'Zips': expected one of Moving elements", done.stderr)
        self.assertFalse((self.tree / "docs/ops" / "zip-up.md").exists())
