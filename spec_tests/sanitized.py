"""Tests that `tools/dev asan` leaves out, by name and with the reason."""

import os
import unittest


def without_sanitizer(reason):
    """Skips a test, or a class of tests, under the address sanitizer."""
    return unittest.skipIf("ASAN_OPTIONS" in os.environ, f"not run under the address sanitizer: {reason}")
