"""Shared code for tests of the backend cuda: runs of assay over the stand-ins of CUDA's libraries."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from spec_tests import nightly

ROOT = pathlib.Path(__file__).resolve().parents[2]


class CudaTest(unittest.TestCase):
    """A test with the stand-ins that the environment names, a temporary folder and a kernel cache. The same tests with
    the checks of compute-sanitizer are nightly; cuda_checks shows in every run that the checks find planted faults."""

    def setUp(self):
        if "HOST_DRIVER_CHECKS" in os.environ and not nightly.IS_NIGHTLY:
            self.skipTest(nightly.REASON)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cache = self.folder / "kernels"

    def assay(self, *arguments, program=(), cwd=None, **settings):
        """Runs assay in a folder with environment variables, by a program if one is named. None removes a variable."""
        environment = {**os.environ, "ASSAY_CUDA_CACHE": str(self.cache)}
        for name, value in settings.items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = str(value)
        return subprocess.run([*program, os.environ["ASSAY"], *map(str, arguments)], capture_output=True, text=True, check=False,
                              env=environment, timeout=3000, cwd=cwd)

    def module(self, text, name="m.hlo"):
        """Returns a file with this module."""
        path = self.folder / name
        path.write_text(text)
        return path

    def run_module(self, text, *arguments, **settings):
        """Runs a module on the backend."""
        return self.assay("run", self.module(text), "--backend", "cuda", *arguments, **settings)

    def counts(self):
        """Returns the lines that the backend has written of its runs."""
        return [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]
