"""Backends on a pipe that answer well, answer wrongly, die, hang and lie (scripted_peer.py): the verdict is theirs, the
run goes on, and nothing is left behind.
"""

import glob
import importlib.util
import json
import math
import os
import pathlib
import re
import resource
import shlex
import struct
import subprocess
import sys
import tempfile
import time
import unittest

if not importlib.util.find_spec("numpy"):
    raise unittest.SkipTest("no numpy here; tools/dev installs it")
import numpy as np

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
        """No process that a peer was or started: each peer leads a group, and has left its process id in the log."""
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
            [ASSAY, *map(str, arguments)], capture_output=True, timeout=120,
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
        """The exit code, and the verdict and report of each case. One peer hears all of them."""
        result = self.assay("check", "--backend", self.peer(behaviour), "--corpus", self.folder / "corpus",
                            "--jobs", "1", "--report", self.folder / "report", *arguments)
        self.assertEqual(result.stderr, "")
        report = json.loads((self.folder / "report" / "report.json").read_text())
        return result, {case["name"]: case for case in report["cases"]}

    def two_cases(self):
        self.golden("add", f"//! case first for the verdict\n//! arg f32[2] {bits(1, 2)}\n//! arg f32[2] {bits(3, 5)}\n"
                           f"//! want f32[2] {bits(4, 7)}\n" + ADD)
        self.golden("negate", f"//! case second for the verdict\n//! arg f32[2] {bits(1, 2)}\n"
                              f"//! want f32[2] {bits(-1, -2)}\n" + unary("negate"))


