"""Texts as tools of 2026 print them, run by `assay run`: each with its values, worked out by hand."""

import importlib.util
import io
import pathlib
import re
import subprocess
import unittest

from spec_tests.tools.command_line import ASSAY, CliTest, each
from spec_tests.tools import intake_cases, intake_hlo_cases
from spec_tests.tools.intake_program_cases import PROGRAM_CASES

TABLES = (intake_cases.CASES, intake_hlo_cases.HLO_CASES, PROGRAM_CASES)


def case_of(name, ending, text, inputs, output):
    """Returns the name and the text of a file, the options of `assay` for it, its inputs and what `run` prints."""
    options = ["--mixed-precision"] if name.startswith("mixed precision") else []
    given = [word for value in inputs for word in ("--input", value)]
    return f"m.{ending}", text.lstrip("\n") + "\n", options, given, output


CASES = {name: case_of(name, *row) for table in TABLES for name, row in table.items()}

# A program that checks its own result, as StableHLO's test data do; with what it says if the result is another one.
CHECKED = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %y = stablehlo.add %x, %x : tensor<2xf32>
  %e = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  {check}
  return %y : tensor<2xf32>
}}"""
PROBE = """%p = interpreter.probe %y, probe_id = "p" : tensor<2xf32>
  check.expect_serialized_eq %e, probe_id = "p" : tensor<2xf32>"""
CALL = "stablehlo.custom_call @{} (%y, %e) {{has_side_effect = true}} : (tensor<2xf32>, tensor<2xf32>) -> ()"
# The check, and the second element of x with which it holds, and with which it fails.
CHECKS = {
    "check.expect_serialized_eq": (PROBE, "2", "2.0000002"),
    "check.expect_eq": (CALL.format("check.expect_eq"), "2", "2.0000002"),
    "check.expect_close": (CALL.format("check.expect_close"), "2.0000007", "2.0000012"),  # 3 and 5 units apart
    "check.expect_almost_eq": (CALL.format("check.expect_almost_eq"), "2.0004", "2.0006"),
    "check.expect_eq (operation)": ("check.expect_eq %y, %e : tensor<2xf32>", "2", "2.0000002"),
    "check.expect_eq (constant)": ("check.expect_eq_const %y, dense<[2.0, 4.0]> : tensor<2xf32>", "2", "2.0000002"),
    "check.expect_almost_eq (constant)": ("check.expect_almost_eq_const %y, dense<[2.0, 4.0]> : tensor<2xf32>",
                                          "2.00004", "2.00006"),
    "check.expect_almost_eq (operation)": ("check.expect_almost_eq %y, %e, tolerance = 0.1 : f64 : tensor<2xf32>", "2.04",
                                           "2.06"),
    "check.expect_almost_eq (a tolerance without a type)": ("check.expect_almost_eq %y, %e, tolerance = 0.1 : tensor<2xf32>",
                                                            "2.04", "2.06"),
    "check.expect_close (operation)": (
        "check.expect_close %y, %e, max_ulp_difference = 1, min_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>",
        "2.0000002", "2.0000005"),
    "check.expect_eq (generic)": ('"check.expect_eq_const"(%y) <{value = dense<[2.0, 4.0]> : tensor<2xf32>}> : '
                                  "(tensor<2xf32>) -> ()", "2", "2.0000002"),
}  # fmt: skip

# Programs that jaxlib 0.10.2 does not read, or not write: operations and attributes that are younger, or older.
NOT_IN_BYTECODE = {
    "a constant in the form of 2022", "the sum of a group, on its first device",
    "a broadcast whose root is an operand", "attributes as elements", "a scan as a composite",
}
# Programs with attributes that portable artifacts lack.
NOT_IN_VHLO = {"a call with floats in its configuration"}
# A module whose message says less: is_stable is true or absent in it, and absent means true.
IN_TEXT_ALONE = {"top-k that need not be stable"}
EXPORTED = pathlib.Path(__file__).parents[1] / "stablehlo" / "artifacts" / "jax_0.12.0.1.exported"
BUFFERS = """func.func @main(%x: memref<2xf32>) -> memref<2xf32> {
  %y = "stablehlo.custom_call"(%x) {call_target_name = "foo", api_version = 4 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
  return %y : memref<2xf32>
}
"""
TWO_FUNCTIONS = """func.func @f() -> tensor<i32> {
  %x = stablehlo.constant dense<3> : tensor<i32>
  return %x : tensor<i32>
}
func.func @g() -> tensor<i32> {
  %x = stablehlo.constant dense<4> : tensor<i32>
  return %x : tensor<i32>
}
"""


# Sizes that follow from the inputs, through a call, a loop and a reduction.
UNKNOWN_SIZES = """HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
twice {
  p = f32[?,2] parameter(0)
  ROOT d = f32[?,2] add(p, p)
}
more {
  s = (s32[], f32[?,2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(2)
  ROOT c = pred[] compare(i, n), direction=LT
}
step {
  s = (s32[], f32[?,2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[?,2] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[?,2] negate(x)
  ROOT t = (s32[], f32[?,2]) tuple(j, y)
}
ENTRY e {
  x = f32[?,2] parameter(0)
  y = f32[?,2] call(x), to_apply=twice
  zero = s32[] constant(0)
  start = (s32[], f32[?,2]) tuple(zero, y)
  end = (s32[], f32[?,2]) while(start), condition=more, body=step
  z = f32[?,2] get-tuple-element(end), index=1
  f = f32[] constant(0)
  r = f32[?] reduce(z, f), dimensions={1}, to_apply=add
  ROOT c = f32[?,2] concatenate(z, x), dimensions={0}
}
"""


class Intake(CliTest):
    def test_hlo_with_sizes_of_the_inputs(self):
        path = self.file("m.hlo", UNKNOWN_SIZES)
        for given, output in [("f32[1,2] {{1, 2}}", "{ { 2, 4 }, { 1, 2 } }\n"),
                              ("f32[2,2] {{1, 2}, {3, 4}}", "{ { 2, 4 }, { 6, 8 }, { 1, 2 }, { 3, 4 } }\n")]:
            self.assertEqual(self.assay("run", path, "--input", given, code=0).stdout, output)
        own = self.file("module.hlo", UNKNOWN_SIZES)
        self.file("inputs.json", '{"inputs": [{"shape": "f32[1,2]", "data_hex": "0000803f00000040"}]}')
        self.assertEqual(self.assay("run", own).stdout, "{ { 2, 4 }, { 1, 2 } }\n")
        done = self.assay("verify", path, code=0)
        self.assertIn("no inputs are given: sizes that it leaves open (?) are 3", done.stderr)
        done = self.assay("run", path, "--input", "f32[2,3] {{1, 2, 3}, {3, 4, 5}}", code=2)
        self.assertIn("parameter 0 (x.1) expects f32[2,2], found f32[2,3]", done.stderr)
        open_size = UNKNOWN_SIZES.replace("ROOT c = f32[?,2] concatenate(z, x), dimensions={0}",
                                          "ROOT b = f32[?,2] broadcast(f), dimensions={}")  # fmt: skip
        done = self.assay("run", self.file("n.hlo", open_size), code=2)
        self.assertRegex(done.stderr, r"n.hlo:35:8: error: b.1: the sizes of f32\[\?,2\] do not follow from its operands")

    def test_a_function_that_jax_exported(self):
        # jax.jit(lambda x, y: (x * 2 + y, y.sum())), exported for f32[3] by JAX 0.12.0.1, written by its serialize().
        exported = EXPORTED.read_bytes()
        inputs = ["--input", "f32[3] {1, 2, 3}", "--input", "f32[3] {10, 20, 40}"]
        self.assertEqual(self.assay("run", EXPORTED, *inputs, code=0).stdout, "( {12, 24, 46}, 70 )\n")
        # Damaged ones end with an error or, where the damage is to a name, with the values.
        header = exported.index(b"ML\xefR")
        damaged = [exported[:size] for size in range(0, len(exported), 97)]
        damaged += [exported[:i] + bytes([exported[i] ^ 0x80]) + exported[i + 1 :] for i in range(0, header, 3)]
        for i, content in enumerate(damaged):
            with self.subTest(i):
                done = self.assay("run", self.file("m.exported", content), *inputs)
                self.assertIn(done.returncode, (0, 2), done.stderr)
                self.assertEqual(done.returncode == 0, done.stdout == "( {12, 24, 46}, 70 )\n", done.stderr)

    def test_elided_constants_are_filled_from_the_seed(self):
        text = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense_resource<__elided__> : tensor<3xf32>
  %y = stablehlo.multiply %x, %c : tensor<3xf32>
  return %y : tensor<3xf32>
}
"""
        path = self.file("m.mlir", text)
        self.assertEqual(self.assay("verify", path).returncode, 0)
        runs = [self.assay("run", path, "--seed", seed, "--input", "f32[3] {1, 1, 1}") for seed in (1, 1, 2)]
        self.assertEqual(runs[0].stdout, runs[1].stdout)
        self.assertEqual(len({run.stdout for run in runs}), 2)
        self.assertIn("note: 1 constants have no values in the text ({...}); filled from seed 1", runs[0].stderr)

    def test_mixed_precision_is_illegal_by_default(self):
        path = self.file("m.hlo", CASES["mixed precision"][1])
        done = self.assay("verify", path, code=2)
        self.assertIn("floating operands of add must have the same type, found f32 and bf16", done.stderr)
        done = self.assay("verify", path, "--mixed-precision", code=0)
        self.assertIn("note: added 9 conversions of floating operands and results", done.stderr)

    @each({name: (name.split()[0], *row) for name, row in CHECKS.items()})
    def test_checks_of_a_program_end_it_with_1(self, name, check, right, wrong):
        path = self.file("m.mlir", CHECKED.format(check=check).lstrip("\n") + "\n")
        self.assay("run", path, "--input", f"f32[2] {{1, {right}}}", code=0)
        done = self.assay("run", path, "--input", f"f32[2] {{1, {wrong}}}", code=1)
        self.assertRegex(done.stderr, rf"{re.escape(name)}: element 1 of f32\[2\] is 4\.\d+, expected 4\n")

    @each(CASES)
    def test_values(self, file, text, options, inputs, output):
        done = self.assay("run", self.file(file, text), *options, *inputs)
        self.assertEqual((done.returncode, done.stdout), (0, output), done.stderr)

    @each(CASES)
    def test_prints_read_back(self, file, text, options, *_):
        printed = self.assay("print", self.file(file, text), "--full-constants", *options)
        again = self.assay("print", "-", "--full-constants", stdin=printed.stdout)
        self.assertEqual((printed.returncode, again.stdout), (0, printed.stdout), printed.stderr + again.stderr)

    @each({name: case for name, case in CASES.items() if name not in IN_TEXT_ALONE})
    def test_messages_read_back(self, file, text, options, *_):
        path = self.file(file, text)
        message = self.file("m.pb", subprocess.check_output([ASSAY, "print", path, "--format", "proto", *options]))
        self.assertEqual(*(self.assay("print", read, "--full-constants", *options).stdout for read in (path, message)))

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "jaxlib writes the bytecode")
    def test_buffers_and_several_programs_as_bytecode(self):
        from backends.adapters.xla_peers.stablehlo_module import mlir_context
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import stablehlo

        with mlir_context(), ir.Location.unknown():
            files = [stablehlo.serialize_portable_artifact(ir.Module.parse(text), stablehlo.get_current_version())
                     for text in (BUFFERS, TWO_FUNCTIONS)]  # fmt: skip
        printed = self.assay("print", self.file("m.mlirbc", files[0]))
        self.assertIn("%Arg_0 = b(f32[2]{0}) parameter(0)", printed.stdout, printed.stderr)
        self.assertEqual(self.assay("run", self.file("m.mlirbc", files[1]), code=0).stdout, "@f\n3\n@g\n4\n")

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "jaxlib writes the bytecode")
    def test_programs_as_bytecode(self):
        from backends.adapters.xla_peers.stablehlo_module import mlir_context
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import stablehlo

        written = 0
        for name, (file, text, _, inputs, output) in CASES.items():
            others = set(re.findall(r"\b(?:chlo|mhlo|check|interpreter|arith|sdy)\.", text))
            if file != "m.mlir" or others or name in NOT_IN_BYTECODE:
                continue
            with mlir_context(), ir.Location.unknown():
                module = ir.Module.parse(text)
                versions = ("1.9.0", stablehlo.get_current_version()) if name not in NOT_IN_VHLO else ()
                files = [stablehlo.serialize_portable_artifact(module, version) for version in versions]
                own = io.BytesIO()
                module.operation.write_bytecode(own)
            for content in (*files, own.getvalue()):
                with self.subTest(name, bytes=len(content)):
                    done = self.assay("run", self.file("m.mlirbc", content), *inputs)
                    self.assertEqual((done.returncode, done.stdout), (0, output), done.stderr)
                    written += 1
        self.assertGreater(written, 100)

    def test_every_table_has_names_of_its_own(self):
        self.assertEqual(len(CASES), sum(map(len, TABLES)))

    def test_a_broadcast_with_roots_keeps_them_in_print(self):
        printed = self.assay("print", self.file("m.mlir", CASES["a broadcast whose root is an operand"][1]))
        self.assertIn("has_dynamic_root=true", printed.stdout)

    def test_a_reduction_to_a_narrower_type_is_illegal(self):
        text = CASES["a reduction to a wider type"][1]
        narrower = text.replace("f32", "f16x").replace("f64", "f32").replace("f16x", "f64")
        done = self.assay("run", self.file("m.mlir", narrower), code=2)
        self.assertIn("operand 0 must have the type f32 of parameter 1", done.stderr)

    def test_shardings_as_bytes_are_printed_as_text(self):
        printed = self.assay("print", self.file("m.mlir", CASES["a sharding as bytes"][1]))
        self.assertIn("sharding={devices=[2]0,1}", printed.stdout)

    def test_buffers(self):
        printed = self.assay("print", self.file("m.mlir", BUFFERS))
        self.assertIn("  ROOT %custom-call = b(f32[2]{0}) custom-call(%Arg_0)", printed.stdout, printed.stderr)

    def test_a_check_without_its_probe_fails(self):
        text = CASES["a probe"][1]
        for new, found in [("iter = 1", "a value 1 of shape f32[2], found 1 values"),
                           ("iter = 0", "a value 0 of shape f32[2], found 0 values")]:  # fmt: skip
            wrong = text.replace("iter = 0", new).replace('": 1", iter = 0', '": 2", iter = 0')
            done = self.assay("run", self.file("m.mlir", wrong), "--input", "f32[2] {4, 9}", code=1)
            self.assertIn(found, done.stderr)

    def test_a_grid_within_a_process(self):
        text = CASES["processes on a row of devices"][1]
        outer = text[text.index("func.func @main") :].replace("@main", "@outer").replace("@shift", "@main")
        done = self.assay("run", self.file("m.mlir", text + "\n" + outer), "--function", "outer", code=2)
        self.assertIn("interpreter.run_parallel: it must be in the entry function", done.stderr)

    def test_illegal_processes(self):
        text = CASES["processes on a row of devices"][1]
        for old, new, message in [
            ("[[@shift], [@shift]]", "[[@shift], [@shift, @shift]]", "must have 1 partitions each, found 2"),
            ("[[@shift], [@shift]]", "[]", "the attribute programs must name functions"),
            ("[[@shift], [@shift]]", "[[@shift], [@other]]", "there is no function @other"),
            ("[[@shift], [@shift]]", "[[@shift]]", "it must have the 1 operands of its programs, found 2"),
            ("{programs", "{infeed = [@shift], programs", "an infeed must be for a single process"),
            ("[@shift]]}", "[@main]]}", "@main calls itself"),
        ]:
            done = self.assay("run", self.file("m.mlir", text.replace(old, new)), "--input", "s32[2] {1, 2}", code=2)
            self.assertIn(message, done.stderr)
