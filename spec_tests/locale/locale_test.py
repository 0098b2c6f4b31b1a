"""Results do not depend on the locale of the process, which the program that loads assay may have set.

Sources use nothing that depends on it, and objects call nothing that does. Commands and unit tests give the same in
the locale of other_locale.py.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from spec_tests.locale.other_locale import environment_with_locale
from spec_tests.meta.link_test import folders
from spec_tests.meta.tree_test import CODE, LAYERS, ROOT, files

ASSAY = os.environ["ASSAY"]
BUILD = pathlib.Path(os.environ["BUILD"])
OWN = "spec_tests/locale"
# Functions of the C and C++ libraries whose results depend on the locale, and what assay has in their place.
DEPENDENT = {
    r"\b(?:w?str|wcs)to(?:d|f|ld)\b|\batof\b|\bsto(?:d|f|ld)\b|\bmpfr?_set_str\b|\bmpfr_strtofr\b":
        "NumberInText, or DecimalToDouble of a token",
    r"\b(?:set|use|dup|new)locale\b|\blocaleconv\b|\bstd::locale\b|\bimbue\b": "no locale at all",
    r"\b(?:is(?:alnum|alpha|blank|digit|graph|lower|print|punct|space|upper|xdigit)|to(?:lower|upper))\(|<cctype>|\bctype\.h":
        "interpreter/types/ascii.h",
    r"scanf\((?:[^;]*\")?[^\";]*%[*\d]*[hlLqjzt]*[aefgAEFG]": "NumberInText",
    r"\w*printf\([^;]*%[-+ #0'*\d.]*[lL]?[aefgAEFG]": "fmt::format",
    r"\w*printf\([^;]*%[-+ #0*\d.]*'": "fmt::format",
    r"\{[^{}\"]*:[^{}\"]*L[a-zA-Z]?\}": "fmt::format without L",
    r"\bmpfr_\w*printf\b|\bgmp_\w*printf\b|\bstrftime\b|\bput_time\b|\bstrcoll\b|\bstrxfrm\b|\blexical_cast\b": "fmt::format",
}  # fmt: skip
# Streams print and read numbers in the locale, and std::to_string(double) prints with the C library. The command line is
# left out: its library prints the defaults of options so, in programs that choose no locale.
SYMBOLS = re.compile(r"^_ZNSo(?:9_M_insertI[lmxyfde]|lsE[ist])|^_ZNSi(?:10_M_extractI[fde]|rsER[ist])|__to_xstring")
# Programs of unit tests that read or print numbers.
UNIT_TESTS = ["builder", "conformance", "custom_calls", "hlo", "stablehlo"]

STABLEHLO = """
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf64>) {
  %c = stablehlo.constant dense<[1.5, 2.25]> : tensor<2xf32>
  %d = stablehlo.constant dense<[1.0e-3, 0x3FF4000000000000]> : tensor<2xf64>
  %r = stablehlo.add %x, %c : tensor<2xf32>
  return %r, %d : tensor<2xf32>, tensor<2xf64>
}
"""
HLO = """HloModule m
ENTRY e {
  x = f32[2] parameter(0)
  c = f32[2] constant({1.5, 2.25})
  t = f32[2] add(x, c)
  g = f32[2] tanh(t), result_accuracy={tolerance={atol=0.125,rtol=0.5,ulps=2}}
  d = f64[2] constant({1e-3, 1.25})
  ROOT r = (f32[2], f64[2], f32[2]) tuple(t, d, g)
}
"""
# A product of 1.5 times 2 by 4, in the form that XLA:GPU writes; protocol buffers allow a number in a string.
GEMM = """HloModule m
ENTRY e {
  a = f32[1,1] constant({{2}})
  b = f32[1,1] constant({{4}})
  ROOT r = f32[1,1] custom-call(a, b), custom_call_target="__cublas$gemm", backend_config={"gemm_backend_config":{"alpha_real":"1.5","alpha_imag":0.0,"beta":0,"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],"rhs_contracting_dimensions":["0"],"lhs_batch_dimensions":[],"rhs_batch_dimensions":[]},"epilogue":"DEFAULT"}}
}
"""
# Commands as a user types them, for files of these names.
COMMANDS = [
    "run m.mlir --input 'f32[2] {0.25, -1.5e-2}'",
    "run m.hlo --input 'f32[2] {0.25, -1.5e-2}'",
    "run m.hlo --seed 5",
    "run gemm.hlo",
    "print m.hlo",
    "print m.hlo --format stablehlo",
    "print m.mlir",
    "diff m.hlo --backend lawful:xla --seed 7",
    "explain m.hlo --backend lawful:fast --seed 7",
    "accuracy --backend reference --op tanh --type f16",
    "check --backend reference --corpus corpus",
    "check --backend lawful:xla-cpu --corpus corpus --report report",
    "fuzz --backend lawful:xla --seed 3 --count 20 --jobs 1 --from-start",
]


def code_of(path):
    return re.sub(r"//.*", "", path.read_text())


def dependent_uses(code):
    return [(match[0], instead) for pattern, instead in DEPENDENT.items() if (match := re.search(pattern, code))]


class Sources(unittest.TestCase):
    def test_use_nothing_that_depends_on_the_locale(self):
        for path in files(CODE | {".in", ".inc"}, *LAYERS, "spec_tests", "docs/examples"):
            if not path.is_relative_to(ROOT / OWN):
                self.assertEqual(dependent_uses(code_of(path)), [], path)

    def test_uses_are_recognized(self):
        for code in ["std::strtod(text, nullptr)", "std::stof(text)", "atof(text)", 'std::setlocale(LC_ALL, "")', "std::toupper(c)",
                     'sscanf(text, "%d %lf", &n, &x)', 'printf("%d: %.3g", n, x)', 'std::snprintf(text, 9, "%5.1f", x)',
                     'fmt::format("{:L}", x)', 'fmt::format("{0:.3Lf}", x)', 'printf("%\'d", n)']:
            self.assertTrue(dependent_uses(code), code)
        for code in ['sscanf(text, "%d.%d", &a, &b)', 'std::printf("%s: %d\\n", name, n)', 'fmt::format("{:.3f}", x)', "std::strtoull(t)",
                     "std::from_chars(begin, end, x)", "IsAsciiLetter(c)"]:
            self.assertEqual(dependent_uses(code), [], code)


class Objects(unittest.TestCase):
    def test_call_nothing_that_depends_on_the_locale(self):
        paths = [path for path, folder in folders() if folder != "tools"]
        self.assertGreater(len(paths), 50)
        listing = subprocess.run(["nm", "--format=posix", "-A", *paths], check=True, capture_output=True, text=True)
        found = sorted({line.split()[0] + " " + line.split()[1] for line in listing.stdout.splitlines()
                        if SYMBOLS.search(line.split()[1])})  # fmt: skip
        self.assertEqual(found, [])


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.other = environment_with_locale(cls.path, os.environ["OTHER_LOCALE"])
        for name, text in [("m.mlir", STABLEHLO), ("m.hlo", HLO), ("gemm.hlo", GEMM)]:
            (cls.path / name).write_text(text)
        for op in ["add", "exponential", "logistic"]:
            (cls.path / "corpus" / op).mkdir(parents=True)
            (cls.path / "corpus" / op / "f32.hlo").symlink_to(ROOT / "golden" / op / "f32.hlo")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_in(self, environment, command):
        run = subprocess.run(["sh", "-c", f"exec '{ASSAY}' {command}"], cwd=self.path, env=environment, capture_output=True, text=True)
        return run.returncode, re.sub(r"\d+(?:\.\d+)? (?:s|ms|a second)\b", "TIME", run.stdout + run.stderr)

    def test_the_other_locale_is_another_one(self):
        program = BUILD / "spec_tests/locale/shows_locale"
        shown = [subprocess.run([program], env=environment, capture_output=True, text=True).stdout for environment in (None, self.other)]
        self.assertEqual(shown, ["1.5 1234567 I\n", "1,5 1.234.567 other\n"])

    def test_commands_give_the_same(self):
        for command in COMMANDS:
            usual = self.run_in(None, command)
            self.assertLess(usual[0], 2, usual[1])
            self.assertEqual(self.run_in(self.other, command), usual, command)

    def test_numbers_of_texts_are_read_whole(self):
        for file, values in [("m.mlir", "{1.75, 2.5}"), ("m.hlo", "{1.75, 2.5}"), ("gemm.hlo", "{12}")]:
            given = "" if file == "gemm.hlo" else " --input 'f32[2] {0.25, 0.25}'"
            code, printed = self.run_in(self.other, f"run {file}{given}")
            self.assertEqual(code, 0, printed)
            self.assertIn(values, printed)

    def test_unit_tests_pass(self):
        environment = {**self.other, "ASSAY_GOLDENS": str(ROOT / "golden"), "ASSAY_TEST_RESULTS": os.devnull}
        for name in UNIT_TESTS:
            run = subprocess.run([BUILD / f"spec_tests/{name}_tests"], cwd=BUILD, env=environment, capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout[-2000:] + run.stderr[-500:])
