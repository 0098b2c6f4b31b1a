"""The sources of the corpus make the files of golden/, with these modules, arguments and reasons: a few sources in each
run, all of them nightly. The audit checks the values. `make_goldens --check` runs the reference, and only nightly."""

import pathlib
import re
import tempfile
import unittest


from golden.make import make_goldens, quick, rules
from golden.make.by_element import is_by_element
from golden.make.cases import device, faults, quantized, quantized_structures
from golden.make.neighbours import Neighbours
from golden.make.values import edges, largest
from golden.witness.arrays import array_of, line_of, to_array
from golden.witness.element_types import FORMATS
from golden.witness.hlo import goldens
from golden.witness.hlo.expansion import golden_text
from golden.witness.program import GOLDEN, golden_paths
from spec_tests.nightly import is_nightly, nightly


def computations(golden):
    """Returns the paragraphs of a golden's module in any order: those of a file are in the order of its blocks."""
    return sorted(paragraph.removeprefix("ENTRY ") for paragraph in golden.module.strip().split("\n\n"))


class Sources(unittest.TestCase):
    def test_some_make_files_of_the_corpus(self):
        corpus = make_goldens.Corpus()
        for cases in (device, faults):
            cases.add_to(corpus)
        self.assertGreater(len(corpus.goldens), 50)
        self.assert_present(corpus.goldens)

    @nightly
    def test_make_every_file(self):
        made = make_goldens.whole_corpus().goldens
        self.assertEqual(sorted(made), sorted(f"{path.parent.name}/{path.stem}" for path in golden_paths()))
        self.assert_present({name: golden for name, golden in made.items() if golden.suffix == ".hlo"})

    def test_values_of_stablehlo_programs_are_exact_fractions(self):
        """Nothing else computes them, and the reference must return them (spec_tests/stablehlo/quantized_values_test.py)."""
        corpus = make_goldens.Corpus()
        quantized.add_to(corpus)
        quantized_structures.add_to(corpus)
        self.assertEqual([*make_goldens.differences(dict(map(make_goldens.written, corpus.goldens.values())),
                                                    sorted(GOLDEN.glob("quantized/*")))], [])
        self.assertEqual(Neighbours(corpus.goldens.values()).by_op, {})  # illegal HLO has none of them beside it

    def assert_present(self, made):
        files = {name: GOLDEN / f"{name}.hlo" for name in made}
        for name, golden in made.items():
            present = goldens.read(files[name])
            self.assertEqual((golden.headers, computations(golden)), (present.headers, computations(present)), name)
            by_name = {case.name: case for case in present.cases}
            self.assertEqual(sorted(case.name for case in golden.cases), sorted(by_name), name)
            for case in golden.cases:
                there = by_name[case.name]
                self.assertEqual((case.reason, case.entry, case.argument_texts),
                                 (there.reason, there.entry, there.argument_texts), name)
                if golden.headers["provenance"] == "seed":
                    self.assertEqual(list(map(line_of, case.want)), list(map(line_of, there.want)), name)

    def test_determine_the_quick_cases(self):
        self.assertEqual(quick.LIST.read_text(), quick.made())

    def test_element_wise_cases_are_an_element_a_line(self):
        files, counts = sorted(GOLDEN.rglob("*.hlo")), {False: 0, True: 0}
        for path in files if is_nightly("nine tenths of the corpus") else files[::10]:
            golden = goldens.read(path)
            for case in golden.cases:
                self.assertEqual(case.by_element, is_by_element(golden, case), f"{path}: {case.name}")
                counts[case.by_element] += 1
        self.assertGreater(min(counts.values()), 100)

    def test_make_a_file_once(self):
        corpus = make_goldens.Corpus()
        corpus.file("add/f32", "HloModule m", "add f32 level1", "none")
        with self.assertRaisesRegex(ValueError, "add/f32 is made twice"):
            corpus.file("add/f32", "HloModule m", "add f32 level1", "none")


