"""assay diff BEFORE AFTER: verdicts of two modules, by algebra; interfaces; shards; the search for inputs."""

import json
import re

from command_line import CliTest, entry

SUM = "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }"
# A product of two matrices on whole arrays, and on two partitions of the contracted dimension.
WHOLE = """HloModule whole, num_partitions=2
ENTRY e {
  x = f32[4,6] parameter(0), sharding={devices=[1,2]<=[2]}
  w = f32[6,4] parameter(1), sharding={devices=[2,1]<=[2]}
  p = f32[4,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[4,6] add(x, x)
  ROOT r = (f32[4,4], f32[4,6]) tuple(p, s), sharding={{replicated}, {devices=[1,2]<=[2]}}
}
"""
PARTITIONED = f"""HloModule partitioned, num_partitions=2
{SUM}
ENTRY e {{
  x = f32[4,3] parameter(0), sharding={{devices=[1,2]<=[2]}}
  w = f32[3,4] parameter(1), sharding={{devices=[2,1]<=[2]}}
  p = f32[4,4] dot(x, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  q = f32[4,4] all-reduce(p), channel_id=1, replica_groups={{{{0,1}}}}, use_global_device_ids=true, to_apply=sum
  s = f32[4,3] add(x, x)
  ROOT r = (f32[4,4], f32[4,3]) tuple(q, s)
}}
"""


class PairTest(CliTest):
    def diff(self, before, after, *options):
        """Returns the JSON of a diff, whose exit code must fit the verdict."""
        paths = self.file("before.hlo", before), self.file("after.hlo", after)
        run = self.assay("diff", *paths, "--format", "json", *options)
        self.assertTrue(run.stdout, run.stderr)
        report = json.loads(run.stdout)
        self.assertEqual(run.returncode, int(report["verdict"] in ("SUSPECT", "FAIL", "ERROR", "TIMEOUT", "CRASH")), run)
        return report

    def verdict(self, *arguments):
        return self.diff(*arguments)["verdict"]


