"""The formats in which the host of PJRT plugins (backends/pjrt) sends modules."""

from peer_test_case import ADD, unary
from pjrt_test_case import PjrtTest


class FormatTest(PjrtTest):
    """The formats in which plugins compile: hlo, and mlir for those that refuse it."""

    def test_a_plugin_that_refuses_hlo_gets_mlir(self):
        for refusal in ("mlir", "iree"):
            with self.subTest(refusal):
                self.assertEqual(self.of_two_cases(f"behaviour={refusal}")[0], "EXACT")
                # Its results are its own.
                self.assertEqual(self.of_two_cases(f"behaviour={refusal},wrong@add")[0], "FAIL")

    def test_a_format_that_the_user_chose_stays(self):
        unknown = "does not compile the format {0}: PJRT_Client_Compile: INVALID_ARGUMENT: Unknown program format '{0}'."
        for options, said in (
            ("behaviour=mlir;format=hlo", unknown.format("hlo")),
            ("format=mlir", unknown.format("mlir")),
            ("behaviour=no-format", unknown.format("mlir")),
        ):
            with self.subTest(options):
                self.two_cases()
                for case in self.check(options)[1].values():
                    self.assertEqual(case["verdict"], "UNSUPPORTED")
                    self.assertIn(said, case["reason"])
        self.two_cases()
        _, cases = self.check("behaviour=mlir;format=mlir")
        self.assertEqual({case["verdict"] for case in cases.values()}, {"EXACT"})
        run = self.assay("run", self.module(), "--backend", self.peer("format=proto"), "--seed", "1")
        self.assertIn("pjrt: format must be hlo or mlir, found 'proto'", run.stderr)

    def test_the_quick_cases_as_stablehlo(self):
        """Tuples, tokens, run-time sizes, layouts and partitions: the plugin gets the same values in both formats."""
        self.assert_quick_cases("devices=8;behaviour=mlir")

    def test_layouts_of_the_entry(self):
        """StableHLO has none: the plugin's arrays are in row-major order, and no value changes."""
        text = "HloModule m, entry_computation_layout={(f32[2,3]{0,1})->f32[3,2]{0,1}}\n" \
               "ENTRY e {\n  a = f32[2,3]{0,1} parameter(0)\n" \
               "  ROOT r = f32[3,2]{0,1} transpose(a), dimensions={1,0}\n}\n"
        for behaviour in ("behaviour=mlir", "behaviour=mlir,row-major"):
            self.assert_diff("EXACT", text, behaviour)

    def test_each_partition_runs_the_module(self):
        module = "HloModule m, num_partitions=2\nENTRY e {\n  a = u32[] parameter(0)\n  p = u32[] partition-id()\n" \
                 "  s = u32[] add(a, p)\n  ROOT r = (u32[], u32[]) tuple(s, a)\n}\n"
        values = ["arg u32[] 5", "arg u32[] 7", "want u32[] 5", "want u32[] 5", "want u32[] 8", "want u32[] 7"]
        self.golden("partition-id", "\n//! ".join(["//! case both for each its number", *values]) + "\n" + module)
        _, cases = self.check("devices=2;behaviour=mlir")
        self.assertEqual(cases["partition-id/f32/both"]["verdict"], "EXACT")

    def test_a_module_that_stablehlo_cannot_express_is_unsupported(self):
        for text, said in (
            (unary("copy").replace("f32", "u1"), "parameter: StableHLO has no type u1"),
            ("HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  b = u32[2] parameter(1)\n"
             "  ROOT r = bf16[2] stochastic-convert(a, b)\n}\n", "stochastic-convert: StableHLO has no such operation"),
        ):
            self.assertIn(f"the module cannot be written as StableHLO: {said}",
                          self.assert_diff("UNSUPPORTED", text, "behaviour=mlir"))

    def test_an_illegal_module_is_not_sent_as_stablehlo(self):
        illegal = ADD.replace("ROOT r = f32[2]", "ROOT r = f32[1,2]")
        self.assertEqual(self.refused(illegal, "declared", "behaviour=mlir"), "UNSUPPORTED")
