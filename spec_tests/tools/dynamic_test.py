"""StableHLO programs with dimensions of unknown size: their sizes are those of the inputs."""

import numpy as np

from spec_tests.tools.command_line import CliTest, each
from spec_tests.tools.dynamic_programs import ADD, PROGRAMS, SIZES, V, X

# Programs with inputs that contradict them, or with sizes that do not follow from inputs, and the error.
REFUSED = {
    "a size that the type has": (ADD, [np.ones((3, 3), np.float32)],
                                 "m.mlir:1:1: cannot be converted to HLO: func.func: argument 0 must be a "
                                 "tensor<?x2xf32>, found f32[3,3]"),
    "another rank": (ADD, [V], "func.func: argument 0 must be a tensor<?x2xf32>, found f32[3]"),
    "another type": (ADD, [X.astype(np.float64)], "argument 0 must be a tensor<?x2xf32>, found f64[3,2]"),
    "too many inputs": (ADD, [X, X], "the entry takes 1 inputs, found 2"),
    "arguments of different sizes": (
        PROGRAMS["two arguments of the same sizes"][0], [X, X[:2]],
        "m.mlir:2:3: cannot be converted to HLO: stablehlo.multiply: multiply: operands must have equal dimensions"),
    "a size that the result has": (
        """(%x: tensor<?xf32>) -> tensor<4xf32>
  %r = stablehlo.abs %x : (tensor<?xf32>) -> tensor<4xf32>""", [V],
        "m.mlir:2:3: cannot be converted to HLO: stablehlo.abs: the result must be a tensor<4xf32>, found f32[3]"),
    "sizes of the wrong number": (
        f"""(%x: tensor<?x2xf32>) -> tensor<?x3xf32>{SIZES}
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?x2xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>""", [X],
        "m.mlir:6:3: cannot be converted to HLO: stablehlo.dynamic_reshape: operand 1 must be sizes of the result "
        "tensor<?x3xf32>, found {3,2}"),
    "sizes of data": (
        """(%x: tensor<?xf32>) -> tensor<?xi32>
  %i = stablehlo.convert %x : (tensor<?xf32>) -> tensor<?xi32>
  %j = stablehlo.slice %i [0:1] : (tensor<?xi32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_iota %j, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>""", [V],
        "m.mlir:4:3: cannot be converted to HLO: stablehlo.dynamic_iota: operand 0 depends on data: sizes must "
        "follow from constants, other sizes and integer arguments"),
    "an assertion that does not hold": (
        PROGRAMS["an assertion that holds"][0], [V[:1]],
        "m.mlir:5:3: cannot be converted to HLO: stablehlo.custom_call: the shape assertion does not hold: at least 2 "
        "are needed, not 1"),
    "an assertion among known sizes that does not hold": (
        PROGRAMS["an assertion among known sizes"][0].replace("dense<true>", "dense<false>"), [V],
        "stablehlo.custom_call: the shape assertion does not hold: at least 2 are needed, not 3"),
    "an assertion of data": (
        """(%x: tensor<?xf32>, %p: tensor<f32>) -> tensor<?xf32>
  %b = stablehlo.convert %p : (tensor<f32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%b) {error_message = "no"} : (tensor<i1>) -> ()
  return %x : tensor<?xf32>""", [V, np.float32(1)],
        "stablehlo.custom_call: operand 0 depends on data: sizes must follow from"),
    "a custom call": (
        """(%x: tensor<?xf32>) -> tensor<?xf32>
  %r = stablehlo.custom_call @something(%x) : (tensor<?xf32>) -> tensor<?xf32>""", [V],
        "stablehlo.custom_call: the sizes of its result cannot be inferred, found f32[?]"),
    "a loop whose state grows": (
        """(%x: tensor<?xf32>) -> tensor<?xf32>
  %r = stablehlo.while(%y = %x) : tensor<?xf32>
  cond {
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %z = stablehlo.concatenate %y, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %z : tensor<?xf32>
  }""", [V],
        "m.mlir:2:3: cannot be converted to HLO: stablehlo.while: while: the result of the body must have the shape of the "
        "state, f32[3], found f32[6]"),
}  # fmt: skip


def text_of(program):
    """Returns the whole text of a program."""
    if program.startswith("func"):
        return program
    types, body = program.split("\n", 1)
    if "\n  return " not in body:
        body += f"\n  return %r : {types.rpartition('-> ')[2]}"
    return f"func.func @main{types} {{\n{body}\n}}\n"


