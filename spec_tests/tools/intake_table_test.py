"""tools/intake.py counts modules in files and in the raw strings of tests."""

import argparse
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

from spec_tests.tools.command_line import ROOT, each, ran, write_program
from tools import intake

MODULE = "HloModule m\nENTRY e {\n  x = f32[2] constant({1, 2})\n  ROOT y = f32[2] negate(x)\n}\n"
WRONG = MODULE.replace("ROOT y = f32[2]", "ROOT y = f32[3]")
FILES = {
    "a/right.hlo": MODULE,
    "a/wrong.hlo": WRONG,
    "a/several.hlo": MODULE + WRONG.replace("HloModule m", "HloModule n"),
    "b/ends_with_1.mlir": "func.func @main() -> tensor<i32> {\n  %x = stablehlo.constant dense<1> : tensor<i32>\n"
                          "  check.expect_eq_const %x, dense<2> : tensor<i32>\n  return %x : tensor<i32>\n}\n",
    "a_test.cc": f"""
TEST(A, Verifies) {{
  ParseAndReturnVerifiedModule(R"({WRONG})");
}}
TEST(A, Fails) {{
  EXPECT_THAT(ParseAndReturnVerifiedModule(R"hlo({WRONG.replace("f32[3]", "f32[4]")})hlo"), StatusIs(1));
}}
TEST(A, Reads) {{
  ParseAndReturnUnverifiedModule(R"({MODULE})");
  ParseAndReturnUnverifiedModule(R"({MODULE})");
}}
""",
    "notes.txt": MODULE,
}  # fmt: skip


class IntakeTable(unittest.TestCase):
    def run_on_files(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in FILES.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            table = pathlib.Path(folder) / "refused.json"
            command = [sys.executable, "-m", "tools.intake", "--jobs", "2", "--json", str(table), *options, folder]
            done = ran(*command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout, {entry["place"]: entry["message"] for entry in json.loads(table.read_text())}

    def test_files_and_strings(self):
        table, refused = self.run_on_files("--strings")
        self.assertIn("| *.hlo | 3 | 1 | 2 |\n", table)
        self.assertIn("| *.mlir | 1 | 1 | 0 |\n", table)
        self.assertIn("| strings that XLA's test verifies | 1 | 0 | 1 |\n", table)
        self.assertIn("| strings of tests with an error | 1 | 0 | 1 |\n", table)
        self.assertIn("| strings, not verified by XLA's test | 1 | 1 | 0 |\n", table)  # equal strings count once
        self.assertIn("| 4 | negate: declared SHAPE, inferred SHAPE | a/several.hlo |\n", table)
        self.assertEqual(set(refused), {"a/wrong.hlo", "a/several.hlo", "a_test.cc:3", "a_test.cc:11"})

    @each(("text", "stablehlo"))
    def test_prints(self, text):
        _, refused = self.run_on_files("--print", text)
        self.assertEqual(set(refused), {"a/wrong.hlo", "a/several.hlo"})

    def test_another_print_of_a_print_is_refused(self):
        program = """#!/bin/sh
case "$1 $2" in
  verify*) exit 0 ;;
  "print -") sed s/x/y/ ;;
  *) echo "x 1"; echo "z 2" ;;
esac
"""
        with tempfile.TemporaryDirectory() as folder:
            path = write_program(pathlib.Path(folder, "assay"), program)
            options = argparse.Namespace(run=False, print="text", mixed_precision=False, timeout=60)
            with unittest.mock.patch.object(intake, "ASSAY", path):
                self.assertEqual(intake.refusal_of("m.hlo", options), "its print prints otherwise: 'x 1' becomes 'y 1'")

    def test_runs(self):
        table, refused = self.run_on_files("--run")
        self.assertIn("| *.mlir | 1 | 0 | 1 |\n", table)
        self.assertIn("check.expect_eq: element 0 of s32[] is 1, expected 2", refused["b/ends_with_1.mlir"])
