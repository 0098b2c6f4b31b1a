"""The page and the docstrings of the Python package show what happens; its files keep the rules of the tree."""

import ast
import doctest
import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import assay
import numpy as np
from spec_tests.meta.shown_runs_test import fenced
from spec_tests.tools.command_line import ROOT, ran

PACKAGE = ROOT / "python/assay"
PAGE = ROOT / "docs/python.md"
HAS_JAX = importlib.util.find_spec("jax") is not None


class Examples(unittest.TestCase):
    def failures_of(self, tests):
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
        for test in tests:
            runner.run(test, clear_globs=False)
        return runner.summarize(verbose=False)

    def test_of_docstrings(self):
        finder, tried = doctest.DocTestFinder(), 0
        for path in sorted(PACKAGE.glob("*.py")):
            if path.stem.startswith(("jax", "_devices", "_jax", "_pytest", "pytest")):  # the page has theirs
                continue
            module = importlib.import_module(f"assay.{path.stem}" if path.stem != "__init__" else "assay")
            with self.subTest(path.stem):
                failed, count = self.failures_of(finder.find(module, globs={**vars(module), "np": np, "assay": assay}))
                self.assertEqual(failed, 0)
                tried += count
        self.assertGreater(tried, 10)

    @unittest.skipUnless(HAS_JAX, "needs jax")
    def test_of_the_page(self):
        names, tried = {}, 0
        for number, text in enumerate(fenced(PAGE, "pycon")):
            test = doctest.DocTestParser().get_doctest(text, names, f"block {number}", str(PAGE), 0)
            failed, count = self.failures_of([test])
            self.assertEqual(failed, 0)
            names.update(test.globs)
            tried += count
        self.assertGreater(tried, 10)

    @unittest.skipUnless(HAS_JAX and importlib.util.find_spec("pytest"), "needs jax and pytest")
    def test_the_suite_of_the_page_passes(self):
        (suite,) = [text for text in fenced(PAGE, "python") if "def test_" in text]
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "test_page.py").write_text(suite)
            command = [sys.executable, "-m", "pytest", "-q", "-p", "assay.pytest_plugin", "--assay=all"]
            environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
            done = ran(*command, cwd=folder, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("executables  EXACT", done.stdout)


class Files(unittest.TestCase):
    def test_are_documented_and_not_long(self):
        for path in [*PACKAGE.glob("*.py"), *(ROOT / "python").glob("*.py")]:
            lines = path.read_text().splitlines()
            self.assertLessEqual(len(lines), 400, path)
            self.assertLessEqual(max(map(len, lines)), 120, path)
            tree = ast.parse(path.read_text())
            self.assertTrue(ast.get_docstring(tree), path)
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                    is_inner = any(isinstance(outer, ast.FunctionDef) and node in ast.walk(outer) and node is not outer
                                   for outer in ast.walk(tree))  # fmt: skip
                    self.assertTrue(is_inner or ast.get_docstring(node), f"{path}:{node.lineno} {node.name}")
                    self.assertLessEqual(node.end_lineno - node.lineno, 200 if isinstance(node, ast.ClassDef) else 45)

    def test_every_public_name_is_on_the_page(self):
        page = PAGE.read_text()
        for name in assay.__all__:
            self.assertIn(f"`{name}", page.replace("assay.", ""), name)

    def test_the_plugin_and_the_script_load_neither_numpy_nor_jax(self):
        for module in ("assay._program", *(["assay.pytest_plugin"] if importlib.util.find_spec("pytest") else [])):
            code = f"import sys, {module}\nassert not {{'numpy', 'jax'}} & set(sys.modules), '{module}'"
            subprocess.run([sys.executable, "-c", code], check=True)

    def test_names_are_found_when_they_are_wanted(self):
        self.assertLessEqual(set(assay.__all__), set(dir(assay)))
        for name in assay.__all__:
            self.assertIsNotNone(getattr(assay, name))
        with self.assertRaises(AttributeError):
            assay.nothing
