"""The adapter of quantized programs reads those of the corpus. With LiteRT (`tools/dev peer quantized`) it also has the
verdicts of the profile."""

import unittest

from backends.adapters import quantized_adapter as adapter
from golden.witness.program import GOLDEN, ROOT
from spec_tests.tools.command_line import CliTest

PYTHON = ROOT / ".venv-quantized/bin/python"


class Programs(unittest.TestCase):
    def test_of_goldens_are_read(self):
        for path in sorted(GOLDEN.glob("quantized/*.mlir")):
            with self.subTest(path.name):
                if path.name.startswith("devices"):
                    self.assertRaises(adapter.Unsupported, adapter.Program, path.read_text())
                    continue
                program = adapter.Program(path.read_text())
                self.assertEqual(len(program.results), path.read_text().count("//! want"))
                self.assertEqual(len(program.arguments), path.read_text().count("//! arg"))

    def test_lines_have_an_operation_and_a_result(self):
        line = adapter.LINE.fullmatch(adapter.Program((GOLDEN / "quantized/dot_general_i8.mlir").read_text()).body)
        self.assertEqual((line[1], line[2]), ("%r0", "dot_general"))
        self.assertEqual(adapter.tensor_of(line[5]), ([3, 4], "!quant.uniform<i8:f32, 0.1:-30>"))

    def test_values_go_there_and_back(self):
        for kind, data in ((([2], "!quant.uniform<u8:f32, 0.5>"), "80ff"), (([], "i32"), "ffffff7f"), (([1], "f32"), "0000803f")):
            value = {"shape": "", "data_hex": data}
            self.assertEqual(adapter.value_of(adapter.array_of(value, kind), kind)["data_hex"], data)
        self.assertEqual(adapter.hlo_name("!quant.uniform<i8<-127:127>:f32, 0.5>"), "s8")
        with self.assertRaises(adapter.Unsupported):
            adapter.array_of({"data_hex": "00"}, ([1], "!quant.uniform<i4:f32, 0.5>"))


@unittest.skipUnless(PYTHON.exists(), "LiteRT is not installed: tools/dev peer quantized")
class LiteRt(CliTest):
    def test_its_integers_are_lawful_by_the_profile_of_integers_alone(self):
        for profile, status in (("quantized-fixed-point", 0), ("xla", 1)):
            ran = self.assay("check", "--backend", f"process:{PYTHON} backends/adapters/quantized_adapter.py litert",
                             "--corpus", "golden", "--filter", "quantized/abs_i8", "--profile", profile, code=status)
