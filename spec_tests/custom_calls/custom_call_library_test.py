"""--custom-call-library: targets from a shared object. LIBRARY names the object."""

import os

from spec_tests.tools.command_line import CliTest

LIBRARY = os.environ["LIBRARY"]
OPTION = "--custom-call-library", LIBRARY
STATUS = ", api_version=API_VERSION_STATUS_RETURNING"


def module(target, more=""):
    return ("HloModule m\nENTRY e {\n  x = f32[3] constant({1, 2, 3})\n  n = s32[] constant(3)\n"
            f'  ROOT r = f32[3] custom-call(x, n), custom_call_target="{target}"{more}\n}}')


class CustomCallLibraryTest(CliTest):
    def test_a_symbol_is_a_target(self):
        # Twice: the first object that has the symbol is taken.
        for options in (OPTION, OPTION * 2):
            result = self.assay("run", "-", *options, stdin=module("reverse_vector"), code=0)
            self.assertEqual(result.stdout, "{3, 2, 1}\n")
        result = self.assay("diff", "-", "--backend", "reference", *OPTION, stdin=module("reverse_vector"), code=0)
        self.assertTrue(result.stdout.startswith("EXACT"), result.stdout)

    def test_targets_that_cannot_be_called(self):
        text = self.file("text.so", "no ELF header here")
        for target, options, words in (
            ("no_such_symbol", OPTION, ('"no_such_symbol" is unknown', "no symbol of " + LIBRARY, "<stdin>:5:")),
            ("reverse_or_fail", OPTION, ("custom-call: reverse_or_fail has failed: three", "<stdin>:5:")),
            ("throw_text", OPTION, ("throw_text has failed: it threw an exception: thrown up", "<stdin>:5:")),
            ("throw_number", OPTION, ("throw_number has failed: it threw an exception", "<stdin>:5:")),
            ("leave", OPTION, ("error: a custom-call target has called exit",)),
            ("reverse_vector", (), ('"reverse_vector" is unknown', "no custom-call library")),
            ("reverse_vector", (OPTION[0], "missing.so"), ("custom-call library missing.so: no such file",)),
            ("reverse_vector", (OPTION[0], text), (f"custom-call library {text}: ", "text.so")),
        ):
            with self.subTest(target, options=options):
                hlo = module(target, STATUS if target == "reverse_or_fail" else "")
                result = self.assay("run", "-", *options, stdin=hlo, code=2)
                self.assertEqual(result.stdout, "")
                for word in words:
                    self.assertIn(word, result.stderr)

    def test_unknown_targets_are_legal(self):
        self.assay("verify", "-", stdin=module("no_such_symbol"), code=0)