class DynamicTest(CliTest):
    def arguments(self, values):
        """Returns --input and a file for each value, unless there are none."""
        files = []
        for i, value in enumerate(values):
            files.append(str(self.folder / f"{i}.npy"))
            np.save(files[-1], value)
        return ["--input", *files] if files else []

    @each(PROGRAMS)
    def test_sizes_follow_from_inputs(self, program, values, expected):
        path = self.file("m.mlir", text_of(program))
        self.assay("run", path, *self.arguments(values), "--out", self.folder / "out", code=0)
        output = np.load(self.folder / "out" / "output.npy")
        self.assertEqual(output.shape, np.shape(expected))
        np.testing.assert_array_equal(output, expected)

    @each(REFUSED)
    def test_contradictions_and_data_are_refused(self, program, values, message):
        self.assert_fails(2, message, "run", self.file("m.mlir", text_of(program)), *self.arguments(values))

    def test_literals(self):
        path = self.file("m.mlir", text_of(ADD))
        done = self.assay("run", path, "--input", "f32[3,2] {{1,2},{3,4},{5,6}}")
        self.assertEqual(done.stdout, "{ { 2, 4 }, { 6, 8 }, { 10, 12 } }\n")
        self.assert_fails(2, "input 0: expected a shape", "run", path, "--input", "{{1,2}}")

    def test_sizes_are_chosen_without_inputs(self):
        path = self.file("m.mlir", text_of(PROGRAMS["a size that an argument names"][0]))
        for command in (["run", path], ["verify", path], ["print", path], ["diff", path, "--backend", "simd"]):
            done = self.assay(*command, code=0)
            note = "no inputs are given: sizes that it leaves open (?), and its integer scalars, are 3"
            self.assertIn(note, done.stderr)
        written = self.folder / "inputs.json"
        self.assertEqual(self.assay("run", path, "--write-inputs", written).stdout, "{0, 1, 2}\n")
        again = self.assay("run", path, "--inputs", written)
        self.assertEqual(again.stdout, "{0, 1, 2}\n")
        self.assertNotIn("no inputs are given", again.stderr)

    def test_a_size_that_an_assertion_accepts_is_chosen(self):
        program = PROGRAMS["an assertion that holds"][0].replace("dense<2>", "dense<7>")
        self.assertEqual(self.run_json(self.file("m.mlir", text_of(program)))["outputs"][0]["shape"], "f32[8]")

    def test_every_command_takes_the_inputs(self):
        path = self.file("m.mlir", text_of(ADD))
        inputs = self.arguments([np.ones((5, 2), np.float32)])
        for command in (["verify"], ["print"], ["diff", "--backend", "simd"], ["explain", "--backend", "simd"]):
            self.assertNotIn("no inputs", self.assay(command[0], path, *command[1:], *inputs, code=0).stderr)
        self.assertIn("f32[5,2]", self.assay("print", path, *inputs).stdout)

    def test_results_whose_sizes_are_operands(self):
        path = self.file("m.mlir", text_of("""(%x: tensor<4xf32>) -> tensor<?xf32>
  %n = stablehlo.constant dense<[5]> : tensor<1xi64>
  %m = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r:2 = stablehlo.custom_call @something(%x, %n, %m) {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>} : (tensor<4xf32>, tensor<1xi64>, tensor<2xi64>) -> (tensor<?xf32>, tuple<tensor<?x2xf32>>)
  return %r#0 : tensor<?xf32>"""))  # fmt: skip
        done = self.assay("print", path)
        self.assertIn("= (f32[5]{0}, (f32[1,2]{1,0})) custom-call(", done.stdout, done.stderr)
        self.assertNotIn("no inputs are given", done.stderr)

    def test_shards_of_groups(self):
        path = self.file("m.mlir", text_of("""(%x: tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %r = "stablehlo.reduce_scatter"(%y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x2xf32>) -> tensor<?x2xf32>"""))  # fmt: skip
        done = self.assay("run", path, "--replicas", "2", *self.arguments([X]))
        self.assertEqual(done.stdout, "{ { 2, 4 }, { 6, 8 }, { 10, 12 } }\n" * 2, done.stderr)

    def test_devices_with_inputs_of_their_own(self):
        path = self.file("m.mlir", text_of(PROGRAMS["a size that an argument names"][0]))
        for values, code in (([4, 4], 0), ([4, 5], 2)):
            devices = [[{"shape": "s64[]", "data_hex": f"{value:02x}" + "00" * 7}] for value in values]
            inputs = self.file("inputs.json", {"inputs_per_device": devices})
            done = self.assay("run", path, "--replicas", "2", "--inputs", inputs, code=code)
            self.assertIn("operand 0 depends on data" if code else "{0, 1, 2, 3}", done.stderr + done.stdout)
