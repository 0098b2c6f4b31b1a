"""Kinds of modules of docs/refused_modules.md, and programs, are refused with a message that says what to write instead.
spec_tests/legality has the kinds that the verifier refuses."""

from spec_tests.tools.command_line import CliTest, each
from spec_tests.tools.intake_hlo_cases import entry

# Kinds of the page that no text of spec_tests/legality has; module, message.
REFUSED = [
    ("a bitcast of a tuple", entry("x = (f32[2]) parameter(0); ROOT b = f32[2] bitcast(x)"),
     "operand 0 of bitcast cannot be (f32[2]); it takes pred s8"),
    ("a permute of tuples", entry(
        "x = (f32[2]) parameter(0); ROOT r = (f32[2]) collective-permute(x), source_target_pairs={{0,1}}",
        "replica_count=2"), "collective-permute: operand 0 must be an array, found (f32[2])"),
    ("an operand without a name", entry("x = f32[2] parameter(0); ROOT n = f32[2] negate(f32[2])"),
     "expected the name of an operand, found ')'"),
]
# Configurations of a sparse operand of a convolution, and messages.
SPARSE = [
    ("sparsity=1x4 dimension=0 stride=2 idx=2", "must be 1xN with a stride of 1, found 1x4 with a stride of 2"),
    ("sparsity=1x0 dimension=0 idx=2", "must be 1xN with a stride of 1, found 1x0 with a stride of 0"),
    ("sparsity=1x4 dimension=0 idx=3", "idx of sparsity_config must be an operand in [2, 3), found 3"),
    ("sparsity=1 dimension=0", "sparsity takes two numbers, NxM"),
    ("block=4", "expected sparsity=, dimension=, stride= or idx=, found 'block='"),
    ("sparsity=1x4 dimension=0", "convolution with sparsity_config is evaluated only with idx=N"),
]
# Programs of StableHLO, and messages.
OUTSIDE = """func.func @main(%x: tensor<2xi32>, %c: tensor<TYPEi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_reduce"(%x) ({ ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %c : tensor<i32>
    stablehlo.return %s : tensor<i32> }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
"""
PROGRAMS = [
    (OUTSIDE.replace("TYPE", ""), "an operand is defined outside of the region that uses it, which may use constants only: "
                                  "make it an operand"),
    (OUTSIDE.replace("TYPE", "2x").replace("all_reduce", "map").replace(", %b: tensor<i32>", "")
     .replace("replica_groups = dense<[[0]]> : tensor<1x1xi64>", "dimensions = array<i64: 0>")
     .replace("%s = stablehlo.add %a, %c", "%d = stablehlo.slice %c [0:1] : (tensor<2xi32>) -> tensor<1xi32>\n"
              "    %e = stablehlo.reshape %d : (tensor<1xi32>) -> tensor<i32>\n    %s = stablehlo.add %a, %e"),
     "its region uses a s32[2] from outside: HLO has no form of it, except for scalars; make it an operand"),
    ('func.func @main(%x: tensor<2x3xi32>) -> tensor<2xi32> {\n  %r = stablehlo.unary_einsum %x, config = "aa->a" : '
     "(tensor<2x3xi32>) -> tensor<2xi32>\n  return %r : tensor<2xi32>\n}\n",
     "the dimensions 0 and 1 of s32[2,3], with one label, must have equal sizes"),
    ('func.func @main(%x: tensor<2xi32>) -> tensor<2x2xi32> {\n  %r = stablehlo.unary_einsum %x, config = "a->ab" : '
     "(tensor<2xi32>) -> tensor<2x2xi32>\n  return %r : tensor<2x2xi32>\n}\n",
     "the result must have each label once, and only labels of operands"),
    ('func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n  %r = stablehlo.unary_einsum %x, config = "a,b->a" : '
     "(tensor<2xi32>) -> tensor<2xi32>\n  return %r : tensor<2xi32>\n}\n",
     "einsum_config must be of the form ab->b, found a,b->a"),
]


class RefusedModules(CliTest):
    def assert_refused(self, name, text, message, command="verify"):
        self.assertIn(message, self.assay(command, self.file(name, text), code=2).stderr)

    @each(REFUSED)
    def test_kinds_of_the_page(self, kind, text, message):
        self.assert_refused("m.hlo", text, message)

    def test_sparse_operands(self):
        for config, message in SPARSE:
            with self.subTest(config):
                self.assert_refused("m.hlo", entry(
                    "x = f32[1,4] parameter(0); w = f32[1,1] parameter(1); i = s32[1,1] parameter(2); ROOT c = f32[1,1] "
                    f"convolution(x, w, i), dim_labels=bf_io->bf, sparsity_config={{rhs={{{config}}}}}"), message, "run")
        place = entry("x = f32[1,4] parameter(0); w = f32[1,1] parameter(1); i = s32[1,1] constant({{4}}); "
                      "ROOT c = f32[1,1] convolution(x, w, i), dim_labels=bf_io->bf, "
                      "sparsity_config={rhs={sparsity=1x4 dimension=0 stride=1 idx=2}}")  # fmt: skip
        self.assert_refused("m.hlo", place, "c: a place of sparsity_config must be in [0, 4), found 4", "run")

    @each(PROGRAMS)
    def test_programs(self, text, message):
        self.assert_refused("m.mlir", text, message)