class Verdicts(PairTest):
    X = "--input", "f32[4] {1, 2.5, -3, 7}"

    def test_the_same_bits_are_exact(self):
        before = entry("x = f32[4] parameter(0)", "y = f32[4] add(x, x)", "ROOT r = f32[4] negate(y)")
        after = entry("x = f32[4] parameter(0)", "y = f32[4] negate(x)", "ROOT r = f32[4] add(y, y)")
        self.assertEqual(self.verdict(before, after, *self.X), "EXACT")

    def test_the_first_diverging_pair_has_the_same_name_among_equal_origins(self):
        # A simplifier makes e^x * e^y e^(x + y), which is no NaN for -200 and 200, and leaves the exponential of log x.
        origin = 'metadata={op_name="jit(f)/exp"}'
        lines = ["x = f32[4] parameter(0)", "y = f32[4] parameter(1)", "l = f32[4] log(x)"]
        last = f"exp.3 = f32[4] exponential(l), {origin}"
        before = entry(*lines, f"exp.1 = f32[4] exponential(x), {origin}", f"exp.2 = f32[4] exponential(y), {origin}",
                       last, 'mul = f32[4] multiply(exp.1, exp.2), metadata={op_name="jit(f)/mul"}',
                       "ROOT r = (f32[4], f32[4]) tuple(mul, exp.3)")  # fmt: skip
        after = entry(*lines, "s = f32[4] add(x, y)", last, "p = f32[4] exponential(s)",
                      "ROOT r = (f32[4], f32[4]) tuple(p, exp.3)")  # fmt: skip
        report = self.diff(before, after, "--input", "{1, 2, -200, 3}", "{2, 1, 200, 1}")
        self.assertEqual(report["verdict"], "FAIL")
        self.assertIn("%mul = ", report["divergence"]["before"]["instruction"])
        self.assertIn("%p = ", report["divergence"]["after"]["instruction"])

    def test_other_bits_that_a_profile_allows_are_legal(self):
        # 7 / 3 is not 7 * (1 / 3) in f32.
        before = entry("x = f32[4] parameter(0)", "c = f32[] constant(3)", "b = f32[4] broadcast(c), dimensions={}",
                       "ROOT r = f32[4] divide(x, b)")  # fmt: skip
        after = entry("x = f32[4] parameter(0)", "c = f32[] constant(0.333333343)",
                      "b = f32[4] broadcast(c), dimensions={}", "ROOT r = f32[4] multiply(x, b)")  # fmt: skip
        report = self.diff(before, after, *self.X)
        self.assertEqual(report["verdict"], "LEGAL", report["reason"])
        self.assertEqual(self.verdict(before, after, *self.X, "--profile", "exact"), "FAIL")

    def test_a_wrong_rewrite_fails_and_names_the_first_pair(self):
        lines = ["x = f32[4] parameter(0)", "a = f32[4] add(x, x)", "m = f32[4] multiply(a, x)", "ROOT r = f32[4] abs(m)"]
        report = self.diff(entry(*lines), entry(*[line.replace("multiply", "maximum") for line in lines]), *self.X)
        self.assertEqual(report["verdict"], "FAIL")
        divergence = report["divergence"]
        self.assertEqual([divergence[side]["line"] for side in ("before", "after")], [5, 5])
        self.assertIn("multiply", divergence["before"]["instruction"])
        self.assertIn("maximum", divergence["after"]["instruction"])
        # 2 * 1 * 1 = 2 and max(2, 1) = 2 are equal; the worst is max(-6, -3) = -3 beside 18.
        self.assertEqual(report["outputs"]["not_exact"], 3)

    def test_metadata_aligns_fused_instructions(self):
        lines = ['x = f32[4] parameter(0)', 'a = f32[4] add(x, x), metadata={op_name="f/add"}',
                 'm = f32[4] multiply(a, x), metadata={op_name="f/mul"}',
                 'ROOT r = f32[4] negate(m), metadata={op_name="f/neg"}']  # fmt: skip
        fused = "\n".join(["HloModule m", "fused {", *lines[:2],
                           'k = f32[4] subtract(a, x), metadata={op_name="f/mul"}',
                           'ROOT r = f32[4] negate(k), metadata={op_name="f/neg"}', "}",
                           "ENTRY e { p = f32[4] parameter(0) ROOT f = f32[4] fusion(p), kind=kLoop, calls=fused }"])  # fmt: skip
        divergence = self.diff(entry(*lines), fused, *self.X)["divergence"]
        self.assertIn("multiply", divergence["before"]["instruction"])
        self.assertIn("subtract", divergence["after"]["instruction"])

    def test_a_generated_name_alone_is_no_pair(self):
        # broadcast.8 of the two modules is not the same instruction: the first pair that differs is that of the results.
        before = entry("x = f32[4] parameter(0)", "c = f32[] constant(2)", "broadcast.8 = f32[4] broadcast(c), dimensions={}",
                       "m = f32[4] multiply(x, broadcast.8)", "ROOT r = f32[4] negate(m)")  # fmt: skip
        after = entry("x = f32[4] parameter(0)", "c = f32[] constant(5)", "broadcast.8 = f32[4] broadcast(c), dimensions={}",
                      "a = f32[4] add(x, broadcast.8)", "ROOT r = f32[4] negate(a)")  # fmt: skip
        self.assertIn(" negate(", self.diff(before, after, *self.X)["divergence"]["before"]["instruction"])
        # It is one that takes the same operands.
        lines = ["x = f32[4] parameter(0)", "n = f32[4] negate(x)", "subtract.3 = f32[4] subtract(n, x)",
                 "ROOT r = f32[4] abs(subtract.3)"]  # fmt: skip
        wrong = [line.replace("subtract(n, x)", "multiply(x, n)") for line in lines]
        self.assertIn(" subtract(", self.diff(entry(*lines), entry(*wrong), *self.X)["divergence"]["before"]["instruction"])

    def test_stablehlo_beside_hlo(self):
        before = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %y = stablehlo.add %x, %x : tensor<4xf32>
          return %y : tensor<4xf32> }"""
        for op, verdict in (("add", "EXACT"), ("multiply", "FAIL")):
            after = entry("x = f32[4] parameter(0)", f"r = f32[4] {op}(x, x)", "ROOT t = (f32[4]) tuple(r)")
            self.assertEqual(self.verdict(before, after, *self.X), verdict)

    def test_text(self):
        before = self.file("a.hlo", entry("x = f32[2] parameter(0)", "ROOT r = f32[2] floor(x)"))
        after = self.file("b.hlo", entry("x = f32[2] parameter(0)", "ROOT r = f32[2] ceil(x)"))
        run = self.assay("diff", before, after, "--input", "f32[2] {0.5, 1}", code=1)
        self.assertIn(f"FAIL: {after} returns what no lawful evaluation of {before} returns\n", run.stdout)
        self.assertIn("the worst: element [0]", run.stdout)
        self.assertIn("before, line 4: %r = f32[2]{0} floor(%x)", run.stdout)

    def test_after_runs_on_a_backend(self):
        module = entry("x = f32[2] parameter(0)", "ROOT r = f32[2] floor(x)")
        wrong = "--backend", "mutant:floor_truncates"
        self.assertEqual(self.verdict(module, module, "--input", "f32[2] {0.5, 1}", *wrong), "EXACT")
        self.assertEqual(self.verdict(module, module, "--input", "f32[2] {-0.5, 1}", *wrong), "FAIL")


class Interfaces(PairTest):
    def test_tuples_and_layouts_do_not_count(self):
        before = entry("p = (f32[2], s32[2]) parameter(0)", "a = f32[2] get-tuple-element(p), index=0",
                       "b = s32[2] get-tuple-element(p), index=1", "n = (s32[2]) tuple(b)",
                       "ROOT r = (f32[2], (s32[2])) tuple(a, n)")  # fmt: skip
        after = entry("a = f32[2] parameter(0)", "b = s32[2] parameter(1)", "ROOT r = (f32[2], s32[2]) tuple(a, b)")
        self.assertEqual(self.verdict(before, after), "EXACT")
        rows = entry("x = f32[2,3]{1,0} parameter(0)", "ROOT r = f32[2,3]{1,0} negate(x)")
        self.assertEqual(self.verdict(rows, rows.replace("{1,0}", "{0,1}")), "EXACT")

    def test_other_interfaces_are_errors(self):
        before = entry("x = f32[4] parameter(0)", "ROOT r = f32[4] negate(x)")
        for lines, message in (
            (["x = f32[4] parameter(0)", "y = f32[4] parameter(1)", "ROOT r = f32[4] add(x, y)"],
             "1 parameter array before, 2 after"),
            (["x = f16[4] parameter(0)", "ROOT r = f32[4] convert(x)"], "parameter array 0 is f32[4] before, f16[4] after"),
            (["x = f32[4] parameter(0)", "ROOT r = (f32[4], f32[4]) tuple(x, x)"], "1 result array before, 2 after"),
            (["x = f32[3] parameter(0)", "ROOT r = f32[3] negate(x)"],
             "an array is f32[4] before, f32[3] after"),
            (["x = f32[2] parameter(0)", "ROOT r = f32[2] negate(x)"],
             "f32[4] before is f32[2] on each of 2 partitions after, and neither module has its sharding"),
            (["x = f32[2] parameter(0), sharding={devices=[2,2]<=[4] last_tile_dims={unreduced}}",
              "ROOT r = f32[2] negate(x)"], "f32[4] before is f32[2] on each of 4 partitions after"),
        ):  # fmt: skip
            partitions = re.search(r"(\d) partitions", message)
            header = f", num_partitions={partitions[1]}" if partitions else ""
            after = entry(*lines).replace("HloModule m", "HloModule m" + header)
            paths = self.file("before.hlo", before), self.file("after.hlo", after)
            self.assert_fails(2, message, "diff", *paths)

    def test_options(self):
        module = self.file("m.hlo", entry("x = f32[4] parameter(0)", "ROOT r = f32[4] negate(x)"))
        self.assert_fails(2, "expected a second module to compare, or --backend", "diff", module)
        self.assert_fails(2, "--search tries inputs of two modules", "diff", module, "--backend", "reference", "--search", 3)
        self.assert_fails(2, "two modules are not cut", "diff", module, module, "--extract", self.folder / "x")

    def test_constants_without_values_are_an_error(self):
        module = self.file("m.hlo", entry("x = f32[4] parameter(0)", "c = f32[4] constant({...})", "ROOT r = f32[4] add(x, c)"))
        self.assert_fails(2, "xla_dump_large_constants", "diff", module, module)


class Shards(PairTest):
    def test_a_partitioned_module(self):
        self.assertIn(self.verdict(WHOLE, PARTITIONED), ("EXACT", "LEGAL"))

    def test_a_wrong_group_is_named(self):
        report = self.diff(WHOLE, PARTITIONED.replace("{{0,1}}", "{{0},{1}}"))
        self.assertEqual(report["verdict"], "FAIL")
        self.assertEqual(report["note"], "devices 0 and 1 hold different copies of result 0")
        self.assertIn(" dot(", report["divergence"]["before"]["instruction"])
        self.assertIn(" all-reduce(", report["divergence"]["after"]["instruction"])

    def test_a_wrong_shard(self):
        wrong = PARTITIONED.replace("add(x, x)", "multiply(x, x)")
        report = self.diff(WHOLE, wrong)
        self.assertEqual((report["verdict"], report["outputs"]["worst"]["tuple_index"]), ("FAIL", [1]))

    def test_shards_in_any_order_with_copies_and_padding(self):
        # 5 rows in 2 tiles of 3, the second one padded; each tile on two devices.
        for sharding in ("{devices=[2,1,2]<=[4] last_tile_dim_replicate}",
                         "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}",
                         "{devices=[2,1,2]3,1,0,2 last_tile_dim_replicate}",
                         "{mesh['a'=2,'b'=2], [{'a'}, {}]}"):  # fmt: skip
            whole = f"""HloModule w, num_partitions=4
