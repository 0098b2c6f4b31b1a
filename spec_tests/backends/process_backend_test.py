"""Backends on a pipe that reply well, reply wrongly, crash, hang and violate the protocol (scripted_peer.py): each gets
its verdict, the run continues, and nothing is left behind.
"""

import json
import pathlib
import re
import resource
import shlex

import numpy as np
from peer_test_case import ADD, PeerTest, unary

from spec_tests.tools.command_line import ASSAY, each, ran


class RunTest(PeerTest):
    def run_on(self, behaviour, *arguments, code=None):
        return self.assay("run", self.module(), "--input", "f32[2] {1, 2}", "--input", "f32[2] {3, 5}", "--backend",
                          self.peer(behaviour), *arguments, code=code)

    @each(("honest", "late", "chatter", "quiet", "files", "padded:1000000"))
    def test_good_answers(self, behaviour):
        result = self.run_on(behaviour)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "{4, 7}\n", ""))

    def test_standard_descriptors_that_are_closed(self):
        """A pipe of the peer must not get the number of one of them."""
        words = " ".join(map(shlex.quote, [ASSAY, "run", str(self.module()), "--input", "f32[2] {1, 2}", "--input", "f32[2] {3, 5}",
                                           "--backend", self.peer("honest"), "--out", str(self.folder / "out")]))
        for closed in ("<&-", "2>&-", "<&- 2>&-", ">&-", "<&- >&- 2>&-"):
            with self.subTest(closed):
                done = ran("sh", "-c", f"{words} {closed}", timeout=600)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
                np.testing.assert_array_equal(np.load(self.folder / "out/output.npy"), np.float32([4, 7]))
                (self.folder / "out/output.npy").unlink()

    @each((
        ("die-at-hello", "ended with exit code 1; its standard error ends with:\nno device"),
        ("old-hello", "protocol version 1"),
        ("nameless", "no name"),
        ("garbage-hello", "not a JSON object: Welcome!"),
        ('hello-with:{"max_devices": -5}', "max_devices of the backend's hello must be a number from 1"),
        ('hello-with:{"max_devices": 18446744073709551615}', "max_devices of the backend's hello"),
        ('hello-with:{"max_devices": "8"}', "max_devices of the backend's hello"),
        ('hello-with:{"ops": "add"}', "ops of the backend's hello must be null or a list of strings, found \"add\""),
        ('hello-with:{"types": ["f32", 3]}', "types of the backend's hello must be null or a list of strings"),
    ))
    def test_backends_that_do_not_start(self, behaviour, message):
        result = self.run_on(behaviour)
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stderr.count("error: "), 1)

    def test_a_backend_that_says_no_hello(self):
        result = self.run_on("no-hello", "--time-limit", "1", code=3)
        self.assertIn("no hello: the backend did not answer within 10 s", result.stderr)

    def test_a_program_that_is_not_there(self):
        self.two_cases()
        for arguments in (["run", self.module()], ["diff", self.module()],
                          ["check", "--corpus", self.folder / "corpus"]):
            result = self.assay(*arguments, "--backend", "process:/none/such --flag", code=3)
            self.assertEqual(result.stdout, "")
            self.assertIn("not found", result.stderr)

    @each((
        ("die", 3, "died of signal 11"),
        ("leave", 3, "ended with exit code 7; its standard error ends with:\nout of cheese"),
        ("garbage", 3, "not a JSON object: }{ not json"),
        ("deep", 3, "not a JSON object: "),
        ("wrong-id", 3, "expected the reply to request 1"),
        ("text-id", 3, "expected the reply to request 1"),
        ("wrong-shape", 3, "expected a value of shape f32[2], found f32[3]"),
        ("wrong-type", 3, "expected a value of shape f32[2], found s32[2]"),
        ("wrong-count", 3, "16 digits, found 8"),
        ("huge-shape", 3, "output"),
        ("no-file", 3, "/none is not in the folder of the request's arrays"),
        ("other-file:/dev/zero", 3, "/dev/zero is not in the folder of the request's arrays"),
        ("other-file:pipe", 3, "log.pipe is not in the folder of the request's arrays"),
        ("cut", 3, "ended with exit code 0; of a line it had sent: {\"id\": 1, \"status\":"),
        ("padded:2000000", 3, "a line of more than 10"),
        ("no-outputs", 3, "outputs of 1 devices"),
        ("two-devices", 3, "outputs of 1 devices"),
        ("no-status", 3, "no known status"),
        ("error", 3, "the backend reported an error: lowering failed"),
        ("unsupported", 2, "no rule for this"),
    ))
    def test_bad_answers(self, behaviour, code, message):
        result = self.run_on(behaviour)
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual(len(re.findall("(?<!an )error: ", result.stderr)), 1)

    @each(("hang", "stale", "stale-flood", "flood-errors"))
    def test_backends_that_never_answer(self, behaviour):
        result = self.run_on(behaviour, "--time-limit", "1", code=4)
        # On a busy machine the limit may be met between two lines of the backend.
        self.assertRegex(result.stderr, r"did not answer within 1 s|time limit of 1 s \(--time-limit\)")

    def test_a_line_without_end_is_cut_off(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertIn("a line of more than 10", self.run_on("flood", "--time-limit", "20", code=3).stderr)
        # The reply may be a mebibyte; assay itself takes some 30.
        self.assertLessEqual(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, max(before, 200 << 10))

    @each(("leave-child", "leave-child:setsid"))
    def test_processes_of_a_dead_peer_do_not_hide_its_death(self, behaviour):
        # The limit is longer than the test waits: only the death of the peer ends the run.
        result = self.run_on(behaviour, "--time-limit", "10000", code=3)
        self.assertIn("the backend ended with exit code 5", result.stderr)
        heard = self.folder / "log.heard"
        (child,) = re.findall(r"child (\d+)", heard.read_text())
        heard.unlink()
        self.assertFalse(pathlib.Path("/proc", child).exists())

    def test_files_that_are_no_files(self):
        n = 300_000
        np.save(self.folder / "a.npy", np.zeros(n, np.float32))
        module = self.module(ADD.replace("f32[2]", f"f32[{n}]"))
        for behaviour, message in (("files-bad:pipe", "is not a regular file"), ("files-bad:link", "cannot be read"),
                                   ("files-bad:none", "cannot be read")):
            with self.subTest(behaviour):
                result = self.assay("run", module, *["--input", self.folder / "a.npy"] * 2, "--backend",
                                    self.peer(behaviour))
                self.assertEqual((result.returncode, result.stdout), (3, ""))
                self.assertIn(message, result.stderr)

    @each(("honest", "slow-bye", "deaf"))
    def test_goodbye(self, behaviour):
        self.assertEqual(self.run_on(behaviour).returncode, 0)
        self.assertEqual((self.folder / "log.heard").read_text(), "request 1\nbye\n")
        (self.folder / "log.heard").unlink()

    def test_texts_for_a_terminal_are_escaped(self):
        result = self.run_on("terminal", code=3)
        self.assertIn("\\x1b[2Jclear\nsecond\\x00mmm", result.stderr)
        self.assertRegex(result.stderr, r"m\.\.\. \(10000\d\d bytes\)")
        self.assertLess(len(result.stderr), 10_000)
        self.assertFalse(set(result.stderr) & set(map(chr, [*range(0x20), *range(0x7F, 0xA0)])) - {"\n"})

    def test_waiting_costs_nothing(self):
        self.assertEqual(self.run_on("quiet").returncode, 0)
        # The peer closes its standard error and sleeps 1.5 s. A reader of closed pipes would spin in that time. assay
        # computes for a few ticks of 10 ms, its own timers included, whatever else the machine does. A reader that
        # spins computes for 150 ticks, and for 15 next to nine other processes on each core.
        (ticks,) = re.findall(r"parent computed (\d+)", (self.folder / "log.heard").read_text())
        self.assertLess(int(ticks), 10)

    def test_big_arrays_in_files(self):
        n = 20_000
        module = self.module(ADD.replace("f32[2]", f"f32[{n}]"))
        a = np.arange(n, dtype=np.float32)
        np.save(self.folder / "a.npy", a)
        for behaviour in ("honest", "files", "files-both-ways"):
            with self.subTest(behaviour):
                out = self.folder / behaviour
                result = self.assay("run", module, *["--input", self.folder / "a.npy"] * 2, "--backend",
                                    self.peer(behaviour), "--out", out)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                np.testing.assert_array_equal(np.load(out / "output.npy"), 2 * a)


class DiffTest(PeerTest):
    def diff(self, behaviour, text, *arguments):
        result = self.assay("diff", self.module(text), "--backend", self.peer(behaviour), "--format", "json",
                            "--seed", "1", *arguments)
        return result.returncode, json.loads(result.stdout)

    @each((
        ("honest", ADD, 0, "EXACT"), ("lie:0", ADD, 1, "FAIL"), ("die", ADD, 1, "CRASH"),
        ("hang", ADD, 1, "TIMEOUT"), ("unsupported", ADD, 0, "UNSUPPORTED"), ("error", ADD, 1, "ERROR"),
        ("leave", ADD, 1, "CRASH"), ("off:1", unary("tanh"), 0, "LEGAL"), ("off:1000", unary("tanh"), 1, "FAIL"),
    ))
    def test_verdicts(self, behaviour, text, code, verdict):
        # Only a peer that hangs reaches its time limit, however slow the machine is.
        got_code, report = self.diff(behaviour, text, "--timeout", "1" if behaviour == "hang" else "600")
        self.assertEqual((got_code, report["verdict"]), (code, verdict))

    def test_the_wrong_instruction_is_found(self):
        _, report = self.diff("lie:1", ADD)
        self.assertTrue(report["was_cut"])
        (offender,) = report["offenders"]
        self.assertIn("add(", offender["instruction"])
        self.assertEqual((offender["line"], offender["verdict"], offender["worst"]["offset"]), (5, "FAIL", 1))

    def test_text(self):
        result = self.assay("diff", self.module(), "--backend", self.peer("lie:1"), "--seed", "1", code=1)
        self.assertTrue(result.stdout.startswith("FAIL: "))
        self.assertRegex(result.stdout, r"element \[1\] of x.* and x.*: got x")
