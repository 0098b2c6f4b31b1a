"""`assay.trace`: the events of a module, from Python."""

import unittest

import assay
import numpy as np


class Trace(unittest.TestCase):
    ROOT = "HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] sqrt(x) }"

    def test_find_all_events(self):
        found = assay.trace(self.ROOT, [np.inf, -1], events=["nan", "inf"])
        self.assertEqual([(one.event, one.line) for one in found.findings], [("nan", 2)])
        self.assertEqual([(one.event, one.element) for one in found.sources], [("inf", "element [0]")])
        self.assertEqual((found.results, found.executed), ({"elements": 2, "nan": 1, "inf": 1}, 1))

    def test_without_arrays_the_inputs_are_made(self):
        self.assertEqual(assay.trace(self.ROOT, seed=3).findings, ())  # numbers of [0, 1)

    def test_wrong_arguments_are_errors(self):
        for options in ({"events": "nan"}, {"events": ["NaN"]}, {"seed": 1}, {"per_device": [[1], [2]]}, {"seconds": -1}):
            with self.subTest(options), self.assertRaises(assay.Error):
                assay.trace(self.ROOT, [1, 2], **options)
