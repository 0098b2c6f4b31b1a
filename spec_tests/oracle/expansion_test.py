"""The repeated parts of golden files: written out here and by assay, and what the corpus makes of texts that are alike."""

import os
import subprocess
import unittest

from golden.make.compaction import WIDTH, compact, meaning
from golden.witness.hlo import goldens
from golden.witness.hlo.expansion import expanded, golden_text
from golden.witness.hlo.module import HloError
from golden.witness.program import GOLDEN

FILE = """//! tags add level1
HloModule m

//! for $T $N: s8 2, s16 2
//! for $T $N: f32 2
ENTRY on_$T {
  a = $T[$N] parameter(0)
  ROOT r = $T[$N] add(a, a)
}
//! end

//! for $T: s8, s16, f32
//! case $T |x| of $T
//! columns $T[2] -> $T[2]
//! row 1 -> 2; 100|-100|0.5 -> -56|-200|1
//! end
//! case more another case of a computation
//! entry on_s8
//! arg  s8[2] 3 4
//! want s8[2] 6 8
"""


def computation(kind, op="add"):
    return f"on_{kind} {{\n  a = {kind}[2] parameter(0)\n  ROOT r = {kind}[2] {op}(a, a)\n}}\n\n"


def case(kind, name="", values="1 2", want="2 4"):
    return f"//! case {name or kind} of {kind}\n//! arg  {kind}[2] {values}\n//! want {kind}[2] {want}\n"


def file(*parts):
    return "//! tags add level1\nHloModule m\n\nENTRY " + "".join(parts)


class Expansion(unittest.TestCase):
    def test_of_a_file(self):
        self.assertEqual(expanded(FILE), (
            "//! tags add level1\nHloModule m\n\n"
            + "".join(f"{'ENTRY ' * (kind == 's8')}{computation(kind)[:-1]}" for kind in ("s8", "s16", "f32"))
            + "\n"
            + "".join(f"//! case {kind} |x| of {kind}\n//! columns {kind}[2] -> {kind}[2]\n//! row 1 -> 2\n//! row {row}\n"
                      for kind, row in (("s8", "100 -> -56"), ("s16", "-100 -> -200"), ("f32", "0.5 -> 1")))
            + FILE[FILE.index("//! case more") :]))  # fmt: skip

    def test_cases_run_the_computations_that_are_named_after_them(self):
        golden = goldens.parse("add/types", FILE)
        self.assertEqual([(c.name, c.entry) for c in golden.cases],
                         [("s8", "on_s8"), ("s16", "on_s16"), ("f32", "on_f32"), ("more", "on_s8")])  # fmt: skip
        self.assertEqual(golden.headers["oracle"], "exact arithmetic, XLA:CPU")
        self.assertIn("ENTRY on_f32 {", golden.module_of(golden.cases[2]))

    def test_bars_between_values_of_the_host_are_no_alternatives(self):
        line = "//! infeed s8[1] 1 | s8[1] 2|3\n"
        self.assertEqual(expanded(f"//! for $T: s8, s8\n{line}//! end\n"),
                         "//! infeed s8[1] 1 | s8[1] 2\n//! infeed s8[1] 1 | s8[1] 3\n")  # fmt: skip

    def test_errors_name_the_line(self):
        for old, new, line, message in (
            ("//! end\n", "", 11, "for inside of the for of line 4"),
            ("//! want s8[2] 6 8\n", "//! for $T: s8\n", 20, "for without end"),
            ("//! want s8[2] 6 8\n", "//! end\n", 20, "end without for"),
            ("for $T: s8, s16, f32", "for T: s8", 12, "expected names such as"),
            ("for $T: s8, s16, f32", "for $T $T: s8 s8", 12, "expected names such as"),
            ("$T $N: f32 2", "$T: f32", 5, "expected the names"),
            ("f32 2", "f32", 5, "expected 2 words"),
            ("[$N] add", "[$M] add", 8, "M has no value"),
            ("|0.5", "", 15, "expected 3 alternatives"),
            ("100|", "1000|", 15, "cannot read 1000 as s8"),
        ):
            with self.subTest(message), self.assertRaisesRegex(HloError, f"^line {line}: .*{message}"):
                goldens.parse("add/types", FILE.replace(old, new, 1))

    def test_assay_reads_the_same_modules(self):
        for path in [path for path in sorted(GOLDEN.rglob("*.hlo"))[::80] if path.parent.name != "refused"]:
            self.assertEqual(self.printed(path), self.printed("-", golden_text(path)), path)

    def printed(self, path, text=""):
        command = [os.environ["ASSAY"], "print", path, "--full-constants"]
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


