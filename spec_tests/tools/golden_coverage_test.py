"""The reference is exact on every golden, and every evaluated op has one for every element type that its record allows,
and for every cell of the matrix."""

import json
import pathlib
import tempfile
import unittest

from golden.witness.hlo.goldens import case_names
from golden.witness.program import golden_paths, op_table
from spec_tests.tools.command_line import ASSAY, GOLDEN, ran

# (op, type) without a golden, and why there can be none. A * stands for every op.
WITHOUT = {
    ("*", "opaque"): "no evaluated op makes an opaque value, and no file holds one",
    ("*", "buffer"): "no evaluated op makes a buffer, and no file holds one",
    ("constant", "token"): "a token has no literal",
    ("stochastic-convert", "f6e2m3fn"): "its random numbers would be of six bits, and no unsigned type is",
    ("stochastic-convert", "f6e3m2fn"): "its random numbers would be of six bits, and no unsigned type is",
}
# Ops that need a host, a peer with another program or random numbers, or that XLA:CPU dies of whatever the type:
# evaluator/devices_test.py, evaluator/transfers_test.py and ops/rng_test.py have them.
OTHER_TESTS = {
    "send", "send-done", "recv", "recv-done", "infeed", "outfeed", "rng", "rng-get-and-update-state", "replica-id",
    "partition-id", "ragged-all-to-all",
}  # fmt: skip


class GoldenCoverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.checked = ran(ASSAY, "check", "--backend", "reference", "--corpus", GOLDEN, "--report", folder)
            cls.results = json.loads((pathlib.Path(folder) / "results.json").read_text())

    def test_reference_is_exact_on_every_case(self):
        count = sum(len(case_names(path)) for path in golden_paths())
        self.assertEqual(self.checked.returncode, 0, self.checked.stdout)
        self.assertRegex(self.checked.stdout, rf"(?m): {count} cases, {count} EXACT$")

    def test_every_op_with_every_type(self):
        matrix = self.results["types"]
        ops = [op for op in op_table() if op["evaluated"] and op["name"] not in OTHER_TESTS]
        pairs = {(op["name"], kind) for op in ops for kind in op["types"]}
        covered = {(op, kind) for op, row in matrix.items() for kind in row}
        excused = {pair for pair in pairs if pair in WITHOUT or ("*", pair[1]) in WITHOUT}
        self.assertEqual(sorted(pairs - covered - excused), [])
        self.assertEqual(sorted(covered & excused), [], "excused without need")
        self.assertEqual(sorted(pair for pair in WITHOUT if pair[0] != "*" and pair not in pairs), [])


class Matrix(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.listed = ran(ASSAY, "check", "--corpus", GOLDEN, "--list", check=True).stdout.split()

    def setUp(self):
        from golden.make import matrix

        self.matrix = matrix
        self.cases = matrix.cases_by_file(self.listed)

    def test_no_legal_cell_is_empty(self):
        cells = list(self.matrix.cells())
        self.assertGreater(len(cells), 5000)
        self.assertEqual([cell for cell in cells if not self.matrix.is_filled(cell, self.cases)], [])

    def test_an_empty_cell_is_named(self):
        self.cases["pad/interior"].remove("s4")
        empty = [cell for cell in self.matrix.cells(["pad"]) if not self.matrix.is_filled(cell, self.cases)]
        self.assertEqual(empty, [("pad", "interior", "s4")])

    def test_cells_that_are_left_out_exist(self):
        table = self.matrix.op_table()
        attributes = {(op["name"], a["name"]) for op in table for a in op["attributes"]}
        self.assertEqual([name for name in self.matrix.WITHOUT if name not in {a for _, a in attributes}], [])
        self.assertEqual([part for part in self.matrix.PARTS if part not in attributes], [])
        legal = {(op["name"], name) for op in table for name in self.matrix.classes_of(op)}
        self.assertEqual([cell for cell in self.matrix.ILLEGAL if cell[:2] not in legal], [])
        self.assertEqual(self.matrix.ELSEWHERE - {op["name"] for op in table}, set())

    def test_a_case_holds_what_its_class_says(self):
        from golden.witness.arrays import to_array
        from golden.make.patterns import every_pattern, pairs, specials, wide_numbers
        from golden.witness.hlo import goldens

        def bits(words, kind):
            return list(map(int, to_array(f"{kind}[{len(words)}]", words).bits()))

        def has(case, kind, words):
            given = {int(b) for a in case.arguments if a.type == kind for b in a.bits().reshape(-1)}
            return set(bits(words, kind)) <= given

        def has_pairs(case, kind):
            given = set(zip(*(map(int, a.bits()) for a in case.arguments)))
            return set(zip(*(bits(side, kind) for side in pairs(every_pattern(kind))))) <= given

        holds = {"every_pattern": lambda case, kind: has(case, kind, every_pattern(kind)), "every_pair": has_pairs,
                 "specials": lambda case,
                 kind: has(case, kind, [w for w in specials(kind) if not isinstance(w, float)]), "limits": lambda case,
                 kind: has(case, kind, wide_numbers(kind)), "zero_sized": lambda case,
                 kind: any(0 in a.values.shape for a in case.arguments + case.want), "scalar": lambda case,
                 kind: any(a.values.shape == () for a in case.arguments + case.want), "index_types": lambda case,
                 kind: any(a.type == kind for a in case.arguments)}
        checked, wrong = 0, []
        for op in self.matrix.op_table():
            for name, kinds in self.matrix.classes_of(op).items():
                for case in goldens.read(GOLDEN / op["name"] / f"{name}.hlo").cases if name in holds else ():
                    kind = next(k for k in kinds if self.matrix.is_filled((op["name"], name, k), {
                        f"{op['name']}/{name}": [case.name]}))
                    checked += 1
                    if "edges" not in case.name and not holds[name](case, kind):
                        wrong.append(f"{op['name']}/{name}/{case.name}")
        self.assertEqual(wrong, [])
        self.assertGreater(checked, 1000)
