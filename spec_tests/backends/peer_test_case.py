"""Shared code for tests of backends on a pipe: scripted peers, and a check of what they leave behind."""

import glob
import json
import os
import pathlib
import shlex
import struct
import sys

from spec_tests.progress import without_progress
from spec_tests.tools.command_line import ADD, CliTest

PEER = pathlib.Path(__file__).with_name("scripted_peer.py")
HEADERS = "//! clause ops/add.md\n//! provenance derived\n//! oracle hand\n"


def unary(opcode):
    return f"HloModule m\nENTRY e {{\n  a = f32[2] parameter(0)\n  ROOT r = f32[2] {opcode}(a)\n}}\n"


def bits(*values):
    return " ".join("x" + struct.pack(">f", v).hex() for v in values)


class PeerTest(CliTest):
    def setUp(self):
        super().setUp()
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

    def assay(self, *arguments, **options):
        (self.folder / "tmp").mkdir(exist_ok=True)
        return super().assay(*arguments, env={**os.environ, "TMPDIR": str(self.folder / "tmp")}, **options)

    def module(self, text=ADD):
        return self.file("m.hlo", text)

    def golden(self, op, text, name="f32"):
        path = self.folder / "corpus" / op / f"{name}.hlo"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEADERS + text)

    def illegal_golden(self, text, name, message):
        """Writes a case that must be refused, beside the case of add, its neighbour."""
        self.two_cases()
        directives = f"//! case {name} illegal\n//! refused {message}\n//! neighbour add/f32/first\n"
        self.golden("refused", text + directives, "add")

    def check(self, behaviour, *arguments, code=None):
        """Returns the run, and the report of each case by its name. One peer runs all of them."""
        result = self.assay("check", "--backend", self.peer(behaviour), "--corpus", self.folder / "corpus",
                            "--jobs", "1", "--report", self.folder / "report", *arguments, code=code)
        self.assertEqual(without_progress(result.stderr), "")
        report = json.loads((self.folder / "report" / "results.json").read_text())
        return result, {case["name"]: case for case in report["cases"]}

    def two_cases(self):
        self.golden("add", f"//! case first for the verdict\n//! arg f32[2] {bits(1, 2)}\n//! arg f32[2] {bits(3, 5)}\n"
                           f"//! want f32[2] {bits(4, 7)}\n" + ADD)
        self.golden("negate", f"//! case second for the verdict\n//! arg f32[2] {bits(1, 2)}\n"
                              f"//! want f32[2] {bits(-1, -2)}\n" + unary("negate"))
