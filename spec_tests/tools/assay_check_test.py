"""assay-check, the part of assay that `tools/dev check` builds."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from spec_tests.tools.command_line import GOLDEN, ran

ASSAY = pathlib.Path(os.environ["ASSAY"])
CHECK = ASSAY.with_name("assay-check")


def grade(program, backend):
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "check", "--corpus", GOLDEN, "--filter", "floor/", "--backend", backend,
                   "--report", "report"]  # fmt: skip
        return ran(*command, cwd=folder)


def objects_of(target):
    inputs = ran("ninja", "-C", ASSAY.parents[1], "-t", "inputs", target, check=True).stdout.splitlines()
    return {name for name in inputs if name.endswith(".o")}


class AssayCheck(unittest.TestCase):
    def test_it_grades_as_assay_does(self):
        for backend in ("reference", "simd", f"process:{ASSAY} serve"):
            whole, part = grade(ASSAY, backend), grade(CHECK, backend)
            self.assertEqual((part.returncode, part.stdout), (whole.returncode, whole.stdout), backend)
            self.assertEqual(part.returncode, 0, part.stderr)

    def test_it_has_no_other_backends_and_commands(self):
        unknown = grade(CHECK, "cuda")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("unknown backend cuda: expected one of process:COMMAND, reference", unknown.stderr)
        self.assertEqual(subprocess.run([CHECK, "fuzz"], capture_output=True).returncode, 2)

    def test_it_needs_fewer_objects(self):
        part, whole = objects_of("tools/assay-check"), objects_of("tools/assay")
        self.assertTrue(part)
        self.assertLess(len(part), len(whole))
        for folder in ("libfurther_backends", "libfuzz", "libgenerate", "libdiagnosis"):
            self.assertFalse([name for name in part if folder in name])
            self.assertTrue([name for name in whole if folder in name], folder)
