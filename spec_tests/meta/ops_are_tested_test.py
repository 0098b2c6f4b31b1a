"""Every op that the reference evaluates has tests of its values: goldens or one by hand, and an oracle or laws."""

import unittest

from golden.witness.program import op_table
from spec_tests.meta.tests_by_op import tests_of

# Ops whose values neither a law nor a second evaluation determines.
JUDGED_OTHERWISE = {
    "custom-call": "a function for each target: spec_tests/custom_calls",
    "rng": "its numbers are random: acceptance/distribution_test.cc",
}
# Evaluated from their role alone: every test that runs a module tests them.
SHOWN_BY_ALL = {"parameter", "constant", "tuple", "get-tuple-element"}


class OpsAreTested(unittest.TestCase):
    def setUp(self):
        self.ops = [op for op in op_table() if op["evaluated"] and op["name"] not in SHOWN_BY_ALL]
        self.assertGreater(len(self.ops), 100)

    def without(self, *kinds):
        return {op["name"] for op in self.ops if not set(kinds) & set(tests_of(op["name"]))}

    def test_values_by_goldens_or_by_hand(self):
        self.assertEqual(self.without("Values") - {op["name"] for op in self.ops if op["goldens"]}, set())

    def test_by_laws_or_a_second_source(self):
        self.assertEqual(self.without("Laws", "Second source"), set(JUDGED_OTHERWISE))

    def test_by_the_corpus(self):
        without = {op["name"] for op in self.ops if not op["goldens"]}
        # Several devices and the host are no matter of goldens: other tests have them.
        self.assertEqual({name for name in without if "Second source" not in tests_of(name)}, set())

    def test_an_unknown_op_has_no_tests(self):
        self.assertEqual(tests_of("no-such-op"), {})
