"""Reading HLO text and golden files: what is read can be written again, what cannot be read is an error with a line."""

import dataclasses
import unittest


from golden.witness.arrays import line_of
from golden.make.compaction import compact
from golden.witness.hlo import goldens
from golden.witness.hlo.module import HloError, Module, by_device, grid_of, with_entry
from golden.witness.program import GOLDEN
from spec_tests.nightly import is_nightly

SMALL = """HloModule m, replica_count=2, num_partitions=3

// Twice its operand.
double {
  x = f32[2]{0} parameter(0)
  ROOT y = f32[2]{0} add(x, x)
}

ENTRY main {
  a = f32[2]{0} parameter(0)
  k = f32[] constant(-inf)
  c = (f32[2], f32[]) tuple(a, k)
  b = f32[2] call(f32[2] %a), to_apply=double
  ROOT r = f32[3] pad(b, k), padding=1_0, metadata={op_name="p"}
}
"""
GOLDEN_TEXT = """//! clause     ops/not.md
//! provenance derived
//! oracle     Python integers, XLA:CPU
//! tags       not pred level1

HloModule not_pred

ENTRY main {
  x = pred[2] parameter(0)
  ROOT r = pred[2] not(x)
}

//! case both logical, not bitwise
//! arg  pred[2] 0 1
//! want pred[2] 1 0
"""
# Headers that a file of this op need not have.
USUAL = "//! clause     ops/not.md\n//! provenance derived\n"
COLUMNS = "//! columns c64[2] s8[2] -> pred[2]\n//! row 1 nan 2 -> 0\n//! row -0 3 x80 -> 1\n"


def files():
    """Returns the corpus; a sixth of it but in nightly tests."""
    paths = sorted(GOLDEN.rglob("*.hlo"))
    return paths if is_nightly("five sixths of the corpus read and written") else paths[::6]


def fields(module):
    return module.entry, {name: list(map(dataclasses.asdict, body)) for name, body in module.computations.items()}


class Modules(unittest.TestCase):
    def test_texts_that_are_read(self):
        module = Module(SMALL)
        self.assertEqual((module.entry, list(module.computations)), ("main", ["double", "main"]))
        a, k, c, b, r = module.computations["main"]
        self.assertEqual((a.name, a.opcode, a.operands, a.type, a.dimensions), ("a", "parameter", "0", "f32", (2,)))
        self.assertEqual((k.operands, k.dimensions), ("-inf", ()))
        self.assertEqual((c.shape, c.operand_names(), c.operand_shapes), ("(f32[2], f32[])", ["a", "k"],
                                                                          ["f32[2]{0}", "f32[]"]))
        self.assertEqual((b.operand_names(), b.text("to_apply"), b.is_root), (["a"], "double", False))
        self.assertEqual((r.ints("padding"), r.text("absent"), r.names("absent"), r.is_root), ([1, 0], None, [], True))

    def test_attributes(self):
        line = ("ROOT r = f32[2] gather(a, a), offset_dims={1,-2}, slices={{0,1},{2}}, window={size=2x3 pad=1_0x0_1},"
                " is_host=true, other=false, direction=GE")
        instruction = Module(f"ENTRY e {{\na = f32[2] parameter(0)\n{line}\n}}").computations["e"][-1]
        self.assertEqual(instruction.ints("offset_dims"), [1, -2])
        self.assertEqual(instruction.text("slices"), "{{0,1},{2}}")
        self.assertEqual(instruction.text("window"), "{size=2x3 pad=1_0x0_1}")
        self.assertEqual([instruction.flag(n) for n in ("is_host", "other", "absent")], [True, False, False])
        self.assertEqual(instruction.names("direction"), ["GE"])

    def test_modules_of_the_corpus_can_be_written_and_read_again(self):
        count = 0
        for path in files():
            if path.parent.name == "refused":  # an illegal module need not be readable
                continue
            count += 1
            module = Module(goldens.read(path).module)
            self.assertEqual(fields(Module(str(module))), fields(module), path)
        self.assertGreater(count, len(files()) * 9 // 10)

    def test_bad_text(self):
        entry = "HloModule m\n\nENTRY e {\n  ROOT a = f32[] parameter(0)\n}\n"
        for text, line, message in (
            (entry.replace("parameter(0)", "parameter"), 4, "expected an instruction"),
            (entry.replace("= f32[]", "f32[]"), 4, "expected an instruction"),
            (entry.replace("parameter(0)", "parameter(0) sharding={x}"), 4, "expected an instruction"),
            (entry.replace("ENTRY e {", "ENTRY e"), 3, "expected a computation"),
            (entry.replace("ROOT ", ""), 5, "one ROOT"),
            (entry.replace("ENTRY ", ""), 5, "no ENTRY"),
            (entry.replace("}\n", ""), 4, "ends inside"),
            (entry.replace("parameter(0)", "negate(b)"), 5, "no instruction b"),
            (entry + entry.split("\n\n")[1], 6, "a second computation e"),
            ("", 1, "no ENTRY"),
        ):
            with self.subTest(message), self.assertRaisesRegex(HloError, f"^line {line}: .*{message}") as caught:
                Module(text)
            self.assertEqual(caught.exception.line, line)

    def test_devices(self):
        self.assertEqual(grid_of(SMALL), [2, 3])
        self.assertEqual(grid_of("HloModule m\n"), [1, 1])
        self.assertEqual(by_device(SMALL, list(range(12))), [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]])

    def test_another_entry(self):
        text = with_entry(SMALL.replace("// Twice its operand.\n", ""), "double")
        self.assertEqual((Module(text).entry, list(Module(text).computations)), ("double", ["double"]))