class RunTest(PeerTest):
    def run_on(self, behaviour, *arguments):
        return self.assay("run", self.module(), "--input", "f32[2] {1, 2}", "--input", "f32[2] {3, 5}", "--backend",
                          self.peer(behaviour), *arguments)

    def test_good_answers(self):
        for behaviour in ("honest", "late", "chatter", "quiet", "files"):
            with self.subTest(behaviour):
                result = self.run_on(behaviour)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "{4, 7}\n", ""))

    def test_backends_that_do_not_start(self):
        for behaviour, message in (
            ("die-at-hello", "ended with exit code 1; its standard error ends with:\nno device"),
            ("old-hello", "protocol version 1"),
            ("nameless", "no name"),
            ("garbage-hello", "no JSON object: Welcome!"),
            ('hello-with:{"max_devices": -5}', "max_devices of the backend's hello must be a number from 1"),
            ('hello-with:{"max_devices": 18446744073709551615}', "max_devices of the backend's hello"),
            ('hello-with:{"max_devices": "8"}', "max_devices of the backend's hello"),
            ('hello-with:{"ops": "add"}', "ops of the backend's hello must be null or a list of strings, found \"add\""),
            ('hello-with:{"types": ["f32", 3]}', "types of the backend's hello must be null or a list of strings"),
        ):
            with self.subTest(behaviour):
                result = self.run_on(behaviour)
                self.assertEqual((result.returncode, result.stdout), (3, ""))
                self.assertIn(message, result.stderr)
                self.assertEqual(result.stderr.count("error: "), 1)

    def test_a_backend_that_says_no_hello(self):
        start = time.monotonic()
        result = self.run_on("no-hello", "--time-limit", "1")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("no hello: the backend did not answer within 10 s", result.stderr)
        self.assertLess(time.monotonic() - start, 30)

    def test_a_program_that_is_not_there(self):
        for arguments in (("run",), ("diff",)):
            result = self.assay(*arguments, self.module(), "--backend", "process:/none/such --flag")
            self.assertEqual(result.returncode, 3)
            self.assertIn("not found", result.stderr)
        self.two_cases()
        result = self.assay("check", "--corpus", self.folder / "corpus", "--backend", "process:/none/such")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("not found", result.stderr)

    def test_bad_answers(self):
        for behaviour, code, message in (
            ("die", 3, "died of signal 11"),
            ("leave", 3, "ended with exit code 7; its standard error ends with:\nout of cheese"),
            ("garbage", 3, "no JSON object: }{ not json"),
            ("deep", 3, "no JSON object: "),
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
        ):
            with self.subTest(behaviour):
                result = self.run_on(behaviour)
                self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
                self.assertIn(message, result.stderr)
                self.assertEqual(len(re.findall("(?<!an )error: ", result.stderr)), 1)

    def test_backends_that_never_answer(self):
        for behaviour in ("hang", "stale", "stale-flood", "flood-errors"):
            with self.subTest(behaviour):
                start = time.monotonic()
                result = self.run_on(behaviour, "--time-limit", "1")
                self.assertEqual(result.returncode, 4, result.stderr[:500])
                self.assertIn("did not answer within 1 s", result.stderr)
                self.assertLess(time.monotonic() - start, 30)

    def test_a_line_without_end_is_cut_off(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        result = self.run_on("flood", "--time-limit", "20")
        self.assertEqual(result.returncode, 3)
        self.assertIn("a line of more than 10", result.stderr)
        # The reply may be a mebibyte; assay itself takes some 30.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, max(before, 200 << 10))

    def test_room_around_a_reply(self):
        self.assertEqual(self.run_on("padded:1000000").returncode, 0)

    def test_what_a_dead_peer_leaves_behind_does_not_hide_its_death(self):
        for behaviour in ("leave-child", "leave-child:setsid"):
            with self.subTest(behaviour):
                start = time.monotonic()
                result = self.run_on(behaviour, "--time-limit", "60")
                self.assertEqual(result.returncode, 3)
                self.assertIn("the backend ended with exit code 5", result.stderr)
                self.assertLess(time.monotonic() - start, 20)
                heard = self.folder / "log.heard"
                (child,) = re.findall(r"child (\d+)", heard.read_text())
                heard.unlink()
                self.assertFalse(pathlib.Path("/proc", child).exists())

    def test_files_that_are_no_files(self):
        n = 300_000
        np.save(self.folder / "a.npy", np.zeros(n, np.float32))
        module = self.module(ADD.replace("f32[2]", f"f32[{n}]"))
        for behaviour, message in (("files-bad:pipe", "is no regular file"), ("files-bad:link", "cannot be read"),
                                   ("files-bad:none", "cannot be read")):
            with self.subTest(behaviour):
                result = self.assay("run", module, *["--input", self.folder / "a.npy"] * 2, "--backend",
                                    self.peer(behaviour))
                self.assertEqual((result.returncode, result.stdout), (3, ""))
                self.assertIn(message, result.stderr)

    def test_goodbye(self):
        for behaviour in ("honest", "slow-bye", "deaf"):
            with self.subTest(behaviour):
                start = time.monotonic()
                self.assertEqual(self.run_on(behaviour).returncode, 0)
                self.assertEqual((self.folder / "log.heard").read_text(), "request 1\nbye\n")
                self.assertLess(time.monotonic() - start, 15)
                (self.folder / "log.heard").unlink()

    def test_what_goes_to_a_terminal(self):
        result = self.run_on("terminal")
        self.assertEqual(result.returncode, 3)
        self.assertIn("\\x1b[2Jclear\nsecond\\x00mmm", result.stderr)
        self.assertRegex(result.stderr, r"m\.\.\. \(10000\d\d bytes\)")
        self.assertLess(len(result.stderr), 10_000)
        self.assertFalse(set(result.stderr) & set(map(chr, [*range(0x20), *range(0x7F, 0xA0)])) - {"\n"})

    def test_waiting_costs_nothing(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(self.run_on("quiet").returncode, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # The peer closes its standard error and sleeps 1.5 s, through which a reader of closed pipes would spin.
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1.2)

    def test_big_arrays_in_files(self):
        n = 300_000
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


class CheckTest(PeerTest):
    def verdicts(self, cases):
        return {name: case["verdict"] for name, case in cases.items()}

    def test_honest(self):
        self.two_cases()
        result, cases = self.check("honest")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(self.verdicts(cases), {"add/f32/first": "EXACT", "negate/f32/second": "EXACT"})

    def test_the_next_case_runs_after_a_crash_and_a_hang(self):
        self.two_cases()
        for behaviour, verdict in (("die:add", "CRASH"), ("hang:add", "TIMEOUT")):
            with self.subTest(behaviour):
                result, cases = self.check(behaviour, "--timeout", "1")
                self.assertEqual(result.returncode, 1)
                self.assertEqual(self.verdicts(cases), {"add/f32/first": verdict, "negate/f32/second": "EXACT"})
                self.assertIn(verdict, result.stdout)

    def test_what_is_declined_is_counted_and_is_no_failure(self):
        self.two_cases()
        result, cases = self.check("unsupported")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(set(self.verdicts(cases).values()), {"UNSUPPORTED"})
        self.assertIn("2 UNSUPPORTED", result.stdout)

    def test_wrong_replies_are_crashes(self):
        self.two_cases()
        for behaviour in ("garbage", "wrong-id", "wrong-count", "leave"):
            with self.subTest(behaviour):
                result, cases = self.check(behaviour)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(set(self.verdicts(cases).values()), {"CRASH"})

    def test_what_proves_nothing_is_no_offender(self):
        self.two_cases()
        models = self.folder / "models"
        models.mkdir()
        (models / "two.hlo").write_text(ADD.replace("ROOT r = f32[2] add(a, b)", "y = f32[2] add(a, b)\n"
                                                    "  ROOT r = f32[2] negate(y)"))
        result, _ = self.check("mixed-up", "--models", models)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("\nweak: they prove nothing, and fail nothing\n  WEAK     model/two: every instruction alone is exact",
                      result.stdout)
        self.assertNotIn("offenders", result.stdout)

    def test_the_last_words_on_a_case_are_shown(self):
        self.two_cases()
        result, cases = self.check("talkative")
        self.assertEqual(self.verdicts(cases), {"add/f32/first": "EXACT", "negate/f32/second": "CRASH"})
        reason = cases["negate/f32/second"]["reason"].splitlines()
        self.assertEqual(reason[1:], ["about 2", *(f"line {i}" for i in range(20))])
        lines = result.stdout.splitlines()
        # When it happens, in one line; in the summary with the beginning and the end of what was said.
        self.assertRegex(lines[0], r"^CRASH    negate/f32/second: .* its standard error ends with: about 2 \(.*f32.hlo:4\)$")
        at = lines.index("offenders")
        self.assertTrue(lines[at + 1].startswith("  CRASH    negate/f32/second: "))
        self.assertEqual([line.strip() for line in lines[at + 2 : at + 8]],
                         ["about 2", "line 0", "line 1", "(16 more lines in the report)", "line 18", "line 19"])

    def test_a_reported_error_is_no_death(self):
        self.two_cases()
        result, cases = self.check("error")
        self.assertEqual((result.returncode, set(self.verdicts(cases).values())), (1, {"ERROR"}))
        self.assertIn("the backend reported an error: lowering failed", result.stdout)
        # The peer that reported the first error is asked for the second one.
        self.assertEqual(len((self.folder / "log").read_text().splitlines()), 1)

    def test_what_the_hello_leaves_out_is_not_asked_for(self):
        self.two_cases()
        result, cases = self.check("picky")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(self.verdicts(cases), {"add/f32/first": "EXACT", "negate/f32/second": "UNSUPPORTED"})
        self.assertEqual(cases["negate/f32/second"]["reason"], "negate is not among the ops of the backend's hello")
        self.assertEqual((self.folder / "log.heard").read_text(), "request 1\nbye\n")
        for field, reason in (('{"types": ["s32"]}', "f32 is not among the types of the backend's hello"),
                              ('{"ops": []}', "add is not among the ops of the backend's hello")):
            result, cases = self.check("hello-with:" + field)
            self.assertEqual(cases["add/f32/first"]["reason"], reason)
        twice = self.assay("run", self.module(), "--replicas", "2", "--backend", self.peer("honest"))
        self.assertEqual(twice.returncode, 2)
        self.assertIn("2 devices, and the backend's hello says max_devices 1", twice.stderr)

    def test_timeouts_of_any_size(self):
        self.two_cases()
        for timeout in ("1e10", "1e300"):
            result, cases = self.check("honest", "--timeout", timeout)
            self.assertEqual((result.returncode, set(self.verdicts(cases).values())), (0, {"EXACT"}))
        for timeout in ("nan", "inf", "0", "-1"):
            result = self.assay("check", "--corpus", self.folder / "corpus", "--timeout", timeout)
            self.assertEqual((result.returncode, result.stdout), (2, ""), timeout)

    def test_a_lie_is_named(self):
        self.two_cases()
        result, cases = self.check("lie:1")
        self.assertEqual(result.returncode, 1)
        worst = cases["add/f32/first"]["worst"]
        self.assertEqual(cases["add/f32/first"]["verdict"], "FAIL")
        # 7 is 1.75 * 4, 8 is 2 * 4: 0x40e00000 and 0x41000000, 2^21 steps apart.
        self.assertEqual((worst["offset"], worst["got"], worst["want"], worst["ulps"]),
                         (1, "x41000000 (8)", "x40e00000 (7)", 2**21))
        self.assertIn(": got x41000000 (8), want x40e00000 (7), exact value 7, 2097152 ULP", result.stdout)
        self.assertEqual(len(worst["inputs"]), 2)
        self.assertEqual(worst["exact"], "7")

    def test_functions_have_an_allowance(self):
        # tanh(0.5) = 0.46211715726000975850..., tanh(-1) = -0.76159415595576488811... (DLMF 4.28.2 in 20 digits).
        want = bits(0.46211715726000975850, -0.76159415595576488811)
        self.golden("tanh", f"//! case some for the verdict\n//! arg f32[2] {bits(0.5, -1)}\n//! want f32[2] {want}\n" + unary("tanh"))
        for behaviour, code, verdict, ulps in (
            ("honest", 0, "EXACT", None), ("off:1", 0, "LEGAL", 1), ("off:-1", 0, "LEGAL", 1),
            ("off:1000", 1, "FAIL", 1000), ("off:-1000", 1, "FAIL", 1000),
        ):
            with self.subTest(behaviour):
                result, cases = self.check(behaviour)
                case = cases["tanh/f32/some"]
                self.assertEqual((result.returncode, case["verdict"]), (code, verdict))
                self.assertEqual(case.get("worst", {}).get("ulps"), ulps)

    def test_sums_have_any_order(self):
        generator = np.random.default_rng(3)
        a, b = generator.standard_normal((2, 64)).astype(np.float32)
        # Products of two f32 are exact in f64, and fsum rounds their sum once.
        want = np.float32(math.fsum(float(x) * float(y) for x, y in zip(a, b)))
        text = ("HloModule m\nENTRY e {\n  a = f32[64] parameter(0)\n  b = f32[64] parameter(1)\n"
                "  ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n}\n")
        self.golden("dot", f"//! case line for the verdict\n//! arg f32[64] {bits(*a)}\n//! arg f32[64] {bits(*b)}\n"
                           f"//! want f32[] {bits(want)}\n" + text)
        result, cases = self.check("honest")
        self.assertEqual((result.returncode, cases["dot/f32/line"]["verdict"]), (0, "LEGAL"))
        self.assertEqual(cases["dot/f32/line"]["reason"], "reassociation")
        result, cases = self.check("off:100000")
        self.assertEqual((result.returncode, cases["dot/f32/line"]["verdict"]), (1, "FAIL"))

    def test_a_long_check_leaks_nothing(self):
        cases = "".join(f"//! case c{i} for the verdict\n//! arg f32[2] {bits(1, 2)}\n//! want f32[2] {bits(-1, -2)}\n"
                        for i in range(20))
        self.golden("negate", cases + unary("negate"))
        result, _ = self.check("die")
        self.assertEqual(result.returncode, 1)
        starts = [line.split() for line in (self.folder / "log").read_text().splitlines()]
        self.assertEqual(len(starts), 20)
        self.assertEqual({children for _, children, _ in starts}, {"1"})
        self.assertEqual(len({files for files, _, _ in starts}), 1, starts)


class DiffTest(PeerTest):
    def diff(self, behaviour, text, *arguments):
        result = self.assay("diff", self.module(text), "--backend", self.peer(behaviour), "--format", "json",
                            "--seed", "1", *arguments)
        return result.returncode, json.loads(result.stdout)

    def test_verdicts(self):
        for behaviour, text, code, verdict in (
            ("honest", ADD, 0, "EXACT"), ("lie:0", ADD, 1, "FAIL"), ("die", ADD, 1, "CRASH"),
            ("hang", ADD, 1, "TIMEOUT"), ("unsupported", ADD, 0, "UNSUPPORTED"), ("error", ADD, 1, "ERROR"),
            ("leave", ADD, 1, "CRASH"), ("off:1", unary("tanh"), 0, "LEGAL"), ("off:1000", unary("tanh"), 1, "FAIL"),
        ):
            with self.subTest(behaviour):
                got_code, report = self.diff(behaviour, text, "--timeout", "1")
                self.assertEqual((got_code, report["verdict"]), (code, verdict))

    def test_the_lie_is_found_in_its_instruction(self):
        _, report = self.diff("lie:1", ADD)
        self.assertTrue(report["was_cut"])
        (offender,) = report["offenders"]
        self.assertIn("add(", offender["instruction"])
        self.assertEqual((offender["line"], offender["verdict"], offender["worst"]["offset"]), (5, "FAIL", 1))

    def test_text(self):
        result = self.assay("diff", self.module(), "--backend", self.peer("lie:1"), "--seed", "1")
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stdout.startswith("FAIL: "))
        self.assertRegex(result.stdout, r"element \[1\] of x.* and x.*: got x")


if __name__ == "__main__":
    unittest.main()
