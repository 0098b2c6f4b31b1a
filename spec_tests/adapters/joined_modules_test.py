"""joined_modules: one module with the functions of several, and the module that an error of the compiler is about."""

import re
import unittest

from backends.adapters.xla_peers.joined_modules import faulty_modules, joined
from backends.adapters.xla_peers.stablehlo_module import parsed

ALONE = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
CALLS = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @helper(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.negate %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


class JoinedModulesTest(unittest.TestCase):
    def test_functions_have_the_number_of_their_module(self):
        functions = parsed(joined([ALONE, CALLS, CALLS])).body.operations
        names = [function.attributes["sym_name"].value for function in functions]
        self.assertEqual(names, ["m0.main", "m1.main", "m1.helper", "m2.main", "m2.helper"])

    def test_calls_stay_inside_their_module(self):
        callees = re.findall(r"callee = @([\w.]+|\"[\w.]+\")", joined([CALLS, CALLS]))
        self.assertEqual([callee.strip("\"") for callee in callees], ["m0.helper", "m1.helper"])

    def test_an_error_is_of_the_module_of_its_line(self):
        whole = joined([ALONE, CALLS, ALONE])
        line = line_of(whole, "stablehlo.negate")
        self.assertEqual(faulty_modules(whole, f"source.mlir:{line}:3: error: no rule\nsource.mlir:2:1: note: here"), {1})

    def test_the_linker_and_a_crash_name_functions(self):
        linker = "iree-lld: error: undefined symbol: atan2\n>>>      source_linked.o:(m1.main_dispatch_7_elementwise)\n"
        crash = "1. Running pass 'X86 DAG->DAG Instruction Selection' on function '@m2.main_dispatch_0'\n"
        self.assertEqual(faulty_modules(joined([ALONE, CALLS, ALONE]), linker + crash), {1, 2})

    def test_a_place_outside_of_all_functions_is_of_none(self):
        whole = joined([ALONE, CALLS])
        self.assertEqual(faulty_modules(whole, "source.mlir:1:1: error: a\nsource.mlir:999:1: error: b"), set())
