"""The rules of the Python code: imports in one direction, and documented modules."""

import ast
import unittest

from spec_tests.meta.tree_test import ROOT, files


def modules(*folders):
    """Python files and their syntax trees."""
    for path in files({".py"}, *folders):
        yield path, ast.parse(path.read_text())


def imported(tree):
    """Yields the full names of the imported modules, without relative imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def public_definitions(node):
    """Functions, methods and classes that others may use."""
    for child in node.body:
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)) and not child.name.startswith("_"):
            yield child
            if isinstance(child, ast.ClassDef):
                yield from public_definitions(child)


# Programs that start other Python programs in their own process, as Python itself does.
RUNNERS = {"run_python_test.py", "warm_python_server.py"}


class Python(unittest.TestCase):
    # Each may import itself and the ones before it.
    IN_ORDER = [*(f"golden.witness.{name}" for name in ("element_types", "arrays", "hlo", "legality", "evaluator", "quantized", "program")),
                "golden.make", "golden.witness.peer", "golden.witness.audit"]  # fmt: skip

    def place(self, module):
        return next((i for i, name in enumerate(self.IN_ORDER) if f"{module}.".startswith(f"{name}.")), None)

    def test_only_runners_change_where_modules_are_found(self):
        count = 0
        for path, tree in modules("golden", "backends", "tools", "spec_tests", "fuzz"):
            count += 1
            if path.name in RUNNERS:
                continue
            for node in ast.walk(tree):
                is_path = isinstance(node, ast.Attribute) and node.attr == "path" and ast.unparse(node.value) == "sys"
                self.assertFalse(is_path, f"{path}:{getattr(node, 'lineno', 0)}")
        self.assertGreater(count, 100)

    def test_imports_of_the_corpus_and_its_witness_point_one_way(self):
        seen = set()
        for path, tree in modules("golden"):
            own = self.place(".".join(path.relative_to(ROOT).with_suffix("").parts))
            for name in imported(tree):
                if own is not None and name.split(".")[0] == "golden":
                    self.assertIsNotNone(self.place(name), f"{path} imports {name}")
                    self.assertLessEqual(self.place(name), own, f"{path} imports {name}")
                    seen.add((self.IN_ORDER[own], self.IN_ORDER[self.place(name)]))
                self.assertFalse(name.startswith("backends"), f"{path} imports {name}")
        self.assertIn(("golden.witness.audit", "golden.witness.evaluator"), seen)

    def test_modules_are_documented(self):
        for path, tree in modules("golden", "backends"):
            self.assertTrue(ast.get_docstring(tree), path)
            for definition in public_definitions(tree):
                self.assertTrue(ast.get_docstring(definition), f"{path}:{definition.lineno} {definition.name}")
