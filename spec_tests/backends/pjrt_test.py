"""The host of PJRT plugins (backends/pjrt), with a plugin that misbehaves as it is told."""

import json
import re

from peer_test_case import ADD, bits, unary
from pjrt_test_case import PLUGIN, ROOT, PjrtTest

# The functions of the table, in order.
FUNCTIONS = ["PJRT_Error_Destroy", "PJRT_Error_Message", *(f"PJRT_{name}" for name in re.findall(
    r"^ASSAY_\w+\((\w+)", (ROOT / "backends/pjrt/abi/functions.inc").read_text(), re.M))]
# Those that the host calls. No result depends on the first ones, and few modules have the layouts of the last one.
CALLED = {name for file in (ROOT / "backends/pjrt").glob("*.cc")
          for name in re.findall(r"ASSAY_PJRT_CALL\([^,]+, (PJRT_\w+)", file.read_text())}
NEEDED = {name for name in CALLED if not name.endswith("_Destroy")} - {"PJRT_Buffer_GetMemoryLayout"}
TABLE_START = 16 + 24  # the bytes before the first function


HUGE = 2**63
# A behaviour of the plugin on a module with an add, the verdict, and what the reason says.
MISDEEDS = [
    ("abort", "CRASH", "Aborted", "the fake plugin is at its end"),
    ("hang", "TIMEOUT"),
    ("late-hang", "TIMEOUT"),  # an event that never fires
    ("exit", "CRASH", "ended with exit code 0"),
    ("code-3", "ERROR", "PJRT_Client_Compile: INVALID_ARGUMENT: as it was told"),
    ("code-8", "ERROR", "PJRT_Client_Compile: RESOURCE_EXHAUSTED: as it was told"),
    ("code-12", "UNSUPPORTED", "PJRT_Client_Compile: UNIMPLEMENTED: as it was told"),
    ("code-77", "ERROR", "PJRT_Client_Compile: error code 77: as it was told"),
    ("late-code-13", "ERROR", "PJRT_Event_Await: INTERNAL: late, as it was told"),
    ("late-code-12", "UNSUPPORTED", "PJRT_Event_Await: UNIMPLEMENTED: late, as it was told"),
    ("empty-3", "ERROR", "PJRT_Client_Compile: INVALID_ARGUMENT: no message"),
    ("empty-12", "UNSUPPORTED", "PJRT_Client_Compile: UNIMPLEMENTED: no message"),
    (f"size-{HUGE}", "ERROR", "PJRT_Client_Compile: INVALID_ARGUMENT: no message"),
    ("garbled-3", "ERROR", "PJRT_Client_Compile: INVALID_ARGUMENT: bad \ufffd\ufffd bytes"),
    ("old", "UNSUPPORTED", "Unexpected PJRT_Program size: expected 56, got 48"),
    # Wrong answers are protocol errors.
    ("type", "CRASH", "expected f32[2], found type 99[2]"),
    ("dimensions", "CRASH", "expected f32[2], found f32[3,5]"),
    ("dimensions-1", "CRASH", "expected f32[2], found 1 dimensions without an address"),
    (f"dimensions-{HUGE}", "CRASH", f"expected f32[2], found {HUGE} dimensions without an address"),
    ("bytes-of-9", "CRASH", "expected f32[2], found 9 bytes instead of 8"),
    ("bytes-of-0", "CRASH", "expected f32[2], found 0 bytes instead of 8"),
    (f"bytes-of-{HUGE}", "CRASH", f"expected f32[2], found {HUGE} bytes instead of 8"),
    ("results-0", "CRASH", "the plugin's executable must have 1 results, found 0"),
    ("results-2", "CRASH", "the plugin's executable must have 1 results, found 2"),
    (f"results-{HUGE}", "CRASH", f"the plugin's executable must have 1 results, found {HUGE}"),
    ("no-buffers", "CRASH", "expected f32[2], found no buffer"),
    ("no-executable", "CRASH", "PJRT_Client_Compile returned no executable"),
]


