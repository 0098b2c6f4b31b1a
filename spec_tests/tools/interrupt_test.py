"""A run that SIGINT, SIGTERM or SIGHUP ends: the results so far are kept, and nothing is left behind."""

import glob
import os
import pathlib
import shlex
import signal
import subprocess
import time

from command_line import ASSAY, ENDLESS, NEGATE, CliTest, each, entry

from spec_tests import signals
from spec_tests.progress import without_progress

# Takes files, starts a child, records both process ids, and does not reply to its third request.
PEER = """
import json, os, subprocess, sys, time
child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
with open(sys.argv[1], "a") as file: file.write(f"{os.getpid()} {child.pid} ")
requests = 0
for message in map(json.loads, sys.stdin):
    if "bye" in message: break
    reply = {"hello": 1, "name": "slow", "version": "1", "files": True}
    if "hello" not in message:
        requests += 1
        open(sys.argv[1] + ".requests", "a").write("request ")
        if requests == 3: time.sleep(1000)
        reply = {"id": message["id"], "status": "error", "message": "no"}
    print(json.dumps(reply), flush=True)
"""


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class InterruptTest(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()
        # More than a mebibyte, so that the arrays travel in files.
        cases = "".join(f"//! case c{i} big\n//! arg f32[300000] 300000*1\n//! want f32[300000] 300000*-1\n" for i in range(4))
        self.corpus = self.corpus_of(cases, NEGATE.replace("[2]", "[300000]"))

    def start(self, *arguments):
        self.process = subprocess.Popen([ASSAY, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
                                        preexec_fn=signals.heed)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.stderr.close)

    def end(self, number=signal.SIGINT):
        """Sends a signal, and returns what assay prints, after checking its exit code."""
        self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=600)
        self.assertEqual(self.process.returncode, 128 + number)
        return output, errors

    def wait_for(self, is_so):
        """Waits until this holds; the test's own time limit is the only other end."""
        while not is_so():
            self.assertIsNone(self.process.poll(), "assay ended before")
            time.sleep(0.02)

    def peer(self, text=PEER):
        return self.backend_of(text, self.folder / "pids")

    def requests(self):
        path = self.folder / "pids.requests"
        return path.read_text().split() if path.exists() else []

    def assert_nothing_is_left(self):
        for pid in (self.folder / "pids").read_text().split():
            self.assertFalse(pathlib.Path("/proc", pid).exists(), pid)
        self.assertEqual(glob.glob(str(self.folder / "tmp" / "*")), [])

    @each(signals.ENDING)
    def test_a_check_that_waits_for_its_peer(self, number):
        self.start("check", "--corpus", self.corpus, "--backend", self.peer(), "--report", self.report)
        self.wait_for(lambda: len(self.requests()) == 3)
        self.assertNotEqual(glob.glob(str(self.folder / "tmp" / "*")), [])
        output, errors = self.end(number)
        self.assertEqual(without_progress(errors), "")
        self.assertIn(f": 2 cases, 2 ERROR; ended by {number.name} before all had run\n", output)
        document = self.results(self.report)
        self.assertEqual(document["ended_by"], number.name)
        self.assertEqual([case["name"] for case in document["cases"]], ["negate/f32/c0", "negate/f32/c1"])
        self.assert_nothing_is_left()
        for path in ("pids", "pids.requests", "report/results.json"):
            (self.folder / path).unlink()

    def test_a_check_whose_reference_does_not_end(self):
        self.file("models/endless.hlo", ENDLESS)
        self.start("check", "--corpus", self.corpus, "--models", self.models, "--report", self.report)
        journal = self.report / "journal.jsonl"
        self.wait_for(lambda: journal.exists() and "negate/f32/c3" in journal.read_text())
        output, _ = self.end()
        self.assertIn(": 4 cases, 4 EXACT; ended by SIGINT before all had run\n", output)

    def test_fuzzing_without_an_end_says_what_it_found(self):
        findings = self.folder / "findings"
        self.start("fuzz", "--backend", "mutant:concat_order", "--out", findings)
        self.wait_for(lambda: any(findings.glob("FAIL-concatenate*/finding.json")))
        output, _ = self.end()
        self.assertRegex(output, r"ended by SIGINT\n\d+ programs in .*; \d+ findings\n")
        self.assertIn("FAIL-concatenate", (findings / "index.html").read_text())

    def test_failures_are_shown_as_they_happen(self):
        self.start("check", "--corpus", self.corpus, "--backend", self.peer())
        line = self.process.stdout.readline()
        self.assertTrue(line.startswith("ERROR    negate/f32/c0: the backend reported an error: no ("), line)
        self.wait_for(lambda: len(self.requests()) == 3)
        self.end(signal.SIGTERM)

    def test_a_peer_dies_with_assay_whatever_kills_it(self):
        self.start("check", "--corpus", self.corpus, "--backend", self.peer())
        self.wait_for(lambda: len(self.requests()) == 3)
        self.process.kill()
        self.process.communicate(timeout=600)
        peer, child = (self.folder / "pids").read_text().split()
        while is_running(peer):
            time.sleep(0.02)
        # No process is left to find a child with its own session.
        os.kill(int(child), signal.SIGKILL)

    def test_other_commands(self):
        module = self.file("m.hlo", entry("a = f32[300000] parameter(0)", "ROOT r = f32[300000] negate(a)"))
        peer = self.peer(PEER.replace("requests == 3", "requests == 1"))
        for command in (("run", module), ("diff", module), ("explain", module),
                        ("accuracy", "--op", "negate", "--type", "f32", "--jobs", "2")):
            with self.subTest(command):
                self.start(*command, "--backend", peer)
                self.wait_for(self.requests)
                self.assertEqual(self.end(signal.SIGTERM)[0], "")
                self.assert_nothing_is_left()
                for path in ("pids", "pids.requests"):
                    (self.folder / path).unlink()

    def test_a_signal_that_is_ignored_stays_so(self):
        command = f"trap '' HUP; exec {shlex.quote(ASSAY)} run {self.endless()} --time-limit 3"
        process = subprocess.Popen(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while os.readlink(f"/proc/{process.pid}/exe") != os.path.realpath(ASSAY):
            time.sleep(0.02)
        for _ in range(20):  # from its first instruction on
            process.send_signal(signal.SIGHUP)
            time.sleep(0.05)
        _, errors = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 4)
        self.assertIn(b"time limit of 3 s", errors)
