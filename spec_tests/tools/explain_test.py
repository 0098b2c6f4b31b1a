"""`assay explain` prints the numbers that docs/verdicts.md derives, worked out here by hand. ASSAY names the executable."""

from command_line import ROOT, CliTest, each, peer

PEER = """
import struct, time
(value,) = message["inputs"][0]
data = bytes.fromhex(value["data_hex"])
numbers = [-x for x in struct.unpack(f"<{len(data) // 4}f", data)]
result = [struct.unpack("<I", struct.pack("<f", x))[0] for x in numbers]
reply = {"status": "unsupported", "message": "no"}
try:
    result = NEGATE
    if result is not None:
        data_hex = struct.pack(f"<{len(result)}I", *result).hex()
        reply = {"status": "ok", "outputs": [{"shape": value["shape"], "data_hex": data_hex}]}
except ArithmeticError as error:
    reply = {"status": "error", "message": str(error)}
"""


class ExplainTest(CliTest):
    def module(self, *lines):
        return self.file("m.hlo", "\n".join(["HloModule m", "ENTRY e {", *lines, "}"]))

    def test_elements_past_the_run_time_sizes_are_not_there(self):
        module = self.module("  a = f32[8] parameter(0)", "  n = s32[] parameter(1)",
                             "  b = f32[<=8] set-dimension-size(a, n), dimensions={0}",
                             "  ROOT c = f32[<=8] negate(b)")  # fmt: skip
        values = ["--input", "f32[8] {1, 2, 3, 4, 5, 6, 7, 8}", "--input", "s32[] 3", "--profile", "ftz"]
        self.assertIn("element [2]: want", self.explained(module, *values, "--element", "2"))
        run = self.explain(module, *values, "--element", "3", code=2)
        self.assertIn("element 3 is beyond the sizes at run time", run.stderr)

    def explain(self, *arguments, code=0):
        return self.assay("explain", *arguments, cwd=ROOT, code=code)

    def explained(self, *arguments):
        return self.explain(*arguments).stdout

    def test_values_that_no_order_rounds(self):
        fold = ("HloModule m", "f {", "a = f32[] parameter(0)", "b = f32[] parameter(1)", "ROOT s = f32[] OP(a, b)", "}",
                "ENTRY e {", "x = f32[N] parameter(0)", "z = f32[] constant(INIT)",
                "ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f", "}")  # fmt: skip
        dot = ("HloModule m", "ENTRY e {", "x = f32[N] parameter(0)",
               "ROOT r = f32[] dot(x, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}", "}")
        for lines, op, init, numbers, says in (
            (fold, "add", "0", [1, 2, -4], "no addition of this sum rounds, in any order: only -1, rounded once, is accepted"),
            # 0.1 and 0.3 are 13421773 units of 2^-27 and 10066330 of 2^-25.
            (fold, "add", "0.3", [0.1], "two terms have one sum, rounded once: only 0.40000001341104507, rounded once"),
            (fold, "add", "0", [0.1], "one term is the sum: only 0.10000000149011612, rounded once"),
            (fold, "add", "0", [0.1, 0.2], "two terms have one sum, rounded once: only 0.30000000447034836"),
            (fold, "add", "0", [0.1, 0.2, 0.4], "accepted: 0.69999"),
            (fold, "multiply", "1", [3], "two factors have one product, rounded once: only 3 is accepted"),
            (dot, "", "", [0.1], "one product has one rounding: only 0.0100000007"),  # 0.01000000029802 to 24 bits
        ):  # fmt: skip
            with self.subTest(op=op, numbers=numbers):
                text = "\n".join(lines).replace("OP", op).replace("N]", f"{len(numbers)}]").replace("INIT", init)
                values = f"f32[{len(numbers)}] {{{', '.join(map(str, numbers))}}}"
                explained = self.explained(self.file("fold.hlo", text), "--input", values)
                self.assertIn(says, explained)
                self.assertEqual("accepted: " in explained, says.startswith("accepted: "), explained)

    def test_a_function(self):
        module = self.module("x = f32[2] parameter(0)", "ROOT r = f32[2] tanh(x)")
        text = self.explained(module, "--input", "f32[2] {0.5, 10}")
        # tanh(1/2) = 0.46211715726000975, units of 2^-25, five of them to either side: 1.490e-7.
        self.assertIn("element [0]: want x3eec9a9f", text)
        self.assertIn("ulp: 5 units in the last place (OpenCL C 3.0", text)
        self.assertIn("exact value 0.462117157260009", text)
        self.assertIn("unit in the last place 2.98023e-08", text)
        self.assertIn("accepted: 0.462117008248", text)
        self.assertIn("the range of the function, -1 to 1", text)
        self.assertIn("element [1]: want x3f800000 (1)", text)
        closed = self.explained(module, "--input", "f32[2] {0.5, 10}", "--profile", "ieee")
        self.assertIn("exact: only these bits", closed)
        self.assertNotIn("units in the last place", closed)

    def test_computations_that_the_root_calls_are_explained(self):
        inner = "inner { y = f32[2] parameter(0)\n ROOT t = f32[2] tanh(y) }\n"
        outer = ("outer { x = f32[2] parameter(0)\n n = f32[2] negate(x)\n c = f32[2] call(n), to_apply=inner\n"
                 " ROOT o = (f32[2], f32[2]) tuple(c, n) }\n")
        path = self.file("jit.hlo", "HloModule jit\n" + inner + outer +
                        "ENTRY e { unused = f32[] parameter(0)\n x = f32[2] parameter(1)\n"
                        " c = (f32[2], f32[2]) call(x), to_apply=outer\n"
                        " first = f32[2] get-tuple-element(c), index=0\n f = f32[2] fusion(first), kind=kLoop, calls=inner\n"
                        " ROOT r = (f32[2], (f32[2], f32[2]), f32[2]) tuple(first, c, f) }")
        values = ("--input", "f32[] 0", "--input", "f32[2] {-0.5, -10}")
        text = self.explained(path, *values)
        # Three functions and a negation, of which tanh stands in line 3; no call is left without a rule.
        self.assertEqual(text.count("line 3: "), 2, text)
        self.assertIn("ulp: 5 units in the last place (OpenCL C 3.0", text)
        self.assertIn("element [0]: want x3eec9a9f", text)
        self.assertNotIn("no bound is derived", text)
        run = self.explain(path, *values, "--backend", "reference", "--element", "4")
        self.assertIn(f"\nEXACT: {path} on reference", run.stdout)
        self.assertEqual(run.stdout.count("\n  got "), 1)

    def test_a_sum(self):
        module = self.module("a = f32[3] parameter(0)", "b = f32[3] parameter(1)",
                             "ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}")
        text = self.explained(module, "--input", "f32[3] {1, 1, -1}", "--input", "f32[3] {1.5000001, 2, 4}", "--profile", "ieee")
        # 3 products of magnitudes 1.5, 2, 4; 5 u 7.5 = 37.5 / 2^24 = 2.23517e-6 around -0.49999988.
        for step in ("n = 3 terms", "sum|terms| = 7.5,", "u = 5.96e-08", "= 2.23517418e-06", "accepted: -0.500002115"):
            self.assertIn(step, text)
        # With flush open also seven least normal numbers, which do not show.
        flushed = self.explained(module, "--input", "f32[3] {1, 1, -1}", "--input", "f32[3] {1.5000001, 2, 4}")
        self.assertIn("(2n + 1) least normal numbers", flushed)

    def test_a_backend_is_shown_beside_it(self):
        text = self.explained("tanh/f32/specials", "--backend", "reference")
        self.assertIn("golden/tanh/f32.hlo", text)
        self.assertEqual(text.count("  got "), 8)
        self.assertIn("\nEXACT: 8 elements, 0 not exact", text)

    def peer(self, negate):
        """Computes one negate of f32, as an expression says, and nothing else."""
        return self.backend_of(peer(PEER.replace("NEGATE", negate), "small"))

    def test_the_verdict_is_that_of_the_whole_module(self):
        # The floor of the mutant is wrong, and the tuple has the exponential beside it.
        module = self.module("x = f32[2] parameter(0)", "y = f32[2] exponential(x)", "z = f32[2] floor(x)",
                             "t = (f32[2], f32[2]) tuple(y, x)", "g = f32[2] get-tuple-element(t), index=0",
                             "ROOT r = (f32[2], (f32[2], f32[2])) tuple(z, t)")
        arguments = (module, "--input", "f32[2] {-0.5, 1.5}", "--backend", "mutant:floor_truncates")
        run = self.explain(*arguments, code=1)
        self.assertIn(f"\nFAIL: {module} on mutant:", run.stdout)
        blamed, exponential = run.stdout.split("\nline ")[1:]
        self.assertTrue(blamed.startswith("5: %z = f32[2]{0} floor(%x)"), blamed)
        self.assertIn("  <- FAIL: nothing may round on the way: one value is right\n", blamed)
        self.assertIn("element [1] (--element 3): want", exponential)
        self.assertNotIn("<-", exponential)
        self.assertIn("note: elements 4 to 5 are those of line 3", exponential)
        # A single element has the verdict of the module too.
        run = self.explain(*arguments, "--element", "2", code=1)
        self.assertEqual(run.stdout.count("\nelement "), 1)

    def test_devices(self):
        path = self.file("m.hlo", (
            "HloModule m, replica_count=2\nsum { a = f32[] parameter(0)\nb = f32[] parameter(1)\n"
            "ROOT r = f32[] add(a, b) }\nENTRY e { x = f32[2] parameter(0)\ny = f32[2] negate(x)\n"
            "s = f32[2] all-reduce(y), replica_groups={{0,1}}, to_apply=sum\n"
            "ROOT r = (f32[2], f32[2]) tuple(s, y) }\n"))  # fmt: skip
        text = self.explained(path, "--input", "f32[2] {1, 2}", "--backend", "reference")
        reduce, negate = text.split("\nline ")[1:]
        self.assertIn("element (0)[1] (--element 1): want xc0800000 (-4)", reduce)
        self.assertIn("element (1)[1] (--element 3): want xc0800000 (-4)", reduce)
        self.assertIn("element [1] (--element 5): want xc0000000 (-2)", negate)
        self.assertTrue(text[text.index("\nEXACT: ") :].startswith(f"\nEXACT: {path} on reference"), text)
        self.assertIn("  outputs: 8 elements, 0 not equal to the last bit\n", text)

    def test_results_judged_through_other_instructions(self):
        path = self.file("m.hlo", (
            "HloModule m\nless { p = (f32[]) parameter(0)\nx = f32[] get-tuple-element(p), index=0\n"
            "n = f32[] constant(9)\nROOT c = pred[] compare(x, n), direction=LT }\n"
            "twice { p = (f32[]) parameter(0)\nx = f32[] get-tuple-element(p), index=0\ny = f32[] add(x, x)\n"
            "ROOT r = (f32[]) tuple(y) }\nENTRY e { x = f32[] parameter(0)\nt = (f32[]) tuple(x)\n"
            "ROOT w = (f32[]) while(t), condition=less, body=twice }\n"))  # fmt: skip
        self.assertIn("element (0)[]: want x41400000 (12)\n  called: ", self.explained(path, "--input", "f32[] 3"))
        text = self.explained(path, "--input", "f32[] 3", "--backend", "reference")
        self.assertIn("element (0)[]: want x41400000 (12)\n  called: ", text)
        self.assertIn("\n  got x41400000 (12)\n", text)

    def test_a_backend_without_an_answer_has_a_verdict_too(self):
        module = self.module("x = f32[2] parameter(0)", "ROOT r = f32[2] negate(x)")
        for negate, code, verdict in (("exit()", 1, "CRASH"), ("1 / 0", 1, "ERROR"), ("None", 0, "UNSUPPORTED"),
                                      ("time.sleep(100)", 1, "TIMEOUT")):  # fmt: skip
            with self.subTest(verdict):
                # Only a peer that sleeps reaches its time limit, however slow the machine is.
                timeout = "2" if "sleep" in negate else "600"
                run = self.explain(module, "--backend", self.peer(negate), "--timeout", timeout, code=code)
                self.assertEqual(run.stderr, "note: no inputs given; made from seed 0\n")
                self.assertIn("exact: only these bits", run.stdout)
                self.assertIn(f"\n{verdict}: {module} on small 1\n", run.stdout)

    def test_one_element_of_many(self):
        module = self.module("x = f32[2,50] parameter(0)", "ROOT r = f32[2,50] exponential(x)")
        self.assertIn("and 92 more elements", self.explained(module))
        self.assertIn("element [1,49] (--element 99): want", self.explained(module, "--element", "99"))
        run = self.explain(module, "--element", "100", code=2)
        self.assertEqual(run.stdout, "")
        self.assertIn("has 100 elements, so there is no element 100", run.stderr)

    def test_other_rules(self):
        sort = (
            "HloModule m\nless { a = s32[] parameter(0)\nb = s32[] parameter(1)\n"
            "ROOT r = pred[] compare(a, b), direction=LT }\nENTRY e { x = s32[3] parameter(0)\n"
            "ROOT r = s32[3] sort(x), dimensions={0}, to_apply=less }\n"
        )
        self.assertIn("rows that it cannot tell apart may swap", self.explained(self.file("sort.hlo", sort)))
        fft = self.module("x = c64[4] parameter(0)", "ROOT r = c64[4] fft(x), fft_type=FFT, fft_length={4}")
        self.assertIn("transform: N = 4 points", self.explained(fft))
        copied = self.module("x = f32[1] parameter(0)", "ROOT r = f32[1] copy(x)")
        flushed = "flush: the result may also be x00000000 (0), judged by the same rule"
        self.assertIn(flushed, self.explained(copied, "--input", "f32[1] {1e-45}"))
        product = self.module("x = f32[1] parameter(0)", "ROOT r = f32[1] multiply(x, x)")
        self.assertIn("flush is open: subnormal", self.explained(product, "--input", "f32[1] {1e-20}"))
        self.assertNotIn("flush", self.explained(product, "--input", "f32[1] {1}"))

    @each([
        (["no/such/case"], "neither a file nor the name of a case"),
        (["tanh/f32/special"], "did you mean tanh/f32/specials?"),
        (["tanh/f32/none"], "; there are tanh/f32/specials, tanh/f32/"),
        (["tanh/f32/specials", "--profile", "loose"], "loose"),
        (["tanh/f32/specials", "--backend", "nobody"], "unknown backend nobody"),
    ])
    def test_cases_and_elements_that_do_not_exist(self, arguments, message):
        run = self.explain(*arguments, code=2)
        self.assertEqual(run.stdout, "")
        self.assertIn(message, run.stderr)
