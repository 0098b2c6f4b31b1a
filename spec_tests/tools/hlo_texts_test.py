"""Modules of HLO within other text: logs, files of tests with several modules, messages as text."""

from spec_tests.tools.command_line import CliTest, each

MODULE = """HloModule {name}
ENTRY e {{
  x = s32[] constant({value})
  ROOT y = s32[] {op}(x)
}}
"""
PREFIX = "I0822 12:00:00.000000   77 hlo_pass_pipeline.cc:12] "


def module(name, value, op="negate"):
    """Returns a module whose result is minus the value."""
    return MODULE.format(name=name, value=value, op=op)


def logged(text, first=""):
    """Returns a text as a log has it, with words before its first line."""
    return "".join(f"{PREFIX}{first if i == 0 else ''}{line}\n" for i, line in enumerate(text.splitlines()))


TORCH = """[ScheduleSyncTensorsGraph]
TensorsGraphInfo:
  mark_step (torch_xla.py:12)
Hashes: (abc, def)
## BEGIN_GRAPH
""" + module("IrToHlo.5, entry_computation_layout={()->s32[]}", 3) + """

## END_GRAPH
"""
TABLES = """
FileNames
1 "a.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=2 end_line=2 column=3 end_column=4}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

"""
# Text, and what `assay run` prints.
TEXTS = {
    "a graph of torch_xla": (TORCH, "-3\n"),
    "two graphs": (TORCH + TORCH.replace("(3)", "(4)"), "@IrToHlo.5\n-3\n@IrToHlo.5#2\n-4\n"),
    "a log with a prefix before each line": (
        "Compiling.\n" + logged(module("a", 5), "after simplification: ") + PREFIX + "Done.\n", "-5\n"),
    "a log with the date": (
        "2026-08-22 12:00:00.1: I xla/service/compiler.cc:7] HloModule a\n" + module("a", 6).split("\n", 1)[1], "-6\n"),
    "two modules": (module("a", 1) + module("b", 2), "@a\n-1\n@b\n-2\n"),
    "pieces with and without headers": (
        "// RUN: x\n" + module("a", 1) + "// -----\n" + module("a", 2).split("\n", 1)[1] + "// -----\n" + module("a", 3),
        "@a\n-1\n@#2\n-2\n@a#3\n-3\n"),
    "pieces without headers": (
        "// -----\n".join(module("a", n).split("\n", 1)[1] for n in (1, 2)), "@#1\n-1\n@#2\n-2\n"),
    "a part of a module after the mark of a piece": (
        "HloModule a\nf {\n  p = s32[] parameter(0)\n  ROOT n = s32[] negate(p)\n}\n// -----\n"
        "ENTRY e {\n  c = s32[] constant(7)\n  ROOT r = s32[] call(c), to_apply=f\n}\n", "-7\n"),
    "a header of several lines": (
        module("a,\n  frontend_attributes={k=\"}\"},\n  entry_computation_layout={()->s32[]}", 4)
        .replace("negate(x)", 'negate(x), metadata={op_name="one {\ntwo"} /* {\n } */'), "-4\n"),
    "a head of several lines": (
        "HloModule a\nf {\n  ROOT c = s32[] constant(1)\n}\n%g (p: s32[],\n    q: s32[]) ->\n   (s32[],\n    s32[]) {\n"
        "  %p = s32[] parameter(0)\n  %q = s32[] parameter(1)\n  ROOT t = (s32[], s32[]) tuple(p, q)\n}\n"
        "ENTRY %e ()\n  -> (s32[], s32[]) {\n  x = s32[] call(), to_apply=f\n"
        "  ROOT r = (s32[], s32[]) call(x, x), to_apply=g\n}\n", "( 1, 1 )\n"),
    "a module in an attribute": (
        'HloModule a, origin_recovery_table={\n  {"x"} : {"y"},\n  "\n    HloModule b\n    ENTRY f {\n      '
        'ROOT p = s32[] parameter(0)\n    }\n  "\n}\n' + module("a", 6).split("\n", 1)[1], "-6\n"),
    "a header in a comment and in an attribute": (
        "// HloModule other\n" + module("a", 8).replace("constant(8)", 'constant(8), metadata={op_name="x HloModule y"}'),
        "-8\n"),
    "the tables of a module": (
        module("a", 9).replace("ENTRY", TABLES + "ENTRY"), "-9\n"),
}  # fmt: skip

