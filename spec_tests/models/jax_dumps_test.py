"""JAX programs on XLA:CPU and the reference: each dump of this folder agrees, instruction by instruction."""

import concurrent.futures
import importlib.util
import os
import pathlib
import subprocess
import unittest

for package in ("jaxlib", "numpy", "scipy"):
    if not importlib.util.find_spec(package):
        raise unittest.SkipTest(f"no {package} here; tools/dev installs it")

ASSAY = os.environ["ASSAY"]
DUMPS = sorted(pathlib.Path(__file__).parent.glob("*.hlo"))


def diff(dump):
    command = [ASSAY, "diff", dump, "--backend", "xla-cpu"]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


class JaxDumps(unittest.TestCase):
    def test_agree_on_xla_cpu(self):
        self.assertGreaterEqual(len(DUMPS), 10)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for dump, run in zip(DUMPS, pool.map(diff, DUMPS)):
                with self.subTest(dump.stem):
                    self.assertEqual(run.returncode, 0, run.stdout[:2000] + run.stderr[-2000:])
                    self.assertIn(run.stdout.split(":")[0], ("EXACT", "LEGAL"), run.stdout[:2000])

    def test_are_small(self):
        for dump in DUMPS:
            self.assertLess(dump.stat().st_size, 100_000, dump.name)


if __name__ == "__main__":
    unittest.main()
