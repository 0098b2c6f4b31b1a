"""Tests that take too long for every run: `tools/dev nightly` sets ASSAY_NIGHTLY=1, which runs all of them.

A test that is left out is recorded as such, and tools/count_tests.py counts and names it.
"""

import os
import unittest

IS_NIGHTLY = os.environ.get("ASSAY_NIGHTLY") == "1"
REASON = "left to tools/dev nightly"
nightly = unittest.skipUnless(IS_NIGHTLY, REASON)