MESSAGE = """# A comment.
hlo_module {
  name: "m" entry_computation_name: 'e', entry_computation_id: 3
  computations {
    name: "e" id: 3 root_id: 2
    instructions { name: "c" opcode: "constant" id: 1
      shape { element_type: F32 dimensions: [2, 2] layout { minor_to_major: 1 minor_to_major: 0 } }
      literal < shape { element_type: F32 dimensions: 2 dimensions: 2 layout { minor_to_major: [1, 0] } }
                f32s: 1.5 f32s: -0 f32s: [inf, 3e-1f] >
      metadata { op_name: "a\\tb" "\\x41\\101" unknown_field { x: [1, {y: "}"}] } } }
    instructions { name: "n" opcode: "dot" operand_ids: [1, 0x1] id: 2
      shape { element_type: F32 dimensions: 2 dimensions: 2 layout { minor_to_major: 1 minor_to_major: 0 } }
      dot_dimension_numbers { lhs_contracting_dimensions: 1 rhs_contracting_dimensions: 0 }
      precision_config { operand_precision: HIGHEST operand_precision: DEFAULT }
      sharding { type: REPLICATED } }
    program_shape { result { element_type: F32 dimensions: [2, 2] layout { minor_to_major: [1, 0] } } }
  }
  host_program_shape { result { element_type: F32 dimensions: [2, 2] layout { minor_to_major: [1, 0] } } }
}
"""
# An edit of the message, and the error.
WRONG = [
    ("F32 dim", "F33 dim", "line 7, column 32: the field element_type has no value F33"),
    ("1.5", "x", "line 9, column 24: the field f32s has no value x"),
    ('"m"', '"m', "the text has no end"),
    ('"e" id', "3 id", "the field name cannot be 3"),
    ("layout {", "layout [", "line 7, column 75: the field layout cannot be minor_to_major"),
    ("name: 'e'", "name 'e'", "expected ':' or '{'"),
    ('"c" op', '"\\z" op', "unknown escape in a text"),
]


class HloTexts(CliTest):
    @each(TEXTS)
    def test_modules_run(self, text, output):
        self.assertEqual(self.assay("run", self.file("m.txt", text), code=0).stdout, output)

    def test_a_module_after_one_that_is_cut_off(self):
        done = self.assay("run", self.file("m.txt", module("a", 6)[:-2] + module("b", 7)))
        self.assertEqual((done.returncode, done.stdout), (2, "@a\n@b\n-7\n"))
        self.assertIn("m.txt:4:27: error: expected an instruction's name, found the end of the text", done.stderr)

    def test_an_empty_file_lacks_a_module(self):
        done = self.assay("run", self.file("m.hlo", "\n"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("m.hlo:2:1: error: expected HloModule, ENTRY or an instruction, found the end", done.stderr)

    def test_places_are_those_of_the_file(self):
        text = "Compiling.\n" + logged(module("a", 5, "oops"))
        done = self.assay("verify", self.file("m.log", text), code=2)
        self.assertIn(f"m.log:5:{len(PREFIX) + 18}: error: unknown opcode oops", done.stderr)

    def test_a_name_chooses_a_module(self):
        path = self.file("m.hlo", module("a", 1) + module("b", 2) + module("a", 3))
        for name, output in [("a", "-1\n"), ("b", "-2\n"), ("a#3", "-3\n")]:
            self.assertEqual(self.assay("run", path, "--function", name).stdout, output)
        done = self.assay("verify", path, code=0)
        self.assertEqual([line.split(":")[0] for line in done.stdout.splitlines()],
                         [f"{path} @{name}" for name in ("a", "b", "a#3")])  # fmt: skip
        done = self.assay("print", path, code=2)
        self.assertIn("it holds 3 HLO modules, which `assay run` runs: name one of them, such as a, by --function NAME",
                      done.stderr)
        done = self.assay("verify", path, "--function", "c", code=2)
        self.assertIn("no HLO module in it has the name c: there are 3, such as a", done.stderr)

    def test_a_message_as_text(self):
        path = self.file("m.pbtxt", MESSAGE)
        printed = self.assay("print", path)
        self.assertIn('op_name="a\\tbAA"', printed.stdout, printed.stderr)
        self.assertIn("operand_precision={highest,default}, sharding={replicated}", printed.stdout)
        # {{1.5, -0}, {inf, 0.3}} squared.
        done = self.assay("run", path)
        self.assertEqual(done.stdout, "{ { nan, -0 }, { inf, nan } }\n", done.stderr)
        run = self.assay("run", self.file("n.pbtxt", MESSAGE.replace("inf", "2")))
        self.assertEqual(run.stdout, "{ { 2.25, -0 }, { 3.6, 0.09 } }\n", run.stderr)

    def test_a_wrong_message(self):
        for old, new, error in WRONG:
            self.assertIn(old, MESSAGE)
            done = self.assay("verify", self.file("m.pbtxt", MESSAGE.replace(old, new, 1)), code=2)
            self.assertIn(error, done.stderr)