ENTRY e {{ x = f32[5,2] parameter(0), sharding={sharding} ROOT r = f32[5,2] negate(x), sharding={sharding} }}"""
            part = f"""HloModule p, num_partitions=4
ENTRY e {{ x = f32[3,2] parameter(0), sharding={sharding} ROOT r = f32[3,2] negate(x) }}"""
            self.assertEqual(self.verdict(whole, part), "EXACT", sharding)
            self.assertEqual(self.verdict(whole, part.replace("negate", "abs"), "--search", 2), "FAIL", sharding)


    def test_a_partitioned_module_of_the_same_sizes(self):
        # All devices hold the arguments and the result, and each adds up a half of the products.
        whole = """HloModule w, num_partitions=2
ENTRY e { x = f32[4] parameter(0), sharding={replicated} y = f32[4] parameter(1), sharding={replicated}
  ROOT r = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}, sharding={replicated} }"""
        part = f"""HloModule p, num_partitions=2
{SUM}
ENTRY e {{ x = f32[4] parameter(0), sharding={{replicated}} y = f32[4] parameter(1), sharding={{replicated}}
  i = u32[] partition-id() two = u32[] constant(2) from = u32[] multiply(i, two)
  a = f32[2] dynamic-slice(x, from), dynamic_slice_sizes={{2}}
  b = f32[2] dynamic-slice(y, from), dynamic_slice_sizes={{2}}
  d = f32[] dot(a, b), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}
  ROOT r = f32[] all-reduce(d), channel_id=1, replica_groups={{{{0,1}}}}, use_global_device_ids=true, to_apply=sum }}"""
        self.assertIn(self.verdict(whole, part), ("EXACT", "LEGAL"))
        self.assertEqual(self.verdict(whole, part.replace("{{0,1}}", "{{0},{1}}")), "FAIL")

    def test_copies_that_differ_before_the_change_too(self):
        # The result is said to be the same on all devices, and is not.
        whole = """HloModule m, num_partitions=2
