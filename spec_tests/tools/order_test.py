"""assay order finds the order in which a backend adds, and says how many random sums confirm it."""

import importlib.util
import json
import pathlib

from command_line import PYTHON, CliTest

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
PEER = pathlib.Path(__file__).with_name("summing_peer.py")


def numpy_tree(first, count):
    """Returns the brackets of NumPy's pairwise sum (numpy/_core/src/umath/loops_utils.h.src, pairwise_sum)."""
    if count < 8:
        terms = [str(first + i) for i in range(count)]
        tree = terms[0]
        for term in terms[1:]:
            tree = f"({tree} {term})"
        return tree
    if count <= 128:
        lanes = [str(first + i) for i in range(8)]
        for i in range(8, count - count % 8, 8):
            lanes = [f"({lane} {first + i + number})" for number, lane in enumerate(lanes)]
        while len(lanes) > 1:
            lanes = [f"({one} {other})" for one, other in zip(lanes[::2], lanes[1::2])]
        for i in range(count - count % 8, count):
            lanes = [f"({lanes[0]} {first + i})"]
        return lanes[0]
    half = count // 2 - count // 2 % 8
    return f"({numpy_tree(first, half)} {numpy_tree(first + half, count - half)})"


class OrderTest(CliTest):
    def order(self, backend, *options, code=0):
        return json.loads(self.assay("order", "--backend", backend, "--format", "json", *options, code=code).stdout)

    def peer(self, order):
        if not HAS_NUMPY:
            self.skipTest("no numpy here; tools/dev installs it")
        return f"process:{PYTHON} {PEER} {order}"

    def remembering(self, order):
        """Returns the backend that imports NumPy for the first run of a module and its inputs only."""
        command = self.peer(order).removeprefix("process:")
        return f"process:{PYTHON} -I -S {PEER.with_name('remembering_peer.py')} {self.folder}/{order}.json {command}"

    def test_numpy_adds_pairwise_down_to_blocks_of_eight_lanes(self):
        for size in (5, 8, 100, 200):
            found = self.order(self.peer("numpy"), "--size", size, "--trials", 20)
            self.assertEqual(found["brackets"], numpy_tree(0, size))
            self.assertEqual((found["equal"], found["trials"]), (20, 20))
            self.assertEqual(set(found["arithmetic"]["precisions"]), {24})
        self.assertEqual(found["order"], "an irregular tree")
        self.assertEqual(
            self.order(self.peer("numpy"), "--size", 256, "--trials", 1)["order"],
            "blocks of 128 terms, each in 8 lanes (term i in lane i mod 8), each sequential, then the lanes pairwise, "
            "then the blocks pairwise")  # fmt: skip

    def test_an_accumulator_that_truncates_is_seen(self):
        found = self.order(self.peer("truncating"), "--size", 12)
        self.assertEqual(found["order"], "sequential, from the first term to the last")
        self.assertEqual(found["arithmetic"]["truncated"], [True] * 11)
        self.assertEqual((found["equal"], found["trials"]), (100, 100))

    def test_terms_that_are_added_at_once_are_one_sum(self):
        found = self.order(self.peer("fused"), "--size", 12)
        self.assertEqual(found["brackets"], "(((0 1 2 3) 4 5 6 7) 8 9 10 11)")
        self.assertEqual((found["equal"], found["trials"]), (100, 100))

    def test_f16_with_a_wide_accumulator(self):
        found = self.order(self.peer("fused"), "--size", 40, "--type", "f16")
        self.assertEqual(set(found["arithmetic"]["precisions"]), {24})
        self.assertEqual((found["equal"], found["trials"]), (100, 100))
        self.assertEqual(found["promise"], {"freedoms": {"narrow_accumulator": None}})  # four terms at once are no fold

    def judge(self, backend, rows, *options):
        """Returns the verdicts on sums of 128 random terms but EXACT, by a profile with these promises."""
        profile = self.file("profile.json", {"name": "own", "meaning": "A test.", "extends": "ieee", "orders": rows})
        module = self.file("sums.hlo", """HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[128] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=add
}
""")
        verdicts = set()
        for seed in (1, 4, 7, 9):  # of other seeds NumPy returns the exact sum
            run = self.assay("diff", module, "--backend", backend, "--profile", profile, "--seed", seed, "--format", "json", *options)
            verdicts.add(json.loads(run.stdout)["verdict"])
        return verdicts - {"EXACT"}

    def test_a_promise_has_one_value(self):
        row = {"op": "reduce", "types": ["f32"], "accumulator": "f32", "source": "a test"}
        # NumPy adds 128 terms in 8 lanes, and the lanes pairwise (loops_utils.h.src).
        lanes = [[8, 0], [1, 2], [2, 2], [4, 2]]
        numpy = self.remembering("numpy")
        self.assertEqual(self.judge(numpy, [{**row, "levels": lanes}]), {"LEGAL"})
        for shapes in ({"terms": 128}, {"operands": [[0]]}, {"operands": [[128], []]}):
            self.assertEqual(self.judge(numpy, [{**row, "levels": lanes, **shapes}]), {"LEGAL"})
        for levels in ([[1, 0]], [[-1, 128]], [[8, 16], [4, 2], [2, 2], [1, 2]], [[8, 16], [1, 8]]):
            with self.subTest(levels):
                self.assertIn("FAIL", self.judge(numpy, [{**row, "levels": levels}]))  # some sums are the same
        # No promise: it is of other sums, or its levels do not visit 128 terms once.
        for other in ({"terms": 64}, {"op": "dot"}, {"operands": [[0, 1]]}, {"operands": [[1]]}, {"types": ["f64"]}, {"levels": [[8, 3], [1, 8]]}, {"levels": [[8, 0], [2, 8]]}):
            with self.subTest(other):
                self.assertEqual(self.judge(numpy, [{**row, "levels": [[1, 0]], **other}]), {"LEGAL"})
        sequential = [{**row, "levels": [[1, 0]]}]
        self.assertEqual(self.judge(f"lawful:{self.folder}/profile.json:4", sequential), {"LEGAL"})
        # Lawful noise of another order, and of none.
        for noise in ([{**row, "levels": [[-1, 0]]}], []):
            self.file("noise.json", {"name": "noise", "meaning": "A test.", "extends": "ieee", "orders": noise})
            self.assertEqual(self.judge(f"lawful:{self.folder}/noise.json:4", sequential), {"FAIL"})
        self.assertIn("FAIL", self.judge(self.peer("fused"), [{**row, "levels": lanes}]))

    def test_a_found_order_is_a_promise_of_a_profile(self):
        found = self.order(self.peer("numpy"), "--size", 128)
        self.assertEqual([row["levels"] for row in found["promise"]["orders"]], [[[8, 16], [1, 2], [2, 2], [4, 2]]])
        self.assertEqual(self.judge(self.peer("numpy"), found["promise"]["orders"]), {"LEGAL"})
        for op in ("dot", "matmul", "reduce", "convolution"):
            promise = self.order("simd", "--op", op, "--size", 32)["promise"]["orders"]
            profile = self.file("simd.json", {"name": "own", "meaning": "A test.", "extends": "simd",
                                              "orders": promise})  # fmt: skip
            other = [{**promise[0], "levels": [[-1, 32]], "fused": False}]
            broken = self.file("broken.json", {"name": "own", "meaning": "A test.", "extends": "simd", "orders": other})
            module = self.file("sum.hlo", self.module_of(op))
            own, others = ([self.assay("diff", module, "--backend", "simd", "--profile", file, "--seed", seed, "--format", "json")
                            for seed in range(6)] for file in (profile, broken))  # fmt: skip
            self.assertEqual("".join(run.stderr for run in own if not run.stdout), "", op)
            self.assertEqual({json.loads(run.stdout)["verdict"] for run in own} - {"EXACT"}, {"LEGAL"}, op)
            self.assertIn("FAIL", {json.loads(run.stdout)["verdict"] for run in others}, op)

    def module_of(self, op):
        body = {"dot": "y = f32[32,1] parameter(1)\nROOT r = f32[1,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                "matmul": "y = f32[32,32] parameter(1)\nROOT r = f32[64,32] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                "reduce": "zero = f32[] constant(0)\nROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=add",
                "convolution": "y = f32[1,1,32] parameter(1)\nROOT r = f32[1,1,1] convolution(x, y), window={size=32}, "
                               "dim_labels=bf0_oi0->bf0"}[op]  # fmt: skip
        shape = {"dot": "1,32", "matmul": "64,32", "reduce": "32", "convolution": "1,1,32"}[op]
        add = "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }"
        return f"HloModule m\n{add}\nENTRY e {{\nx = f32[{shape}] parameter(0)\n{body}\n}}\n"

    def test_a_sum_that_no_tree_describes_fails(self):
        self.assertNotEqual(self.assay("order", "--backend", self.peer("kahan"), "--size", 12).returncode, 0)

    def test_products_are_rounded_before_they_are_added(self):
        found = self.order(self.peer("numpy"), "--op", "dot", "--size", 16)
        self.assertEqual(found["arithmetic"]["fused"], [False] * 16)
        self.assertEqual((found["equal"], found["trials"]), (100, 100))

    def test_the_reference_is_exact(self):
        for op in ("reduce", "dot", "cumsum", "scatter", "all-reduce", "convolution"):
            self.assertEqual(self.order("reference", "--op", op, "--size", 6)["order"], "exact")

    def test_a_module_of_the_user(self):
        module = self.file("chain.hlo", """HloModule m
ENTRY e {
  x = f32[3] parameter(0)
  a = f32[1] slice(x), slice={[0:1]}
  b = f32[1] slice(x), slice={[1:2]}
  c = f32[1] slice(x), slice={[2:3]}
  s = f32[1] add(b, c)
  t = f32[1] add(s, a)
  ROOT r = f32[2] concatenate(a, t), dimensions={0}
}
""")
        found = self.order("reference", module)
        self.assertEqual(found["brackets"], "(0 (1 2))")
        self.assertEqual((found["equal"], found["trials"]), (100, 100))
        self.assertEqual(self.order("reference", module, "--element", 0)["order"], "one term")

    def test_errors(self):
        self.assert_fails(2, "the order of the sum cannot be seen", "order", "--backend", "reference", self.file(
            "mean.hlo", "HloModule m\nENTRY e { x = f32[] parameter(0) h = f32[] constant(0.5) ROOT r = f32[] multiply(x, h) }"))
        self.assert_fails(2, "--type s32: expected a float type", "order", "--backend", "reference", "--type", "s32")
        self.assert_fails(2, "element 5 of a result of 1 elements", "order", "--backend", "reference", "--element", 5)
        self.assert_fails(2, "the range of f8e4m3fn is too small", "order", "--backend", "reference", "--type", "f8e4m3fn")
