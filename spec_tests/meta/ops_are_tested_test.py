"""Every op that the reference evaluates has tests of its values: one by hand in spec_tests, and goldens or an oracle."""

import json
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).parents[2]
ASSAY = os.environ["ASSAY"]

# Evaluated from their role alone: what they do shows in every test that runs a module.
SHOWN_BY_ALL = {"parameter", "constant", "tuple", "get-tuple-element"}


def words_of(*patterns):
    """Every word of the files, with `_` for the `-` of a mnemonic."""
    found = set()
    for pattern in patterns:
        for path in ROOT.glob(pattern):
            found |= set(re.findall(r"\w+", path.read_text(encoding="utf-8").replace("-", "_")))
    return found


class OpsAreTested(unittest.TestCase):
    def setUp(self):
        command = [ASSAY, "ops", "--json", "--corpus", str(ROOT / "golden")]
        table = subprocess.run(command, capture_output=True, check=True)
        self.ops = [op for op in json.loads(table.stdout)["ops"] if op["evaluated"] and op["name"] not in SHOWN_BY_ALL]
        self.assertGreater(len(self.ops), 100)

    def test_in_a_spec_test(self):
        # In C++ by its record, or as an instruction of a module's text.
        words = words_of("spec_tests/*/*.cc", "spec_tests/*/*_test.py", "spec_tests/legality/*.hlo")
        names = {op["name"].replace("-", "_") for op in self.ops}
        self.assertEqual({name for name in names if f"op_{name}" not in words and name not in words}, set())

    def test_against_a_second_source(self):
        # Several devices and the host are no matter of goldens: devices_test.py and transfers_test.py have them.
        oracles = words_of("spec_tests/oracle/*.py", "spec_tests/laws/*.cc", "spec_tests/evaluator/devices_test.py",
                           "spec_tests/evaluator/transfers_test.py")
        without = {op["name"] for op in self.ops if not op["goldens"] and op["name"].replace("-", "_") not in oracles}
        self.assertEqual(without, set())


if __name__ == "__main__":
    unittest.main()
