"""Tests that take too long for every run: `tools/dev nightly` sets ASSAY_NIGHTLY=1, which runs all of them.

A test, or a part of one, that is left out is recorded; tools/count_tests.py counts and names it.
"""

import functools
import os
import unittest

IS_NIGHTLY = os.environ.get("ASSAY_NIGHTLY") == "1"
REASON = "left to tools/dev nightly"
nightly = unittest.skipUnless(IS_NIGHTLY, REASON)


@functools.cache
def is_nightly(part):
    """True if the nightly tests run. Otherwise records, once, that `part` of the running test is left to them."""
    if not IS_NIGHTLY:
        with open(os.environ.get("ASSAY_TEST_RESULTS", os.devnull), "a", encoding="utf-8") as record:
            record.write(f"nightly {part}\n")
    return IS_NIGHTLY
