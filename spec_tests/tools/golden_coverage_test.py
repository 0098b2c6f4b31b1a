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
# Ops that need a host, a peer with another program or random numbers, or that XLA:CPU dies of whatever the type:
# evaluator/devices_test.py, evaluator/transfers_test.py and ops/rng_test.py have them.
OTHER_TESTS = {
    "send", "send-done", "recv", "recv-done", "infeed", "outfeed", "rng", "rng-get-and-update-state", "replica-id",
    "partition-id", "ragged-all-to-all",
}  # fmt: skip


class GoldenCoverage(unittest.TestCase):
    def test_every_op_with_every_type(self):
        with tempfile.TemporaryDirectory() as folder:
            check = [ASSAY, "check", "--corpus", CORPUS, "--report", folder]
            subprocess.run(check, check=True, capture_output=True)
            matrix = json.loads((pathlib.Path(folder) / "report.json").read_text())["types"]
        table = subprocess.run([ASSAY, "ops", "--json"], check=True, capture_output=True, text=True).stdout
        ops = [op for op in json.loads(table)["ops"] if op["evaluated"] and op["name"] not in OTHER_TESTS]
        pairs = {(op["name"], kind) for op in ops for kind in op["types"]}
        covered = {(op, kind) for op, row in matrix.items() for kind in row}
        excused = {pair for pair in pairs if pair in WITHOUT or ("*", pair[1]) in WITHOUT}
        self.assertEqual(sorted(pairs - covered - excused), [])
        self.assertEqual(sorted(covered & excused), [], "excused without need")
        self.assertEqual(sorted(pair for pair in WITHOUT if pair[0] != "*" and pair not in pairs), [])


if __name__ == "__main__":
    unittest.main()
