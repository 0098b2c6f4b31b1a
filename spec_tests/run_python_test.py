"""Runs one unittest file and records its cases as spec_tests/catch_main.cc does: run_python_test.py FILE [PATTERN...].

A pattern, as of `unittest -k`, selects the cases whose names match it. No pattern selects all. A file that imports one
of PACKAGES is skipped where that one is not installed.
PYTHONPATH is the repository's root, where oracle and backends.adapters are found; ASSAY is the program under test.
"""

import importlib
import os
import pathlib
import sys
import unittest

import nightly

PACKAGES = {"jax", "jaxlib", "ml_dtypes", "mpmath", "mypy", "numpy", "pyright", "scipy"}


class CaseRecorder(unittest.TextTestResult):
    """Writes "started NAME", then "passed", "skipped" or "nightly NAME", to the file named by ASSAY_TEST_RESULTS."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        path = os.environ.get("ASSAY_TEST_RESULTS", os.devnull)
        open(path, "w").close()
        self.record = open(path, "a", encoding="utf-8")  # spec_tests/nightly.py writes to it too

    def write(self, word, test):
        self.record.write(f"{word} {test.id()}\n")
        self.record.flush()

    def startTest(self, test):
        super().startTest(test)
        self.write("started", test)
        self.failures_before = self.failure_count()

    def stopTest(self, test):
        super().stopTest(test)
        if self.failure_count() == self.failures_before and not self.is_skipped(test):
            self.write("passed", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.write("nightly" if reason == nightly.REASON else "skipped", test)

    def failure_count(self):
        return len(self.failures) + len(self.errors) + len(self.unexpectedSuccesses)

    def is_skipped(self, test):
        return any(skipped is test for skipped, _ in self.skipped)


def cases_of(path):
    sys.path.insert(0, str(path.parent))
    try:
        return unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(path.stem))
    except (ModuleNotFoundError, unittest.SkipTest) as reason:
        missing = getattr(reason, "name", None)
        if missing and missing.partition(".")[0] not in PACKAGES:
            raise
        case = unittest.FunctionTestCase(unittest.skip(f"{reason}; tools/dev installs packages")(lambda: None))
        case.id = lambda: path.stem
        return case


def main():
    unittest.defaultTestLoader.testNamePatterns = [f"*{pattern}*" for pattern in sys.argv[2:]] or None
    suite = cases_of(pathlib.Path(sys.argv[1]).resolve())
    result = unittest.TextTestRunner(resultclass=CaseRecorder, verbosity=1).run(suite)
    # Meson takes 77 as "skipped".
    if result.wasSuccessful() and result.testsRun == len(result.skipped):
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
