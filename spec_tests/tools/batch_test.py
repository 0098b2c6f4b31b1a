"""assay batch compares a backend's results in a batch with those of its elements alone."""

import json

import partial_peer
from command_line import CliTest

MODULE = """HloModule m
ENTRY e {
  x = f32[4,3] parameter(0)
  w = f32[3,2] parameter(1)
  y = f32[4,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = f32[4,2] negate(y)
}
"""


class BatchTest(CliTest):
    def batch(self, backend, *options, code=0):
        module = self.file("m.hlo", MODULE)
        run = self.assay("batch", module, "--backend", backend, "--format", "json", *options, code=code)
        return {(one["parameter_number"], one["dimension"]): one for one in json.loads(run.stdout)}

    def test_rows_and_columns_of_a_product_are_batches_and_its_sum_is_none(self):
        found = self.batch("reference")
        self.assertEqual(set(found), {(0, 0), (1, 1)})
        self.assertEqual([(one["size"], one["invariant"], one["verdict"]) for one in found.values()],
                         [(4, True, "EXACT"), (2, True, "EXACT")])  # fmt: skip

    def test_a_lawful_difference_is_legal_and_fails_if_strict(self):
        # A row has two elements, a column four, the batch eight.
        found = self.batch(partial_peer.backend("flips", 2, 0))
        self.assertEqual((found[0, 0]["invariant"], found[0, 0]["verdict"]), (False, "LEGAL"))
        self.assertEqual(found[0, 0]["element"], "element [0,0]")
        self.assertTrue(found[1, 1]["invariant"])
        self.batch(partial_peer.backend("flips", 2, 0), "--strict", code=1)

    def test_a_wrong_result_fails(self):
        found = self.batch(partial_peer.backend("flips", 4, 3), code=1)
        self.assertTrue(found[0, 0]["invariant"])
        self.assertEqual((found[1, 1]["invariant"], found[1, 1]["verdict"]), (False, "FAIL"))

    def test_the_corpus_by_op(self):
        run = self.assay("batch", "--backend", "reference", "--filter", "op=dot & type=f32", "--quick", code=0)
        self.assertRegex(run.stdout, r"\ndot +\d+ +\d+ +0 +0 +0\n")
        self.assertRegex(run.stdout, r"(\d+) of \1 batch dimensions are invariant\n")

    def test_errors(self):
        scalar = self.file("s.hlo", "HloModule m\nENTRY e { a = f32[] parameter(0) ROOT r = f32[] negate(a) }")
        self.assert_fails(2, "no case has a batch dimension", "batch", scalar, "--backend", "reference")
