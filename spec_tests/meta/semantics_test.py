"""docs/semantics.md is what the op table and docs/decisions.md make of it."""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]


class Semantics(unittest.TestCase):
    def test_is_up_to_date(self):
        writer = ROOT / "tools" / "docs" / "semantics.py"
        run = subprocess.run([sys.executable, writer, "--check", os.environ["ASSAY"]], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    unittest.main()
