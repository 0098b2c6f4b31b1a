"""Every evaluated op has a golden for every element type that its record allows."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ASSAY = os.environ["ASSAY"]
CORPUS = pathlib.Path(__file__).resolve().parents[2] / "golden"
# (op, type) without a golden, and why there can be none. A * stands for every op.
WITHOUT = {
    ("*", "opaque"): "no evaluated op makes an opaque value, and no file holds one",
    ("*", "buffer"): "no evaluated op makes a buffer, and no file holds one",
    ("constant", "token"): "a token has no literal",
    ("stochastic-convert", "f6e2m3fn"): "its random numbers would be of six bits, and no unsigned type is",
    ("stochastic-convert", "f6e3m2fn"): "its random numbers would be of six bits, and no unsigned type is",
}


class GoldenCoverage(unittest.TestCase):
    def test_every_op_with_every_type(self):
        with tempfile.TemporaryDirectory() as folder:
            check = [ASSAY, "check", "--corpus", CORPUS, "--report", folder]
            subprocess.run(check, check=True, capture_output=True)
            matrix = json.loads((pathlib.Path(folder) / "report.json").read_text())["types"]
        table = subprocess.run([ASSAY, "ops", "--json"], check=True, capture_output=True, text=True).stdout
        # A golden is for one device without a host; evaluator/devices_test.py has the others.
        ops = [op for op in json.loads(table)["ops"] if op["evaluated"] and not op["depends_on_device"]]
        pairs = {(op["name"], kind) for op in ops for kind in op["types"]}
        covered = {(op, kind) for op, row in matrix.items() for kind in row}
        excused = {pair for pair in pairs if pair in WITHOUT or ("*", pair[1]) in WITHOUT}
        self.assertEqual(sorted(pairs - covered - excused), [])
        self.assertEqual(sorted(covered & excused), [], "excused without need")
        self.assertEqual(sorted(pair for pair in WITHOUT if pair[0] != "*" and pair not in pairs), [])


if __name__ == "__main__":
    unittest.main()
