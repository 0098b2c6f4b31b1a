"""The package's types, and those that a user's program meets, pass mypy --strict and pyright."""

import os
import pathlib
import re
import sys
import tempfile
import unittest

from spec_tests.tools.command_line import ROOT, ran

PROGRAM = """
import numpy as np
import assay
import assay.jax
from assay import Verdict, exact

nearest: object = exact.tanh(np.float64(1)) + assay.exact.add(np.float64(1), 2)
compared: assay.Comparison = assay.diff("module.hlo", backend="simd", seconds=3)
graded: assay.CheckReport = assay.check("simd")
first: assay.Finding | None = assay.trace("module.hlo", events=["nan"]).first
one: assay.Comparison = assay.jax.check(lambda x: x + 1, np.float32(1))
is_exact: bool = compared.verdict is Verdict.EXACT
"""
WRONG = 'import assay\nnumber: int = assay.diff("module.hlo", backend="simd")\nassay.nothing\n'
# mypy reads JAX and NumPy once for each build folder: 22 seconds of processor time.
CHECKERS = {
    "mypy": ["mypy", "--strict", "--cache-dir", os.path.join(os.environ["BUILD"], "mypy_cache")],
    "pyright": ["pyright", "--pythonpath", sys.executable],
}


class Types(unittest.TestCase):
    def test_of_the_package_and_of_programs(self):
        for checker, command in CHECKERS.items():
            with self.subTest(checker), tempfile.TemporaryDirectory() as folder:
                right, wrong = pathlib.Path(folder, "right.py"), pathlib.Path(folder, "wrong.py")
                right.write_text(PROGRAM, encoding="utf-8")
                wrong.write_text(WRONG, encoding="utf-8")
                run = ran(sys.executable, "-m", *command, ROOT / "python/assay", folder,
                          env={**os.environ, "MYPYPATH": str(ROOT / "python")})
                words = run.stdout + run.stderr
                places = re.findall(r"([\w.]+\.py):(\d+)(?::\d+)?(?: -|:) error:", words)
                self.assertEqual(places, [("wrong.py", "2"), ("wrong.py", "3")], words)
                self.assertEqual(run.returncode, 1)
