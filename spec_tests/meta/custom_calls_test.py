"""The table of docs/custom_calls.md is what the targets' records say."""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]


class CustomCalls(unittest.TestCase):
    def test_table_is_up_to_date(self):
        writer = ROOT / "tools" / "docs" / "custom_calls.py"
        run = subprocess.run([sys.executable, writer, "--check", os.environ["ASSAY"]], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