class Compaction(unittest.TestCase):
    def assert_compact(self, text, expected):
        self.assertEqual(compact(text), expected)
        self.assertEqual(meaning(expanded(expected)), meaning(text))

    def test_computations_and_cases_that_differ_in_words_are_blocks(self):
        kinds = ("s8", "s16", "s32")
        self.assert_compact(file(*map(computation, kinds), *map(case, kinds)),
                            "//! tags add level1\nHloModule m\n\n//! for $T: s8, s16, s32\nENTRY on_$T {\n"
                            "  a = $T[2] parameter(0)\n  ROOT r = $T[2] add(a, a)\n}\n//! end\n\n"
                            "//! for $T: s8, s16, s32\n//! case $T of $T\n//! arg  $T[2] 1 2\n//! want $T[2] 2 4\n"
                            "//! end\n")  # fmt: skip

    def test_other_results_are_alternatives(self):
        cases = case("s8", values="100 2", want="-56 4"), case("s16", values="100 2", want="200 4"), case("s32")
        text = compact(file(*map(computation, ("s8", "s16", "s32")), *cases))
        self.assertIn("//! arg  $T[2] 100|100|1 2\n//! want $T[2] -56|200|2 4\n", text)

    def test_other_arguments_are_other_cases(self):
        cases = case("s8"), case("s16", values="7 8"), case("s32", values="5 9")
        text = compact(file(*map(computation, ("s8", "s16", "s32")), *cases))
        self.assertTrue(text.endswith("".join(cases)), text)

    def test_rows_share_lines(self):
        rows = "".join(f"//! row {i} -> {2 * i}\n" for i in range(60))
        head = "on_s8 {\n  a = s8[60] parameter(0)\n  ROOT r = s8[60] add(a, a)\n}\n\n//! case s8 of s8\n"
        text = compact(file(head, "//! columns s8[60] -> s8[60]\n", rows))
        lines = [line for line in text.splitlines() if line.startswith("//! row")]
        self.assertLess(len(lines), 8)
        self.assertLessEqual(max(map(len, lines)), WIDTH)
        self.assertEqual(meaning(expanded(text)), meaning(file(head, "//! columns s8[60] -> s8[60]\n", rows)))

    def test_a_computation_follows_those_that_it_calls(self):
        def folds(kind):
            return (f"add_{kind} {{\n  x = {kind}[] parameter(0)\n  y = {kind}[] parameter(1)\n"
                    f"  ROOT z = {kind}[] add(x, y)\n}}\n\non_{kind} {{\n  a = {kind}[2] parameter(0)\n"
                    f"  b = {kind}[] parameter(1)\n  ROOT r = {kind}[] reduce(a, b), dimensions={{0}}, "
                    f"to_apply=add_{kind}\n}}\n\n")  # fmt: skip

        kinds = ("s8", "s16", "s32")
        text = "HloModule m\n\n" + "".join(map(folds, kinds)).replace("on_s8", "ENTRY on_s8", 1) + "".join(map(case, kinds))
        result = compact(text)
        self.assertLess(result.index("add_$T {"), result.index("ENTRY on_$T {"))
        self.assertEqual(result.count("ROOT"), 2)
        self.assertEqual(meaning(expanded(result)), meaning(text))

    def test_of_a_compact_text_changes_nothing(self):
        for path in sorted(GOLDEN.rglob("*.hlo"))[::100]:
            self.assertEqual(compact(golden_text(path)), path.read_text(), path)
