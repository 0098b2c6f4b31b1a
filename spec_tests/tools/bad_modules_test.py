"""Modules that are wrong, huge or cut off, on the command line: one message with a place, and never a crash."""


import numpy as np
from command_line import ADD, CliTest, entry, passing

class ModuleTextTest(CliTest):
    def assert_illegal(self, text, message, commands=("run", "verify")):
        path = self.file("m.hlo", text)
        for command in commands:
            with self.subTest(command=command):
                self.assert_fails(2, message, command, path)

    def test_every_cut_of_a_module_is_an_error_with_a_place(self):
        text = ADD.rstrip()
        for length in range(len(text)):
            with self.subTest(length=length):
                path = self.file("cut.hlo", text[:length])
                self.assert_fails(2, f"{path}:", "verify", path)

    def test_bytes_of_no_meaning(self):
        generator = np.random.default_rng(7)
        for _ in range(20):
            self.assert_illegal(generator.bytes(3000), "error: ", ("print", "verify"))

    def test_nul_bytes(self):
        for at in (0, 5, 12, 30, 60):
            self.assert_illegal(ADD[:at] + "\0" + ADD[at:], "error: ", ("print", "verify"))

    def test_deep_nesting(self):
        n = 100_000
        for text in ("{" * n, entry(f"ROOT a = {'(' * n}f32[]{')' * n} parameter(0)"),
                     entry(f"ROOT a = f32[2] constant({'{' * n}1{'}' * n})"),
                     entry(f"ROOT a = f32[2] parameter(0), sharding={'{' * n}{'}' * n}"),
                     entry(f"ROOT a = f32[2] parameter(0), frontend_attributes={'{' * n}{'}' * n}"),
                     entry(f"ROOT a = f32[2] add{'(' * n}"),
                     "HloModule m, entry_computation_layout={" + "(" * n + "\n" + ADD.partition("\n")[2]):
            with self.subTest(text=text[:80]):
                self.assert_illegal(text, "error: ", ("print", "verify"))

    def test_a_long_module_is_no_error(self):
        lines = ["a0 = f32[] parameter(0)", *(f"a{i} = f32[] negate(a{i - 1})" for i in range(1, 20_001))]
        lines[-1] = "ROOT " + lines[-1]
        result = self.assay("run", self.file("long.hlo", entry(*lines)), "--input", "f32[] 1.5")
        self.assertEqual((result.returncode, result.stdout), (0, "1.5\n"))

    def test_every_broken_rule_is_listed(self):
        path = self.file("m.hlo", entry("a = f32[2] parameter(0)", "b = f32[3] negate(a)", "ROOT c = f32[4] negate(a)"))
        result = self.assay("verify", path, code=2)
        self.assertIn(f"{path}:4:", result.stderr)
        self.assertIn(f"{path}:5:", result.stderr)

    def test_place_source_line_and_caret(self):
        path = self.file("m.hlo", entry("a = f32[2] parameter(0)", "ROOT b = f32[3] negate(a)"))
        first, line, caret, *rest = self.assay("verify", path).stderr.splitlines()
        self.assertTrue(first.startswith(f"{path}:4:6: error: "), first)
        self.assertEqual(line, "ROOT b = f32[3] negate(a)")
        self.assertEqual(caret, "     ^")
        self.assertEqual(rest, [])

    def test_deep_and_doubling_calls(self):
        def calls(depth, times):
            text = "HloModule m\nc_0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n"
            for i in range(1, depth):
                body = "".join(f"r{k + 1} = f32[] call(r{k}), to_apply=c_{i - 1}\n" for k in range(times))
                text += f"c_{i} {{\n r0 = f32[] parameter(0)\n{body} ROOT r = f32[] copy(r{times})\n}}\n"
            return text

        deep = calls(100_000, 1) + "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=c_99999 }"
        self.assert_fails(4, "call each other", "run", self.file("deep.hlo", deep), "--input", "f32[] 1")
        # 2^59 calls: the steps run out, and nothing else does before.
        doubling = calls(60, 2)
        for shape, opcode in (("f32[]", "call(p)"), ("f32[3]", "map(p), dimensions={0}")):
            uses = f"p = {shape} parameter(0)\nROOT r = {shape} {opcode}, to_apply=c_59"
            path = self.file("doubling.hlo", doubling + "ENTRY e {\n" + uses + "\n}")
            self.assert_fails(4, "step limit", "run", path, "--step-limit", "100000")


class LimitsTest(CliTest):
    def test_arrays_beyond_the_memory_limit(self):
        huge = "f32[1000000000000]"
        for text in (passing(huge), entry(f"ROOT a = {huge} constant({{...}})"),
                     entry(f"ROOT a = {huge} iota(), iota_dimension=0"),
                     entry("c = f32[] constant(1)", f"ROOT a = {huge} broadcast(c), dimensions={{}}"),
                     entry("ROOT a = u8[5000000000] constant({...})"), entry(f"ROOT a = ({huge}, f32[]) parameter(0)")):
            with self.subTest(text=text):
                self.assert_fails(4, "memory limit of 4 GiB", "run", self.file("m.hlo", text))

    def test_sizes_beyond_64_bits(self):
        path = self.file("m.hlo", passing("f32[1000000000000,1000000000000,1000000000000]"))
        self.assertIn(self.assay("run", path).returncode, (2, 4))
        self.assert_fails(2, "64 bits", "run", self.file("m.hlo", passing("f32[99999999999999999999]")))

    def test_a_listed_constant_of_huge_shape(self):
        path = self.file("m.hlo", entry("ROOT a = f32[1000000000000] constant({1, 2})"))
        self.assert_fails(2, "the literal has 2", "run", path)

    def test_verify_and_print_make_no_values(self):
        path = self.file("m.hlo", entry("ROOT a = f32[1000000000000] constant({...})"))
        self.assertEqual(self.assay("verify", path).returncode, 0)
        self.assertEqual(self.assay("print", path).returncode, 0)

    def test_memory_limit(self):
        path = self.file("m.hlo", entry("c = f32[] constant(1)", "ROOT a = f32[1000] broadcast(c), dimensions={}"))
        self.assert_fails(4, "memory limit of 1 KiB", "run", path, "--memory-limit", "1KiB")
        self.assertEqual(self.assay("run", path, "--memory-limit", "1MiB").returncode, 0)

    def test_step_limit(self):
        self.assert_fails(4, "step limit: 1000", "run", self.endless(), "--step-limit", "1000")

    def test_time_limit(self):
        self.assert_fails(4, "time limit of 0.2 s", "run", self.endless(), "--time-limit", "0.2")
