"""assay accuracy reports what a peer gets wrong, for each operation and type: as a table, as JSON, as a page."""

import html.parser
import importlib.util
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

if not all(importlib.util.find_spec(name) for name in ("numpy", "ml_dtypes", "mpmath")):
    raise unittest.SkipTest("no numpy, ml_dtypes or mpmath here; tools/dev installs them")

ASSAY = os.environ["ASSAY"]
PEER = pathlib.Path(__file__).with_name("faulty_peer.py")


class Tags(html.parser.HTMLParser):
    """Which elements a page has, and that they close in order."""

    def __init__(self, page):
        super().__init__()
        self.counts, self.open = {}, []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class AccuracyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def accuracy(self, backend, *options):
        return subprocess.run(
            [ASSAY, "accuracy", "--backend", backend, "--out", str(self.folder), *options],
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def peer(self, *faults):
        return "process:exec " + shlex.join([sys.executable, str(PEER), *faults])

    def rows(self):
        card = json.loads((self.folder / "accuracy.json").read_text())
        return {(row["op"], row["type"]): row for row in card["rows"]}

    def test_the_reference_has_no_error(self):
        run = self.accuracy("reference", "--samples", "3000")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = self.rows()
        self.assertEqual({row["verdict"] for row in rows.values()}, {"EXACT"})
        self.assertEqual({row["survey"]["not_exact"] for row in rows.values()}, {0})
        # All patterns of the narrow types, pairs of those of at most 8 bits. Float types: 4 wide, 8 of 8 bits, 3 others.
        self.assertEqual(len({kind for op, kind in rows if op == "tanh"}), 4 + 8 + 3)
        self.assertEqual(rows["tanh", "bf16"]["survey"]["elements"], 1 << 16)
        self.assertEqual(rows["add", "f8e5m2"]["survey"]["elements"], 1 << 16)
        self.assertEqual(rows["add", "f4e2m1fn"]["survey"]["elements"], 1 << 8)
        sampled = {key for key, row in rows.items() if not row["exhaustive"]}
        self.assertEqual({kind for _, kind in sampled}, {"f32", "f64", "f16", "bf16"})
        self.assertEqual({rows[key]["survey"]["elements"] for key in sampled}, {3000})
        self.assertNotIn(("dot", "f32"), rows)

    def test_faults_and_gaps_of_a_peer(self):
        # sqrt(4) = 2 + 3 steps in bf16; sqrt(-0) = 0 in f8e5m2; everything else is right, or the peer has not got it.
        backend = self.peer("sqrt.bf16=4080:4003", "sqrt.f8e5m2=80:00")
        run = self.accuracy(
            backend, "--op", "sqrt", "--op", "tan",
            "--type", "bf16", "--type", "f8e5m2", "--type", "f32", "--samples", "2000",
        )  # fmt: skip
        self.assertEqual(run.returncode, 1)
        rows = self.rows()
        verdicts = {key: row["verdict"] for key, row in rows.items()}
        self.assertEqual(
            verdicts,
            {
                ("sqrt", "bf16"): "FAIL", ("sqrt", "f8e5m2"): "FAIL", ("sqrt", "f32"): "EXACT",
                ("tan", "bf16"): "UNSUPPORTED", ("tan", "f8e5m2"): "UNSUPPORTED", ("tan", "f32"): "UNSUPPORTED",
            },
        )  # fmt: skip
        self.assertNotIn("survey", rows["tan", "f32"])
        self.assertEqual(rows["sqrt", "bf16"]["survey"]["max_ulps"], 3)
        self.assertEqual(rows["sqrt", "f8e5m2"]["survey"]["classes"]["zero_sign"]["count"], 1)
        table = (self.folder / "accuracy.md").read_text()
        self.assertTrue(run.stdout.endswith(table))
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
        lines = {line[0]: line[1:] for line in cells}
        self.assertEqual(lines["sqrt"], ["0", "-", "-", "3 / 0.0015%", "0", "f8e5m2 1", "", "bf16 FAIL, f8e5m2 FAIL"])
        self.assertEqual(lines["tan"], ["-", "-", "-", "-", "-", "", "", ""])
        page = (self.folder / "accuracy.html").read_text()
        tags = Tags(page)
        self.assertEqual(tags.open, [])
        self.assertEqual((tags.counts["svg"], tags.counts["tr"]), (2, 7))

    def test_a_sample_has_the_special_values(self):
        # -0, the infinities, the least subnormal: each fault is found though 1000 of 2^32 numbers are looked at.
        for patterns in ("80000000:00000000", "7f800000:7f7fffff", "00000001:1a3504f4"):
            with self.subTest(patterns=patterns):
                run = self.accuracy(self.peer(f"sqrt={patterns}"), "--op", "sqrt", "--type", "f32", "--samples", "1000")
                self.assertEqual(run.returncode, 1, run.stdout)
                self.assertEqual(self.rows()["sqrt", "f32"]["survey"]["not_exact"], 1)

    def test_a_peer_that_dies_is_started_again_for_the_next_row(self):
        run = self.accuracy(
            self.peer("die-after=1"), "--jobs", "1",
            "--op", "negate", "--type", "f16", "--type", "bf16", "--type", "f8e5m2",
        )  # fmt: skip
        verdicts = [row["verdict"] for row in self.rows().values()]
        self.assertEqual(sorted(verdicts), ["CRASH", "EXACT", "EXACT"])
        self.assertEqual(run.returncode, 1)

    def test_unknown_names(self):
        for options in (("--op", "no-such-op"), ("--type", "s8"), ("--op", "dot")):
            run = self.accuracy("reference", *options)
            self.assertEqual((run.returncode, run.stdout), (2, ""), options)


if __name__ == "__main__":
    unittest.main()
