"""`assay spec`: statements by heading, function, operation and id, and what is wrong with a file; a row of `assay ops`."""

import json

from spec_tests.tools.command_line import CliTest

CASE = "//! case first a case\n//! arg f32[2] 1 2\n//! want f32[2] -1 -2\n//! case second another\n"
SECTION = "section neg\nheading Neg\nnames Negate\nops negate\n\n"
REASONS = "# The reasons.\n\nleft_open: The specification leaves it open.\n"


class Spec(CliTest):
    def corpus(self, statements, reasons=REASONS):
        """Returns the options for a corpus with two cases of negate and one file of statements."""
        corpus = self.corpus_of(CASE)
        self.file("corpus/specification/operations/unary.txt", statements)
        self.file("corpus/specification/reasons.txt", reasons)
        return ["--corpus", str(corpus)]

    def output(self, *arguments):
        return self.assay("spec", *arguments, code=0).stdout

    def assert_malformed(self, line, message, statements):
        self.assert_fails(2, f"unary.txt:{line}: {message}", "spec", *self.corpus(statements))

    def test_a_statement_with_all_its_pins(self):
        corpus = self.corpus(
            "# A comment.\n" + SECTION + "1 meaning The sign\n    changes.\n  cases negate/f32/f*\n    negate/f32/s*\n"
            "  has negate\n  mutants a b\n  legality x.hlo: a: message\n  test x.cc: a test\n"
            "2 freedom NaN is open.\n  none left_open\n"
        )
        statements = json.loads(self.output("--format", "json", *corpus))["statements"]
        self.assertEqual(
            statements[0],
            {"id": "operations/neg/1", "heading": "Neg", "names": ["Negate"], "ops": ["negate"], "kind": "meaning",
             "text": "The sign changes.", "mutants": ["a", "b"], "tests": [{"file": "x.cc", "name": "a test"}],
             "legality": [{"file": "x.hlo", "name": "a: message"}],
             "cases": [{"patterns": ["negate/f32/f*", "negate/f32/s*"], "has": ["negate"],
                        "found": ["negate/f32/first", "negate/f32/second"]}]},
        )  # fmt: skip
        self.assertEqual(statements[1]["none"], "left_open")
        text = self.output(*corpus)
        self.assertIn("2 cases: negate/f32/f* negate/f32/s*", text)
        self.assertTrue(text.endswith("2 statements: 1 with cases, 0 with legality texts or tests only, 1 without "
                                      "(1 left_open)\n"), text)  # fmt: skip

    def test_statements_are_found_by_their_names(self):
        corpus = self.corpus(SECTION + "1 meaning One.\n  cases negate/f32/first\n2 meaning Two.\n  none left_open\n"
                             "section abs\nheading Abs\n1 result Three.\n  test x.cc: t\n")  # fmt: skip
        for name in ("Neg", "neg", "Negate", "negate", "operations/neg"):
            found = json.loads(self.output(name, "--format", "json", *corpus))["statements"]
            self.assertEqual([statement["text"] for statement in found], ["One.", "Two."], name)
        self.assertIn("  2 meaning: Two.\n      none: left_open\n", self.output("--without", *corpus))
        self.assertNotIn("One.", self.output("--without", *corpus))
        self.assertNotIn("Three.", self.output("--op", "negate", *corpus))
        self.assertIn("        negate/f32/first\n", self.output("operations/neg/1", *corpus))
        self.assertIn("  1 meaning: One.\n", self.output("negate/f32/first", *corpus))
        self.assertNotIn("Two.", self.output("negate/f32/first", *corpus))

    def test_unknown_names(self):
        corpus = self.corpus(SECTION + "1 meaning One.\n  none left_open\n")
        self.assert_fails(2, "Negat is not a heading, a function or a statement of the specification, nor a case of "
                          "one, did you mean Negate?", "spec", "Negat", *corpus)  # fmt: skip
        self.assert_fails(2, "negat is not an operation: assay ops prints all", "spec", "--op", "negat", *corpus)

    def test_a_pattern_that_no_case_fits(self):
        corpus = self.corpus(SECTION + "1 meaning One.\n  cases negate/f32/frist\n")
        self.assert_fails(2, "operations/neg/1: no case fits negate/f32/frist, did you mean negate/f32/first?",
                          "spec", *corpus)  # fmt: skip

    def test_malformed_lines(self):
        self.assert_malformed(1, "expected section NAME, found 1", "1 meaning One.\n")
        self.assert_malformed(2, "the section has no heading", "section neg\n1 meaning One.\n")
        self.assert_malformed(6, "expected section, heading, names, ops or the number of a statement, found one",
                              SECTION + "one meaning One.\n")  # fmt: skip
        self.assert_malformed(6, "sense is not a kind of statement: expected one of argument", SECTION + "1 sense x\n")
        self.assert_malformed(8, "operations/neg/1 is there twice",
                              SECTION + "1 meaning x\n  none left_open\n1 meaning y\n")  # fmt: skip
        self.assert_malformed(7, "expected cases, has, legality, test, mutants or none, found case",
                              SECTION + "1 meaning x\n  case negate/f32/first\n")  # fmt: skip
        self.assert_malformed(7, "nothing follows the word cases", SECTION + "1 meaning x\n  cases\n")
        self.assert_malformed(7, "has belongs to cases, and none are before it", SECTION + "1 meaning x\n  has y\n")
        self.assert_malformed(7, "expected test FILE: NAME", SECTION + "1 meaning x\n  test y\n")
        self.assert_malformed(7, "because is not a reason of reasons.txt", SECTION + "1 meaning x\n  none because\n")
        self.assert_malformed(6, "cases belongs to a statement, and none is before it", SECTION + "  cases x\n")
        self.assert_malformed(8, "only a text and cases may continue in the next line",
                              SECTION + "1 meaning x\n  none left_open\n    y\n")  # fmt: skip
        self.assert_malformed(6, "operations/neg/1 needs cases, a legality text, a test, or else a reason for none",
                              SECTION + "1 meaning x\n2 meaning y\n  none left_open\n")  # fmt: skip

    def test_reasons(self):
        corpus = self.corpus(SECTION, reasons="left_open\n")
        self.assert_fails(2, "reasons.txt:1: expected NAME: SENTENCE", "spec", *corpus)

    def test_a_corpus_without_statements(self):
        self.assert_fails(2, "specification", "spec", "--corpus", str(self.corpus_of(CASE)))


class Ops(CliTest):
    def test_the_row_of_an_operation(self):
        rows = self.assay("ops").stdout.splitlines()
        row, = [line for line in rows if line.startswith("reduce-window ")]
        self.assertEqual(self.assay("ops", "reduce-window").stdout.splitlines(), [rows[0], row])
        whole = json.loads(self.assay("ops", "--json").stdout)
        self.assertEqual(json.loads(self.assay("ops", "reduce-window", "--json").stdout),
                         {"ops": [op for op in whole["ops"] if op["name"] == "reduce-window"]})
        self.assert_fails(2, "reduce_window is not an operation, did you mean reduce-window?", "ops", "reduce_window")
