"""XLA's own parser reads drawn instructions of every op and drawn modules. XLA's verifier accepts fuzzed programs."""

import os
import subprocess
import unittest

from spec_tests.generate import legal_by_xla
from spec_tests.nightly import is_nightly

try:
    from jaxlib import _hlo
except ImportError:
    _hlo = None

COUNT = 12  # of each op


def drawn(seed):
    command = [os.environ["DRAWN_MODULES"], str(seed), str(COUNT)]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout
    return text.split("\f\n")[:-1]


@unittest.skipIf(_hlo is None, "jaxlib is not installed")
class DrawnModulesTest(unittest.TestCase):
    def test_xla_reads_what_is_drawn(self):
        read = lacking = 0
        for text in drawn(seed=5):
            with self.subTest(text):
                try:
                    _hlo.hlo_module_from_text(text)
                    read += 1
                except Exception as error:
                    self.assertRegex(str(error), legal_by_xla.LACKING)
                    lacking += 1
        self.assertGreater(read, 1500)
        self.assertGreater(lacking, 3 * COUNT - 1)


@unittest.skipIf(_hlo is None, "jaxlib is not installed")
class VerifiedTest(unittest.TestCase):
    def test_xla_verifies_what_fuzzing_draws(self):
        count = 300 if is_nightly("programs for XLA's verifier: 300") else 40
        texts = legal_by_xla.programs(os.environ["DRAWN_MODULES"], seed=3, first=0, count=count)
        results = legal_by_xla.judged(texts)
        self.assertEqual([], [result for result in results if result[0].startswith("refused")])
        self.assertGreater(sum(kind.startswith("verified") for kind, _ in results), count * 4 // 5)


class SeedTest(unittest.TestCase):
    def test_a_seed_gives_the_same_modules_each_time(self):
        self.assertEqual(drawn(seed=1), drawn(seed=1))
        self.assertNotEqual(drawn(seed=1), drawn(seed=2))
