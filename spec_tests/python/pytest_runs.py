"""Runs of pytest with the plugin of assay, on suites of a few tests, for the tests of the plugin."""

import json
import os
import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree

# Imported here, so that a missing package is an error of the test and not a skip.
import jax  # noqa: F401
import pytest  # noqa: F401
import xdist  # noqa: F401

from spec_tests.tools.command_line import ROOT, ran
from spec_tests.warm_python import WarmPython

ADAPTER = ROOT / "backends/adapters/xla_adapter.py"


class Run:
    """One run of pytest on a suite. The workers of xdist are processes of the same Python, and so is the peer that runs
    a failure again."""

    def __init__(self, python, folder, suite, options, conftest="", **environment):
        self.folder = folder
        (folder / "test_suite.py").write_text(suite)
        (folder / "conftest.py").write_text(conftest)
        peer = {"command": [python, str(ADAPTER)], "profile": "xla-cpu", "repro": "jaxlib"}
        (folder / "backends.json").write_text(json.dumps({"xla-cpu": peer}))
        command = [python, "-m", "pytest", "-q", "-p", "assay.pytest_plugin", "-p", "xdist.plugin", "-p",
                   "no:cacheprovider", "--junitxml=junit.xml", *options]  # fmt: skip
        variables = {**os.environ, "COLUMNS": "300", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment}
        done = ran(*command, cwd=folder, env=variables)
        self.code, self.text = done.returncode, done.stdout + done.stderr
        self.verdicts = []  # the properties of tests in JUnit's file
        failures = folder / "assay-failures"
        self.folders = sorted(path.name for path in failures.iterdir()) if failures.is_dir() else []
        self.outcomes = self.junit(folder / "junit.xml") if (folder / "junit.xml").is_file() else {}

    def junit(self, path):
        """Returns the worst outcome of each test in JUnit's file."""
        found = {}
        for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
            self.verdicts += [(case.get("name"), one.get("name")) for one in case.iter("property")]
            tags = {child.tag for child in case} - {"properties"} or {"passed"}
            found[case.get("name")] = next(tag for tag in ("error", "failure", "skipped", "passed") if tag in tags)
        return found

    def section(self):
        """Returns the lines of assay's section, without the time."""
        _, _, rest = self.text.partition("assay: what JAX computed, beside the reference")
        lines = rest.split("\n==")[0].split("\n!!")[0].splitlines()[1:]
        return [re.sub(r" \d+\.\d s$", "", re.sub(r"\(line \d+\)| +(?= )", "", line)) for line in lines
                if not re.match(r"\d+ (passed|failed)", line)]  # fmt: skip

    def row(self):
        """Returns the table's row, by the names above it."""
        names, values = self.section()[:2]
        return dict(zip(names.replace("not judged", "not-judged").split(), map(int, values.split())))

    def last(self):
        """Returns pytest's counts."""
        return re.findall(r"\d+ (?:passed|failed|error|skipped|xfailed|xpassed)", self.text.splitlines()[-1])


class PytestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.python = cls.enterClassContext(WarmPython("jax", "pytest", environment=os.environ)).executable

    def run_pytest(self, suite, *options, **further):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        return Run(self.python, folder, suite, options, **further)