class VerdictsTest(PjrtTest):
    def test_an_honest_plugin(self):
        self.assertEqual(self.of_two_cases("")[0], "EXACT")

    def test_the_quick_cases(self):
        """All types, layouts, tuples and devices: the reference behind the plugin gives what the reference gives."""
        self.assert_quick_cases("devices=8")

    def test_prints_of_the_plugin_are_no_replies(self):
        self.assertEqual(self.of_two_cases("behaviour=print")[0], "EXACT")

    def test_a_plugin_that_flushes_subnormals_does_not_make_the_host_do_so(self):
        subnormal = "//! case tiny kept\n//! arg f32[2] x00000001 x80000001\n//! want f32[2] x80000001 x00000001\n"
        self.golden("negate", subnormal + unary("negate"))
        _, cases = self.check("behaviour=flush")
        self.assertEqual(cases["negate/f32/tiny"]["verdict"], "EXACT")

    def test_misdeeds(self):
        for behaviour, verdict, *said in MISDEEDS:
            with self.subTest(behaviour):
                limit = "3" if "hang" in behaviour else "600"
                found, reason = self.of_two_cases(f"behaviour={behaviour}@add", "--timeout", limit)
                self.assertEqual(found, verdict)
                for words in said:
                    self.assertIn(words, reason)

    def test_a_layout_that_the_plugin_passes_over(self):
        layouts = "HloModule m, entry_computation_layout={(f32[1,2]{0,1})->f32[1,2]{0,1}}\n"
        text = "ENTRY e {\n  a = f32[1,2]{0,1} parameter(0)\n  ROOT r = f32[1,2]{0,1} negate(a)\n}\n"
        case = f"//! case columns in columns\n//! arg f32[1,2] {bits(1, 2)}\n//! want f32[1,2] {bits(-1, -2)}\n"
        self.golden("negate", case + layouts + text)
        for behaviour, verdict in (("", "EXACT"), ("behaviour=row-major", "UNSUPPORTED")):
            _, cases = self.check(behaviour)
            self.assertEqual(cases["negate/f32/columns"]["verdict"], verdict)
        _, cases = self.check("behaviour=order@negate")
        self.assertEqual(cases["negate/f32/columns"]["verdict"], "CRASH")
        self.assertIn("the layout {7,7} of the plugin's buffer is no order", cases["negate/f32/columns"]["reason"])

    def test_the_plugin_refuses_what_must_be_refused(self):
        self.assertEqual(self.refused(ADD.replace("ROOT r = f32[2]", "ROOT r = f32[1,2]"), "declared"), "EXACT")

    def test_a_module_that_is_illegal_in_its_text_alone_accuses_nobody(self):
        """A HloModuleProto has no channel_id 0, so the plugin gets a legal module, and runs it."""
        text = "HloModule m\nsum {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n" \
               "  ROOT z = f32[] add(x, y)\n}\nENTRY e {\n  a = f32[2] parameter(0)\n" \
               "  ROOT r = f32[2] all-reduce(a), channel_id=0, to_apply=sum\n}\n"
        self.assertEqual(self.refused(text, "channel_id must be positive"), "EXACT")

    def test_the_adapters_of_xla_decline_by_the_same_messages(self):
        source = (ROOT / "backends/pjrt/plugin.cc").read_text()
        listed = re.search(r"kUnsupportedMessages\[\] = \{(.*?)\}", source, re.S)[1]
        adapter = (ROOT / "backends/adapters/xla_peers/session.py").read_text()
        parts = re.search(r"UNSUPPORTED_MESSAGE = \((.*?)^\)", adapter, re.S | re.M)[1]
        pattern = "".join(re.findall(r'"(.*?)"', parts))
        self.assertEqual(re.findall(r'"(.*?)"', listed), pattern.split("|"))


