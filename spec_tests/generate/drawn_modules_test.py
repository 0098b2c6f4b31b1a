"""What is drawn, XLA's own parser reads: instructions of every op, and whole modules."""

import os
import re
import subprocess
import unittest

try:
    from jaxlib import _hlo
except ImportError:
    _hlo = None

COUNT = 12  # of each op
# What jaxlib's XLA lacks: ops that are newer, or of another dialect, and an attribute.
LACKING = re.compile(r"Unknown opcode: (atan|collective-reduce|shuffle)\b|unexpected attribute \"algorithm\"")


def drawn(seed):
    command = [os.environ["DRAWN_MODULES"], str(seed), str(COUNT)]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
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
                    self.assertRegex(str(error), LACKING)
                    lacking += 1
        self.assertGreater(read, 1500)
        self.assertGreater(lacking, 3 * COUNT - 1)


class SeedTest(unittest.TestCase):
    def test_a_seed_gives_the_same_modules_each_time(self):
        self.assertEqual(drawn(seed=1), drawn(seed=1))
        self.assertNotEqual(drawn(seed=1), drawn(seed=2))


if __name__ == "__main__":
    unittest.main()