class Reasons(unittest.TestCase):
    def test_name_the_rule_first(self):
        for op, kinds, contents, reason in (
            ("add", ("s8", "s8"), "small numbers", "s8 wraps; small numbers"),
            ("add", ("f16", "f16"), "small numbers", "the exact result is rounded once to f16; small numbers"),
            ("add", ("pred", "pred"), "false, true", "pred: add is or, multiply is and; false, true"),
            ("convert", ("s16", "u4"), "every number", "s16 to u4 modulo 2^4; every number"),
            ("convert", ("c64", "pred"), "no element", "anything but 0 of c64 is true; no element"),
            ("tanh", ("bf16", "bf16"), "NaN", "the exact value is rounded once to bf16; NaN"),
            ("constant", ("u2", "u2"), "no operand", "u2 elements keep their bits"),
            ("after-all", ("token", "token"), "a token", "a token has no value; a token"),
        ):
            self.assertEqual(rules.reason_of(op, kinds, contents), reason)

    def test_of_goldens_say_more_than_the_contents(self):
        vague = {*rules.CONTENTS, "small numbers", "both ends of the range, small numbers", "numbers in each quadrant"}
        for path in GOLDEN.glob("*/*.hlo"):
            for reason in re.findall(r"^//! case \S+ (.*)$", golden_text(path), re.M):
                self.assertNotIn(reason, vague, path)

    def test_of_a_fault_is_the_rule_that_it_breaks(self):
        for fault, rule in (
            ("not so: s16: results saturate", "s16: overflow wraps"),
            ("not so: f16: ties are rounded away from zero", "f16: a tie is rounded to even"),
            ("not so: operand 3 is taken as 0", "the result differs if operand 3 is taken as 0"),
            ("s16: overflow wraps", "s16: overflow wraps"),
        ):
            self.assertEqual(faults.rule_of(fault), rule)


class Values(unittest.TestCase):
    def test_values_come_from_the_reference(self):
        corpus = make_goldens.Corpus()
        text = "HloModule m\n\nENTRY e {\n  a = s32[2] parameter(0)\n  ROOT r = s32[2] negate(a)\n}"
        corpus.file("negate/s32", text, "negate s32 level1", "none")("one", "a case", ("s32[2]", [1, -2]))
        path, written = make_goldens.written(corpus.goldens["negate/s32"])
        self.assertEqual(path, GOLDEN / "negate" / "s32.hlo")
        self.assertEqual(written.splitlines()[-3:], ["//! case one a case", "//! arg  s32[2] 1 -2",
                                                     "//! want s32[2] -1 2"])  # fmt: skip

    def test_eight_elements_are_written_in_rows(self):
        for count, lines in ((7, ["//! arg  s32[7] 0 1 2 3 4 5 6", "//! want s32[7] 0 -1 -2 -3 -4 -5 -6"]),
                             (8, ["//! columns s32[8] -> s32[8]",
                                  f"//! row {'; '.join(f'{i} -> {-i}' for i in range(8))}"])):  # fmt: skip
            corpus = make_goldens.Corpus()
            text = (f"HloModule m\n\nENTRY e {{\n  a = s32[{count}] parameter(0)\n"
                    f"  ROOT r = s32[{count}] negate(a)\n}}")
            corpus.file("negate/s32", text, "negate s32 level1", "none")(
                "one", "a case", (f"s32[{count}]", list(range(count))))
            written = make_goldens.written(corpus.goldens["negate/s32"])[1]
            self.assertEqual(written.splitlines()[-len(lines) :], lines)

    def test_other_cases_are_written_in_lines(self):
        for body, argument in (("reverse(a), dimensions={0}", ("s32[9]", list(range(9)))), ("negate(a)", "s32[9] seeded 1"),
                               ("s32[1,9] reshape(a)", ("s32[9]", list(range(9))))):  # fmt: skip
            corpus = make_goldens.Corpus()
            result = body if body.startswith("s32") else f"s32[9] {body}"
            text = f"HloModule m\n\nENTRY e {{\n  a = s32[9] parameter(0)\n  ROOT r = {result}\n}}"
            corpus.file("negate/s32", text, "negate s32 level1", "none")("one", "a case", argument)
            written = make_goldens.written(corpus.goldens["negate/s32"])[1]
            self.assertRegex(written, r"\n//! arg  s32\[9\] .*\n//! want s32\[")

    def test_the_specifications_values_are_kept(self):
        corpus = make_goldens.Corpus()
        text = "HloModule m\n\nENTRY e {\n  ROOT a = s32[1] parameter(0)\n}"
        case = corpus.file("negate/seed", text, "negate s32 level1", "none", provenance="seed")
        case("one", "a case", "s32[1] 7", want=[("s32[1]", [9])])
        self.assertIn("//! want s32[1] 9\n", make_goldens.written(corpus.goldens["negate/seed"])[1])

    def test_differences_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            same, changed, missing, extra = (pathlib.Path(folder, name) for name in ("a", "b", "c", "d"))
            for path in (same, changed, extra):
                path.write_text("text")
            said = make_goldens.differences({same: "text", changed: "other", missing: "text"}, [same, changed, extra])
            self.assertEqual(list(said), [f"{changed}: not as it would be written", f"{missing}: not there",
                                          f"{extra}: nothing makes it"])  # fmt: skip

    def test_edges_are_values_of_the_type(self):
        for kind, form in FORMATS.items():
            array = to_array(f"{kind}[16]", list(map(str, edges(kind, 16))))
            self.assertEqual(len(array.values), 16)
            (most,) = array_of(f"{kind}[1] {largest(kind)}").values
            self.assertEqual(float(most), float(form.max_finite), kind)