class EntryTest(PjrtTest):
    """Values that PJRT has no buffers for: tuples as parameters and in results, tokens, and run-time sizes."""

    def exact(self, text, *inputs):
        """Checks that the plugin gives what the reference gives, on seeded inputs or on these."""
        given = ["--inputs", self.file("inputs.json", json.dumps({"inputs": inputs}))] if inputs else ["--seed", "1"]
        self.assert_diff("EXACT", text, inputs=given)

    def test_tuples_and_tokens(self):
        self.exact("""HloModule m
ENTRY e {
  a = (f32[2], (token[], s8[3]), ()) parameter(0)
  b = token[] parameter(1)
  c = f32[2] parameter(2)
  d = f32[2] get-tuple-element(a), index=0
  f = f32[2] subtract(d, c)
  t = token[] after-all(b)
  ROOT r = ((f32[2], (token[], s8[3]), ()), f32[2], token[]) tuple(a, f, t)
}
""")
        self.exact("HloModule m\nENTRY e {\n  ROOT a = token[] parameter(0)\n}\n")

    def test_run_time_sizes(self):
        text = """HloModule m
ENTRY e {
  a = s32[<=4,<=3] parameter(0)
  b = s8[2] parameter(1)
  n = s32[] get-dimension-size(a), dimensions={1}
  c = s32[<=4,<=3] negate(a)
  t = (s8[2], s32[]) tuple(b, n)
  ROOT r = (s32[<=4,<=3], (s8[2], s32[]), s32[<=4,<=3]) tuple(c, t, a)
}
"""
        small = {"shape": "s32[1,2]", "data_hex": "0700000009000000"}
        self.exact(text, small, {"shape": "s8[2]", "data_hex": "0102"})
        self.exact(text, {"shape": "s32[4,3]", "data_hex": "07000000" * 12}, {"shape": "s8[2]", "data_hex": "0102"})
        self.exact(text, {"shape": "s32[0,3]", "data_hex": ""}, {"shape": "s8[2]", "data_hex": "0102"})
        text = "HloModule m\nENTRY e {\n  a = s32[<=4] parameter(0)\n  ROOT r = s32[<=4] negate(a)\n}\n"
        self.exact(text, {"shape": "s32[3]", "data_hex": "070000000900000001000000"})

    def test_run_time_sizes_beyond_the_bound(self):
        """Sizes that only the host asks for: the nearest legal one counts."""
        header = "HloModule m\nENTRY e {\n  a = s32[2] parameter(0)\n  b = s32[] parameter(1)\n"
        text = header + "  ROOT r = s32[<=2] set-dimension-size(a, b), dimensions={0}\n}\n"
        case = "//! case whole at most the bound\n//! arg s32[2] 7 9\n//! arg s32[] {}\n//! want s32[{}] {}\n"
        for size, want in ((2**31 - 1, (2, "7 9")), (-5, (0, ""))):
            self.golden("set-dimension-size", case.format(2 if size > 0 else 0, *want) + text)
            _, cases = self.check(f"behaviour=sizes-{size}")
            self.assertEqual(cases["set-dimension-size/f32/whole"]["verdict"], "EXACT")

    def test_header_attributes_that_number_the_values(self):
        text = "HloModule m, input_output_alias={ {0}: (0, {0}, may-alias) }\nENTRY e {\n" \
               "  a = (f32[2]) parameter(0)\n  b = f32[2] get-tuple-element(a), index=0\n" \
               "  c = f32[2] negate(b)\n  ROOT r = (f32[2]) tuple(c)\n}\n"
        self.assertIn("input_output_alias of a module whose entry has tuples", self.assert_diff("UNSUPPORTED", text))

    def test_illegal_modules_reach_the_plugin_as_they_are(self):
        text = "HloModule m\nENTRY e {\n  a = token[] parameter(0)\n  ROOT r = f32[] add(a, a)\n}\n"
        self.assertEqual(self.refused(text, "operand 0 of add cannot be token"), "EXACT")


class PassesTest(PjrtTest):
    """The compiler's passes, where the plugin's platform is one of XLA's."""

    SUBTRACT = ADD.replace("add(a, b)", "subtract(a, b)")

    def blame(self, options, *further, code=None):
        return self.assay("blame", self.module(self.SUBTRACT), "--backend", self.peer(options), "--seed", "1", *further,
                          code=code)

    def test_the_pass_that_is_wrong(self):
        run = self.blame("platform=cpu", code=1)
        self.assertIn("what swap changes:", run.stdout)
        self.assertRegex(run.stdout, r"(?s)- +ROOT %r = \S+ subtract\(%a, %b\).*\+ +ROOT %r = .{,20}subtract\(%b, %a\)")
        self.assertIn("by the reference, the module has another value after it", run.stdout)
        self.assertIn("without swap it is right", self.blame("platform=cpu", "--pass", "swap").stdout)

    def test_passes_that_the_command_line_disables_stay_disabled(self):
        for setting, begin in (("swap", "EXACT"), ("other,swap", "EXACT"), ("other", "FAIL")):
            self.assert_diff(begin, self.SUBTRACT, f"platform=cpu;xla_disable_hlo_passes={setting}")
        self.assertIn("what swap changes:", self.blame("platform=cpu;xla_disable_hlo_passes=other").stdout)

    def test_a_platform_without_known_passes(self):
        self.assertIn("fake_pjrt takes no options for its compiler", self.blame("behaviour=type", code=3).stderr)


class DevicesTest(PjrtTest):
    def test_the_client_has_as_many_as_it_says(self):
        case = "//! case both for each device its number\n//! want u32[] 0\n//! want u32[] 1\n"
        module = "HloModule m, num_partitions=2\nENTRY e {\n  ROOT r = u32[] partition-id()\n}\n"
        self.golden("partition-id", case + module)
        for devices, verdict in ((1, "UNSUPPORTED"), (2, "EXACT")):
            _, cases = self.check(f"devices={devices}")
            self.assertEqual(cases["partition-id/f32/both"]["verdict"], verdict)