class Goldens(unittest.TestCase):
    def test_files_are_as_they_would_be_written(self):
        self.assertGreater(len(files()), 300)
        for path in files():
            self.assertEqual(compact(goldens.render(goldens.read(path))), path.read_text(), path)

    def test_texts_that_are_read(self):
        golden = goldens.parse("not/pred", GOLDEN_TEXT)
        self.assertEqual((golden.path, golden.headers["tags"]), ("not/pred", "not pred level1"))
        (case,) = golden.cases
        self.assertEqual((case.name, case.reason, case.entry), ("both", "logical, not bitwise", ""))
        self.assertEqual(case.arguments[0].values.tolist(), [False, True])
        self.assertEqual(case.want[0].values.tolist(), [True, False])

    def test_columns_are_read_as_arrays(self):
        text = GOLDEN_TEXT[: GOLDEN_TEXT.index("//! arg")] + COLUMNS
        golden = goldens.parse("not/pred", text)
        (case,) = golden.cases
        self.assertTrue(case.by_element)
        self.assertEqual(case.argument_texts, ["c64[2] 1 nan -0 3", "s8[2] 2 -128"])
        self.assertEqual(list(map(line_of, case.arguments)), case.argument_texts)
        self.assertEqual(list(map(line_of, case.want)), ["pred[2] 0 1"])
        self.assertEqual(goldens.render(golden), text.replace("x80", "-128").replace(USUAL, "").replace("1\n\nHlo", "1\nHlo"))

    def test_columns_join_other_values_in_order(self):
        text = GOLDEN_TEXT.replace("//! want pred", COLUMNS + "//! want pred") + "//! arg  s8[] 5\n"
        (case,) = goldens.parse("not/pred", text).cases
        self.assertEqual([array.shape for array in case.arguments], ["pred[2]", "c64[2]", "s8[2]", "s8[]"])
        self.assertEqual([array.values.tolist() for array in case.want], [[False, True], [True, False]])

    def test_bad_columns(self):
        for old, new, line, message in (
            ("3 x80", "3", 16, r"expected 3 words, -> and 1 words, found -0 3 -> 1"),
            ("3 x80 ->", "3 x80 4 ->", 16, "expected 3 words"),
            ("-> 1", "1 ->", 16, "expected 3 words"),
            ("x80 ->", "x180 ->", 16, "x180 is wider than s8"),
            ("nan 2", "nan 300", 15, "cannot read 300 as s8"),
            ("//! row -0 3 x80 -> 1\n", "", 14, r"1 rows for c64\[2\]"),
            ("//! row -0", "//! row 1 2 3 -> 0\n//! row -0", 14, "3 rows for"),
            ("s8[2] ->", "s8[3] ->", 14, "must have the same dimensions"),
            ("-> pred[2]", "->", 14, "expected shapes, -> and shapes"),
            ("-> pred[2]", "", 14, "expected shapes, -> and shapes"),
            ("c64[2] s8[2]", "c64[2] u88[2]", 14, "not an array shape"),
            (COLUMNS.splitlines()[0], "//! arg s8[1] 1", 15, "row without columns"),
        ):
            text = GOLDEN_TEXT[: GOLDEN_TEXT.index("//! arg")] + COLUMNS.replace(old, new)
            with self.subTest(message), self.assertRaisesRegex(HloError, f"^line {line}: .*{message}"):
                goldens.parse("not/pred", text)
        with self.assertRaisesRegex(HloError, "^line 1: columns before the first case"):
            goldens.parse("not/pred", COLUMNS)

    def test_bad_text(self):
        for old, new, line, message in (
            ("//! arg  pred[2] 0 1", "//! arg  pred[2] 0", 14, "1 words"),
            ("//! want pred[2] 1 0", "//! want pred[2] 1 2", 15, "cannot read 2 as pred"),
            ("//! want pred[2] 1 0", "//! want prid[2] 1 0", 15, "not an array shape"),
            ("//! want pred[2] 1 0", "//! wants pred[2] 1 0", 15, "no directive wants"),
            ("//! tags       not pred level1", "//! arg  pred[2] 0 1", 4, "before the first case"),
            ("//! want pred[2] 1 0", "//! case both again", 15, "a second case both"),
        ):
            with self.subTest(message), self.assertRaisesRegex(HloError, f"^line {line}: .*{message}"):
                goldens.parse("not/pred", GOLDEN_TEXT.replace(old, new))
