"""--custom-call-library: targets from a shared object. ASSAY and LIBRARY name the executable and the object."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ASSAY, LIBRARY = os.environ["ASSAY"], os.environ["LIBRARY"]


def module(target, more=""):
    return "\n".join([
        "HloModule m",
        "ENTRY e {",
        "  x = f32[3] constant({1, 2, 3})",
        "  n = s32[] constant(3)",
        f'  ROOT r = f32[3] custom-call(x, n), custom_call_target="{target}"{more}',
        "}",
    ])


class CustomCallLibraryTest(unittest.TestCase):
    def assay(self, command, target, *arguments, more=""):
        return subprocess.run(
            [ASSAY, command, "-", *arguments], input=module(target, more), capture_output=True, text=True, timeout=600
        )

    def assert_fails(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_a_symbol_is_a_target(self):
        result = self.assay("run", "reverse_vector", "--custom-call-library", LIBRARY)
        self.assertEqual((result.returncode, result.stdout), (0, "{3, 2, 1}\n"), result.stderr)

    def test_several_libraries(self):
        # The second is the same object once more: the first that has the symbol is taken.
        result = self.assay("run", "reverse_vector", *["--custom-call-library", LIBRARY] * 2)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_diff_takes_one_too(self):
        result = self.assay(
            "diff", "reverse_vector", "--backend", "reference", "--custom-call-library", LIBRARY
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.startswith("EXACT"), result.stdout)

    def test_a_symbol_that_is_missing(self):
        result = self.assay("run", "no_such_symbol", "--custom-call-library", LIBRARY)
        self.assert_fails(result, '"no_such_symbol" is unknown', "no symbol of " + LIBRARY, "<stdin>:5:")

    def test_a_target_that_fails(self):
        version = ", api_version=API_VERSION_STATUS_RETURNING"
        result = self.assay("run", "reverse_or_fail", "--custom-call-library", LIBRARY, more=version)
        self.assert_fails(result, "custom-call: reverse_or_fail has failed: three", "<stdin>:5:")

    def test_a_target_that_throws(self):
        for target, words in (("throw_text", "it threw an exception: thrown up"), ("throw_number", "it threw an exception")):
            result = self.assay("run", target, "--custom-call-library", LIBRARY)
            self.assert_fails(result, f"custom-call: {target} has failed: {words}", "<stdin>:5:")

    def test_a_target_that_calls_exit(self):
        result = self.assay("run", "leave", "--custom-call-library", LIBRARY)
        self.assert_fails(result, "error: a custom-call target has called exit")

    def test_no_library(self):
        self.assert_fails(self.assay("run", "reverse_vector"), '"reverse_vector" is unknown', "no custom-call library")

    def test_unknown_targets_are_legal(self):
        result = self.assay("verify", "no_such_symbol")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_file_that_is_missing(self):
        result = self.assay("run", "reverse_vector", "--custom-call-library", "missing.so")
        self.assert_fails(result, "custom-call library missing.so: no such file")

    def test_a_file_that_is_no_library(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "text.so"
            path.write_text("no ELF header here")
            result = self.assay("run", "reverse_vector", "--custom-call-library", path)
            self.assert_fails(result, f"custom-call library {path}: ", "text.so")