class RefusalsTest(PjrtTest):
    def test_a_file_that_is_no_plugin_is_an_error(self):
        self.assertIn("there is no such file", self.refusal("/nonexistent.so"))
        self.assertIn("invalid ELF header", self.refusal(ROOT / "backends.json"))
        self.assertIn("it has no function GetPjrtApi", self.refusal("/lib/x86_64-linux-gnu/libm.so.6"))

    def test_versions(self):
        refused = "its version of PJRT is {}, and assay's host of version 0.114 takes 0.29 and later"
        self.assertIn(refused.format("0.20"), self.refusal(PLUGIN, "version-0.20"))
        self.assertIn(refused.format("1.114"), self.refusal(PLUGIN, "version-1.114"))
        self.assertIn(refused.format("0.0"), self.refusal(PLUGIN, "version-0.0"))
        self.assertIn("0.56, whose functions have an order of their own", self.refusal(PLUGIN, "version-0.56"))
        for table in ("version-0.29", "version-0.57", "version-0.1000", "size-100000"):
            self.has_table(table)
            self.assay("run", self.module(), "--backend", self.peer(""), "--seed", "1", code=0)

    def test_types_that_a_version_does_not_have(self):
        """A plugin of an old version never sees the number of a newer type."""
        for minor, types in (("29", []), ("55", ["s2"]), ("63", ["s2", "f4e2m1fn"]), ("94", ["s2", "f4e2m1fn", "u1"]),
                             ("113", ["s2", "f4e2m1fn", "u1"]), ("114", ["s2", "f4e2m1fn", "u1", "f6e2m3fn"])):
            self.has_table(f"version-0.{minor}")
            for name in ("s4", "f8e4m3fn", "s2", "f4e2m1fn", "u1", "f6e2m3fn"):
                with self.subTest(minor=minor, type=name):
                    known = name in (*types, "s4", "f8e4m3fn")
                    said = self.assert_diff("EXACT" if known else "UNSUPPORTED", unary("copy").replace("f32", name))
                    self.assertEqual(f"{name} is not among the types" in said, not known)

    def test_missing_functions(self):
        """Without a function, by a null or by a shorter table, the plugin is unusable, or the cases are ERROR."""
        self.assertIn("its GetPjrtApi returns no table", self.refusal(PLUGIN, "none"))
        self.assertIn("its table of functions must have at least 40 bytes, found 39", self.refusal(PLUGIN, "size-39"))
        self.assertEqual(len(FUNCTIONS), 138)
        self.assertGreater(len(NEEDED), 15)
        self.two_cases()
        for function in NEEDED:
            number = FUNCTIONS.index(function)
            for table in (f"null-{number}", f"size-{TABLE_START + 8 * number}"):
                with self.subTest(function=function, table=table):
                    self.has_table(table)
                    run = self.assay("check", "--backend", self.peer(""), "--corpus", self.folder / "corpus",
                                     "--jobs", "1")
                    self.assertIn("has no function PJRT_", run.stdout + run.stderr)
                    if table.startswith("null"):
                        self.assertIn(f"has no function {function}", run.stdout + run.stderr)
                    self.assertNotRegex(run.stdout, "EXACT|CRASH")
                    self.assertIn(run.returncode, (1, 3))

    def test_errors_without_functions_for_them(self):
        self.two_cases()
        for function, said in (("Destroy", "INVALID_ARGUMENT: as it was told"), ("GetCode", "UNKNOWN: as it was told"),
                               ("Message", "INVALID_ARGUMENT: no message")):
            self.has_table(f"null-{FUNCTIONS.index(f'PJRT_Error_{function}')}")
            _, cases = self.check("behaviour=code-3@add")
            self.assertEqual(cases["add/f32/first"]["verdict"], "ERROR")
            self.assertIn(said, cases["add/f32/first"]["reason"])

    def test_options(self):
        for value, kind, size in (("fast", 0, 4), ("-1", 1, 1), ("1,2,3", 2, 3), ("0.5", 3, 1), ("true", 4, 1)):
            said = f"PJRT_Client_Create: INVALID_ARGUMENT: no option speed of type {kind} and size {size}"
            self.assertIn(said, self.refusal(f"{PLUGIN}:devices=2;speed={value}"))
        # The compiler's, of which the client hears nothing.
        self.two_cases()
        self.assertEqual(self.check("xla_cpu_enable_fast_math=false")[0].returncode, 0)
        run = self.assay("run", self.module(), "--backend", f"pjrt:{PLUGIN}:speed", "--seed", "1")
        self.assertIn("an option must be OPTION=VALUE, found 'speed'", run.stderr)
        self.assert_fails(2, "expected pjrt:FILE[:OPTION=VALUE;...]", "run", self.module(), "--backend", "pjrt")