ENTRY e { x = s32[4] parameter(0), sharding={devices=[2]<=[2]} i = u32[] partition-id() c = s32[] convert(i)
  ROOT r = s32[] negate(c), sharding={replicated} }"""
        part = whole.replace("s32[4]", "s32[2]")
        report = self.diff(whole, part)
        self.assertEqual(report["verdict"], "EXACT")
        self.assertEqual(report["note"], "devices 0 and 1 hold different copies of result 0")
        self.assertEqual(self.verdict(whole, part.replace("negate", "copy")), "FAIL")

    def test_a_partitioner_may_round_partial_sums(self):
        # 256 + 1 - 256 is 0 if the first device rounds its sum to bf16, and 1 in a wider accumulator.
        narrow = [WHOLE, PARTITIONED]
        for old, new in (("f32", "bf16"), ("[4,6]", "[4,4]"), ("[6,4]", "[4,4]"), ("[4,3]", "[4,2]"), ("[3,4]", "[2,4]")):
            narrow = [text.replace(old, new) for text in narrow]
        row, ones = "{256,1,-256,0}", "{1,1,1,1}"
        inputs = [f"bf16[4,4] {{{','.join([part] * 4)}}}" for part in (row, ones)]
        report = self.diff(*narrow, "--input", *inputs)
        self.assertGreater(report["outputs"]["not_exact"], 0)
        self.assertIn(report["verdict"], ("LEGAL", "WEAK"))
        self.assertEqual(self.verdict(*narrow, "--input", *inputs, "--profile", "xla-wide"), "FAIL")
        wrong = narrow[1].replace("{{0,1}}", "{{0},{1}}")
        self.assertEqual(self.verdict(narrow[0], wrong, "--search", 20), "FAIL")

    def test_instructions_of_two_partitioned_modules_are_aligned(self):
        before = f"""HloModule before, num_partitions=2
{SUM}
ENTRY e {{
  x = f32[4] parameter(0)
  e = f32[4] exponential(x)
  q = f32[4] all-reduce(e), channel_id=1, replica_groups={{{{0,1}}}}, use_global_device_ids=true, to_apply=sum
  d = f32[4] subtract(q, e)
  ROOT r = f32[4] sqrt(d)
}}
"""
        self.assertEqual(self.diff(before, before)["verdict"], "EXACT")
        report = self.diff(before, before.replace("{{0,1}}", "{{0},{1}}"))
        self.assertEqual((report["verdict"], report["divergence"]["before"]["instruction"].split()[0]), ("FAIL", "%q"))
        self.assertEqual((report["instructions"], report["matched"]), (4, 1))
        # The wrong value is on the second device alone.
        wrong = before.replace("d = f32[4] subtract(q, e)", """i = u32[] partition-id()
  zero = u32[] constant(0)
  is = pred[] compare(i, zero), direction=EQ
  first = pred[4] broadcast(is), dimensions={}
  n = f32[4] negate(e)
  s = f32[4] select(first, n, e)
  d = f32[4] add(q, s), metadata={op_name="d"}""")
        report = self.diff(before.replace("subtract(q, e)", 'subtract(q, e), metadata={op_name="d"}'), wrong)
        self.assertEqual((report["verdict"], report["divergence"]["before"]["instruction"].split()[0]), ("FAIL", "%d"))
        self.assertEqual((report["instructions"], report["matched"]), (4, 2))


class Search(PairTest):
    def test_finds_the_branch_of_one_number(self):
        # i - 77777 = 45679 for i = 123456 only, which is near no constant.
        before = entry("i = s32[] parameter(0)", "a = s32[] constant(77777)", "b = s32[] constant(45679)",
                       "d = s32[] subtract(i, a)", "p = pred[] compare(d, b), direction=EQ", "n = s32[] negate(i)",
                       "ROOT r = s32[] select(p, n, i)")  # fmt: skip
        after = entry("i = s32[] parameter(0)", "ROOT r = s32[] copy(i)")
        for seed in range(3):
            report = self.diff(before, after, "--search", 40, "--seed", seed, "--write-inputs", self.folder / "found.json")
            self.assertEqual(report["verdict"], "FAIL")
            found = json.loads((self.folder / "found.json").read_text())
            self.assertIn((123456).to_bytes(4, "little").hex(), json.dumps(found))
        # x * x = 2.25 for 1.5 and -1.5 only.
        before = entry("x = f32[4] parameter(0)", "c = f32[] constant(2.25)", "b = f32[4] broadcast(c), dimensions={}",
                       "s = f32[4] multiply(x, x)", "p = pred[4] compare(s, b), direction=EQ", "n = f32[4] negate(x)",
                       "ROOT r = f32[4] select(p, n, x)")  # fmt: skip
        after = entry("x = f32[4] parameter(0)", "ROOT r = f32[4] copy(x)")
        self.assertEqual(self.verdict(before, after, "--search", 60), "FAIL")

    def test_finds_a_difference_at_one_number(self):
        # x <= 17 and x < 17 differ for 17 only.
        lines = ["x = s32[8] parameter(0)", "c = s32[] constant(17)", "b = s32[8] broadcast(c), dimensions={}"]
        before = entry(*lines, "ROOT r = pred[8] compare(x, b), direction=LE")
        after = before.replace("direction=LE", "direction=LT")
        self.assertEqual(self.verdict(before, after), "EXACT")
        report = self.diff(before, after, "--search", 200, "--write-inputs", self.folder / "found.json")
        self.assertEqual(report["verdict"], "FAIL")
        self.assertLess(report["inputs_tried"], 200)
        self.assertEqual(self.verdict(before, after, "--inputs", self.folder / "found.json"), "FAIL")

    def test_finds_a_constant_that_matters_to_small_numbers(self):
        # The root of the mean of squares, with an epsilon of 1e-5 and of 1e-6.
        sum_of = "HloModule m\n" + SUM + "\n"
        before = sum_of + """ENTRY e {
  x = f32[4,8] parameter(0)
  w = f32[8] parameter(1)
  s = f32[4,8] multiply(x, x)
  zero = f32[] constant(0)
  t = f32[4] reduce(s, zero), dimensions={1}, to_apply=sum
  c = f32[] constant(0.125)
  n = f32[4] broadcast(c), dimensions={}
  m = f32[4] multiply(t, n)
  epsilon = f32[] constant(1e-05)
  b = f32[4] broadcast(epsilon), dimensions={}
  a = f32[4] add(m, b)
  q = f32[4] rsqrt(a)
  r = f32[4,8] broadcast(q), dimensions={0}
  v = f32[4,8] broadcast(w), dimensions={1}
  y = f32[4,8] multiply(x, r)
  ROOT z = f32[4,8] multiply(y, v)
}
"""
        for seed in range(3):
            options = "--profile", "xla-gpu", "--seed", seed, "--search"
            self.assertEqual(self.verdict(before, before.replace("1e-05", "1e-06"), *options, 60), "FAIL")
            self.assertEqual(self.verdict(before, before, *options, 20), "EXACT")

    def test_finds_signed_zeros_nans_and_overflow(self):
        for before, after in (("add(x, z)", "copy(x)"), ("maximum(x, z)", "select(p, x, z)"), ("subtract(x, x)", "copy(z)")):
            lines = ["x = f32[8] parameter(0)", "c = f32[] constant(0)", "z = f32[8] broadcast(c), dimensions={}",
                     "p = pred[8] compare(x, z), direction=GT"]  # fmt: skip
            texts = [entry(*lines, f"ROOT r = f32[8] {op}") for op in (before, after)]
            self.assertEqual(self.verdict(*texts, "--profile", "ieee", "--search", 100), "FAIL", before)

    def test_inputs_with_endless_loops_are_skipped(self):
        text = """HloModule m
more { p = s32[] parameter(0) n = s32[] constant(3) ROOT c = pred[] compare(p, n), direction=LT }
next { p = s32[] parameter(0) one = s32[] constant(1) ROOT n = s32[] add(p, one) }
ENTRY e { p = s32[] parameter(0) ROOT w = s32[] while(p), condition=more, body=next }
"""
        paths = self.file("a.hlo", text), self.file("b.hlo", text)
        run = self.assay("diff", *paths, "--input", "s32[] 0", "--search", 60, timeout=120)
        self.assertRegex(run.stdout, r"inputs: 60 tried, \d+ with the same bits, [1-9]\d* skipped")

    def test_counts_the_inputs(self):
        module = entry("x = f32[2] parameter(0)", "ROOT r = f32[2] negate(x)")
        paths = self.file("a.hlo", module), self.file("b.hlo", module)
        self.assertIn("inputs: 5 tried, 5 with the same bits", self.assay("diff", *paths, "--search", 5).stdout)
