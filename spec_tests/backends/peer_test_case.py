"""Shared code for tests of backends on a pipe: scripted peers, and a check of what they leave behind."""

import glob
import json
import os
import pathlib
import shlex
import struct
import subprocess
import sys
import tempfile
import unittest

from spec_tests.progress import without_progress

ASSAY = os.environ["ASSAY"]
PEER = pathlib.Path(__file__).with_name("scripted_peer.py")
ADD = """HloModule m
ENTRY e {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  ROOT r = f32[2] add(a, b)
}
"""


def unary(opcode):
    return f"HloModule m\nENTRY e {{\n  a = f32[2] parameter(0)\n  ROOT r = f32[2] {opcode}(a)\n}}\n"


def bits(*values):
    return " ".join("x" + struct.pack(">f", v).hex() for v in values)


class PeerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(self.assert_nothing_is_left)

    def peer(self, behaviour):
        words = [sys.executable, str(PEER), behaviour, str(self.folder / "log")]
        return "process:exec " + shlex.join(words)

    def assert_nothing_is_left(self):
        """Checks that no process of a peer is left: each peer leads a group, and writes its process id to the log."""
        log = self.folder / "log"
        groups = {int(line.split()[2]) for line in log.read_text().splitlines()} if log.exists() else set()
        for stat in glob.glob("/proc/[0-9]*/stat"):
            try:
                fields = pathlib.Path(stat).read_text().rpartition(")")[2].split()
            except OSError:
                continue
            # assay has ended: a dead process that nobody has waited for is its adoptive parent's business.
            if fields[0] != "Z":
                self.assertNotIn(int(fields[2]), groups, f"a process of the group {fields[2]} is left: {stat}")
        self.assertEqual(glob.glob(str(self.folder / "tmp" / "assay-*")), [])

    def assay(self, *arguments):
        (self.folder / "tmp").mkdir(exist_ok=True)
        result = subprocess.run(
            [ASSAY, *map(str, arguments)], capture_output=True, timeout=600,
            env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
        )
        self.assertGreaterEqual(result.returncode, 0, result.stderr[-500:])
        result.stdout = result.stdout.decode(errors="replace")
        result.stderr = result.stderr.decode(errors="replace")
        return result

    def module(self, text=ADD):
        path = self.folder / "m.hlo"
        path.write_text(text)
        return path

    def golden(self, op, text):
        path = self.folder / "corpus" / op / "f32.hlo"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("//! clause ops/add.md\n//! provenance derived\n//! oracle hand\n" + text)

    def check(self, behaviour, *arguments):
        """Returns the exit code, and the verdict and report of each case. One peer runs all of them."""
        result = self.assay("check", "--backend", self.peer(behaviour), "--corpus", self.folder / "corpus",
                            "--jobs", "1", "--report", self.folder / "report", *arguments)
        self.assertEqual(without_progress(result.stderr), "")
        report = json.loads((self.folder / "report" / "results.json").read_text())
        return result, {case["name"]: case for case in report["cases"]}

    def two_cases(self):
        self.golden("add", f"//! case first for the verdict\n//! arg f32[2] {bits(1, 2)}\n//! arg f32[2] {bits(3, 5)}\n"
                           f"//! want f32[2] {bits(4, 7)}\n" + ADD)
        self.golden("negate", f"//! case second for the verdict\n//! arg f32[2] {bits(1, 2)}\n"
                              f"//! want f32[2] {bits(-1, -2)}\n" + unary("negate"))
