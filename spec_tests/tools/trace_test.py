"""`assay trace` on the command line: what it prints and writes, and what it refuses."""

import json

import numpy as np
from command_line import CliTest, each

LOOP = """HloModule loop

FileNames
1 "model.py"

FunctionNames
1 "step"

FileLocations
1 {file_name_id=1 function_name_id=1 line=12 end_line=12 column=3 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

below {
  p = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(9)
  ROOT less = pred[] compare(i, n), direction=LT
}

next {
  p = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[2] get-tuple-element(p), index=1
  one = s32[] constant(1)
  more = s32[] add(i, one)
  square = f32[2] multiply(x, x)
  rest = f32[2] subtract(square, x), metadata={op_name="jit(f)/sub" stack_frame_id=1}
  ROOT t = (s32[], f32[2]) tuple(more, rest)
}

ENTRY e {
  zero = s32[] constant(0)
  start = f32[2] parameter(0)
  pair = (s32[], f32[2]) tuple(zero, start)
  ROOT w = (s32[], f32[2]) while(pair), condition=below, body=next
}
"""


class TraceTest(CliTest):
    def setUp(self):
        super().setUp()
        self.file("loop.hlo", LOOP)

    def trace(self, *arguments, code=0):
        run = self.assay("trace", *arguments, cwd=self.folder, code=code)
        return run.stderr if code > 1 else run.stdout

    def test_names_the_instruction_its_operands_iteration_and_source(self):
        # 3, 6, 30, 870, ...: the square of the seventh number overflows, and the next one is infinity minus infinity.
        out = self.trace("loop.hlo", "--first", "nan", "--input", "{2, 3}", code=1)
        self.assertEqual(out.splitlines(),
                         ["nan: line 29: %rest = f32[2]{0} subtract(%square, %x)",
                          "  element [1] = x7fc00000 (nan); 1 of 2 elements; executed instruction 39",
                          "  operands: square[1] = x7f800000 (inf), x[1] = x7f800000 (inf)",
                          "  in: next of w (line 37), iteration 7", "  source: model.py:12 (jit(f)/sub)",
                          "  in the results: 1 of 2 elements"])

    def test_names_nothing_where_there_is_nothing(self):
        out = self.trace("loop.hlo", "--input", "{2, 2}")
        self.assertEqual(out, "nan: made by none of 48 executed instructions\n  in the results: 0 of 2 elements\n")

    def test_first_is_a_gate(self):
        self.trace("loop.hlo", "--first", "nan", "--input", "{2, 2}")
        # The results hold the NaN of the input, which no instruction makes.
        self.trace("loop.hlo", "--first", "nan", "--input", "{2, nan}", code=1)
        self.trace("loop.hlo", "--first", "overflow", "--ranges", "--input", "{2, 3}", code=1)
        self.trace("loop.hlo", "--input", "{2, 3}")

    def test_all_names_every_event(self):
        out = self.trace("loop.hlo", "--all", "--input", "{2, 3}", "--json", "found.json")
        found = json.loads((self.folder / "found.json").read_text())
        self.assertEqual([(one["event"], one["name"]) for one in found["findings"]],
                         [("inf", "square"), ("overflow", "square"), ("nan", "rest")])  # fmt: skip
        overflow, nan = found["findings"][1:]
        self.assertEqual(nan["calls"], [{"instruction": "w", "line": 37, "computation": "next", "iteration": 7}])
        self.assertEqual(nan["source"], {"file": "model.py", "line": 12, "op_name": "jit(f)/sub"})
        self.assertEqual((nan["offset"], nan["elements"], nan["of"], nan["executions"]), (1, 1, 2, 1))
        self.assertEqual(overflow["calls"][0]["iteration"], 6)
        self.assertEqual(found["results"], {"elements": 2, "nan": 1, "inf": 0, "subnormal": 0, "overflow": 0})
        self.assertIn("cancellation>2^10: made by none", out)

    def test_an_input_that_holds_it_is_named(self):
        out = self.trace("loop.hlo", "--input", "{2, nan}")
        self.assertIn("made by none", out)
        self.assertIn("  held by parameter start (line 35): element [1] = x7fc00000 (nan); 1 of its elements\n", out)

    def test_ranges_cover_all_runs(self):
        more = {"shape": "f32[2]", "data_hex": np.float32([0.5, 1.25]).tobytes().hex()}
        self.file("more.json", {"inputs": [more]})
        self.trace("loop.hlo", "--ranges", "--types", "f16,f8e4m3fn", "--input", "{2, 2}", "--more-inputs", "more.json",
                   "--json", "ranges.json")  # fmt: skip
        ranges = json.loads((self.folder / "ranges.json").read_text())
        self.assertEqual(ranges["runs"], 2)
        rows = {row["name"]: row for row in ranges["ranges"]}
        self.assertEqual(list(rows), ["start", "square", "rest"])
        start = rows["start"]
        self.assertEqual((start["least"], start["largest"], start["numbers"]), (0.5, 2, 4))
        x, squares, rests = np.float32([2, 2, 0.5, 1.25]), [], []
        for _ in range(9):
            squares.append(x * x)
            x = x * x - x
            rests.append(x)
        for name, numbers in (("square", np.array(squares)), ("rest", np.array(rests))):
            row = rows[name]
            self.assertEqual((row["least"], row["largest"], row["executions"]), (numbers.min(), numbers.max(), 18))
            self.assertEqual(row["least_magnitude"], np.abs(numbers[numbers != 0]).min())
            # f8e4m3fn: subnormal below 2^-6, zero at 2^-10 and below.
            sizes = np.abs(numbers)
            self.assertEqual(row["types"]["f8e4m3fn"]["zeros"], np.sum((sizes <= 2**-10) & (sizes != 0)))

    def test_ranges_print_a_row_for_each_instruction(self):
        out = self.trace("loop.hlo", "--ranges", "--types", "f16", "--input", "{2, 3}").splitlines()
        self.assertEqual(out[0].split(), ["line", "instruction", "op", "type", "least", "largest", "least", "|x|", "f16"])
        self.assertEqual(out[1].split(), ["35", "start", "parameter", "f32[2]", "2", "3", "2", "fits"])
        self.assertRegex(out[2], r"^\d+ +square +multiply +f32\[2\] +4 .* overflow +1 NaN, 2 infinite$")
        self.assertRegex(out[-1], r"  source: model\.py:12|f16: 2 of 3 do not fit; the first: square")

    def test_more_seeds_are_more_runs(self):
        self.trace("loop.hlo", "--runs", 3, "--seed", 5, "--json", "found.json")
        self.assertEqual(json.loads((self.folder / "found.json").read_text())["runs"], 3)
        self.assertIn("--runs makes inputs from further seeds", self.trace("loop.hlo", "--runs", 3, "--input", "{1, 1}", code=2))

    @each((
        (("--first", "infinity"), "--first: expected nan, inf, subnormal, overflow or cancellation>2^K"),
        (("--first", "cancellation>2^x"), "found cancellation>2^x"),
        (("--ranges", "--types", "f9"), "--types: expected float types that have a zero, as bf16,f8e4m3fn, found f9"),
        (("--ranges", "--types", "s32"), "found s32"),
        (("--ranges", "--types", "f8e8m0fnu"), "found f8e8m0fnu"),
        (("--ranges", "--types", ""), "--types: expected"),
        (("--more-inputs", "none.json"), "none.json"),
        (("--json", "none/found.json"), "none/found.json"),
    ))
    def test_wrong_options_are_errors(self, arguments, message):
        said = self.trace("loop.hlo", *arguments, code=2)
        self.assertIn(message, said)
        self.assertNotIn("loop.hlo", said)  # the file is not at fault
