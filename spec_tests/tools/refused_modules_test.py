"""Each kind of module of docs/refused_modules.md is refused, with a message that says what to write instead."""

from spec_tests.tools.command_line import CliTest
from spec_tests.tools.intake_hlo_cases import INTEGER_SUM, SUM, entry

LOOP = ("c {\n  p = (s32[]) parameter(0)\n  ROOT t = pred[] constant(false)\n}\n"
        "b {\n  p = (s32[]) parameter(0)\n  x = f32[] constant(1)\n  ROOT t = (f32[]) tuple(x)\n}\n")  # fmt: skip
GATHER = ("x = f32[{x}] parameter(0); i = s32[{i}] parameter(1); ROOT g = f32[{r}] gather(x, i), offset_dims={{{offset}}}, "
          "collapsed_slice_dims={{{collapsed}}}, start_index_map={{{map}}}, operand_batching_dims={{{batch}}}, "
          "start_indices_batching_dims={{{of_indices}}}, index_vector_dim={v}, slice_sizes={{{sizes}}}")  # fmt: skip
# Kind, module, message: what is wrong, and what the rule wants instead.
REFUSED = [
    ("a bitcast to another number of bytes", entry("x = f32[2] parameter(0); ROOT b = f32[3] bitcast(x)"),
     "b: bitcast: the result must have the 8 bytes of the operand f32[2]{0}, found 12 in f32[3]{0}"),
    ("a bitcast of a tuple", entry("x = (f32[2]) parameter(0); ROOT b = f32[2] bitcast(x)"),
     "operand 0 of bitcast cannot be (f32[2]); it takes pred s8"),
    ("a send without a token", entry(
        "x = f32[2] parameter(0); t = token[] after-all(); s = (f32[3], u32[], token[]) send(x, t), channel_id=1; "
        "ROOT d = token[] send-done(s), channel_id=1"), "send: declared (f32[3], u32[], token[]), inferred (f32[2], u32[], token[])"),
    ("a recv-done with another shape", entry(
        "t = token[] after-all(); r = (f32[2], u32[], token[]) recv(t), channel_id=1; "
        "ROOT d = (f32[3], token[]) recv-done(r), channel_id=1"),
     "recv-done: declared (f32[3], token[]), inferred (f32[2], token[])"),
    ("after-all of arrays", entry("x = f32[2] parameter(0); ROOT t = token[] after-all(x)"),
     "operand 0 of after-all cannot be f32[2]; it takes token"),
    ("a reducer of another type", entry(
        "x = f32[2] parameter(0); ROOT r = f32[2] all-reduce(x), to_apply=adds", called=INTEGER_SUM),
     "initial value 0 of type f32 does not fit the result of type s32 in the reducer adds"),
    ("batching dimensions of different sizes", entry(GATHER.format(
        x="2,4", i="3,1", r="3,1", offset="1", collapsed="", map="1", batch="0", of_indices="0", v=1, sizes="1,1")),
     "dimension 0 of the indices, in start_indices_batching_dims, must have the operand's size 2, found 3"),
    ("a gather that indexes a batching dimension", entry(GATHER.format(
        x="2,4", i="2,1", r="2,1", offset="1", collapsed="", map="0", batch="0", of_indices="0", v=1, sizes="1,1")),
     "operand dimension 0 is in both start_index_map and operand_batching_dims"),
    ("a gather that collapses a slice of size 0", entry(GATHER.format(
        x="2,4", i="2,1", r="2,4", offset="1", collapsed="0", map="0", batch="", of_indices="", v=1, sizes="0,4")),
     "the slice size of dimension 0 of collapsed_slice_dims must be 1, found 0: the result has elements"),
    ("an alias of arrays of different sizes", entry(
        "x = f32[2] parameter(0); c = f32[3] constant({1, 2, 3}); ROOT t = (f32[3]) tuple(c)",
        "input_output_alias={ {0}: (0, {}, may-alias) }"),
     "output {0} and its alias (0, {}) must have the same size, found f32[3] and f32[2]"),
    ("a state that no algorithm has", entry(
        "x = u64[5] parameter(0); ROOT r = (u64[5], u32[2]) rng-bit-generator(x), algorithm=rng_philox"),
     "the state must be u64[2] or u64[3], found u64[5]"),
    ("a loop that returns another tuple", entry(
        "z = s32[] constant(0); t = (s32[]) tuple(z); ROOT w = (s32[]) while(t), condition=c, body=b", called=LOOP),
     "the result of the body must have the shape of the state, (s32[]), found (f32[])"),
    ("a call from another thread", entry(
        "x = f32[] parameter(0); ROOT c = f32[] call(x), to_apply=f",
        called="f {\n  p = f32[] parameter(0)\n  ROOT n = f32[] negate(p)\n}, execution_thread=\"other\"\n"),
     'e runs on the thread "main", the called f on "other"; async-start begins one on another thread'),
    ("a start with two ends", entry(
        "x = f32[] parameter(0); s = f32[] all-reduce-start(x), to_apply=add; a = f32[] all-reduce-done(s); "
        "b = f32[] all-reduce-done(s); ROOT r = f32[] add(a, b)", called=SUM),
     "all-reduce-start must be used once, by its all-reduce-done, found 2 uses"),
    ("slices with fewer sizes than dimensions", entry(
        "x = f32[2,4] parameter(0); y = f32[2,4] parameter(1); z = s32[] constant(0); t = (s32[], s32[]) tuple(z, z); "
        "ROOT r = f32[2,4] collective-permute(x, y, t, t), source_target_pairs={{0,1}}, slice_sizes={{1}}",
        "replica_count=2"), "slice_sizes {1} do not fit operand 0, f32[2,4]: a size in each dimension, at most its own"),
    ("a permute of tuples", entry(
        "x = (f32[2]) parameter(0); ROOT r = (f32[2]) collective-permute(x), source_target_pairs={{0,1}}",
        "replica_count=2"), "collective-permute: operand 0 must be an array, found (f32[2])"),
    ("a convolution with a wrong result", entry(
        "x = f32[1,2] parameter(0); w = f32[2,1] parameter(1); ROOT c = f32[1,2] convolution(x, w), dim_labels=bf_io->bf"),
     "convolution: declared f32[1,2], inferred f32[1,1]"),
    ("an operand without a name", entry("x = f32[2] parameter(0); ROOT n = f32[2] negate(f32[2])"),
     "expected the name of an operand, found ')'"),
    ("mixed precision", entry("x = f32[] parameter(0); y = bf16[] parameter(1); ROOT s = f32[] add(x, y)"),
     "floating operands of add must have the same type, found f32 and bf16; --mixed-precision converts them"),
]
# Configurations of a sparse operand of a convolution, and messages.
SPARSE = [
    ("sparsity=2x4 dimension=0 idx=2", "sparsity_config must be 1xN with a stride of 1, found 2x4 with a stride of 0"),
    ("sparsity=1x4 dimension=0 stride=2 idx=2", "must be 1xN with a stride of 1, found 1x4 with a stride of 2"),
    ("sparsity=1x0 dimension=0 idx=2", "must be 1xN with a stride of 1, found 1x0 with a stride of 0"),
    ("sparsity=1x4 dimension=2 idx=2", "the dimension of sparsity_config must be in [0, 2), found 2"),
    ("sparsity=1x4 dimension=0 idx=3", "idx of sparsity_config must be an operand in [2, 3), found 3"),
    ("sparsity=1x4 dimension=0 idx=1", "idx of sparsity_config must be an operand in [2, 3), found 1"),
    ("sparsity=1x8 dimension=0 idx=2", "the input's features 4 must be feature_group_count 1 times the kernel's 8"),
    ("sparsity=1x9223372036854775807 dimension=0 idx=2", "must be feature_group_count 1 times the kernel's"),
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

    def test_kinds_of_the_page(self):
        for kind, text, message in REFUSED:
            with self.subTest(kind):
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

    def test_programs(self):
        for text, message in PROGRAMS:
            with self.subTest(message):
                self.assert_refused("m.mlir", text, message)
