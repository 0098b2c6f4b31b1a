"""`assay check` of backends on a pipe (scripted_peer.py): the verdict of each case, and that the run continues."""

import json
import math

import numpy as np
from peer_test_case import ADD, PeerTest, bits, unary


class CheckTest(PeerTest):
    def verdicts(self, cases):
        return {name: case["verdict"] for name, case in cases.items()}

    def test_honest(self):
        self.two_cases()
        result, cases = self.check("honest", code=0)
        self.assertEqual(self.verdicts(cases), {"add/f32/first": "EXACT", "negate/f32/second": "EXACT"})

    def test_the_next_case_runs_after_a_crash_and_a_hang(self):
        self.two_cases()
        for behaviour, verdict in (("die:add", "CRASH"), ("hang:add", "TIMEOUT")):
            with self.subTest(behaviour):
                result, cases = self.check(behaviour, "--timeout", "3", code=1)
                self.assertEqual(self.verdicts(cases), {"add/f32/first": verdict, "negate/f32/second": "EXACT"})
                self.assertIn(verdict, result.stdout)

    def test_declined_cases_are_counted_and_are_no_failures(self):
        self.two_cases()
        result, cases = self.check("unsupported", code=0)
        self.assertEqual(set(self.verdicts(cases).values()), {"UNSUPPORTED"})
        self.assertIn("2 UNSUPPORTED", result.stdout)

    def test_illegal_modules_must_be_refused(self):
        self.illegal_golden(ADD.replace("ROOT r = f32[2]", "ROOT r = f32[1,2]"), "longer", "declared")
        only = ("--filter", "refused/")
        # A refusal counts for a peer that runs the legal neighbour.
        for behaviour, verdict, code in (("verifying", "EXACT", 0), ("refusing", "UNSUPPORTED", 0),
                                         ("unsupported", "UNSUPPORTED", 0), ("obliging", "FAIL", 1), ("die:add", "CRASH", 1)):
            with self.subTest(behaviour):
                result, cases = self.check(behaviour, *only)
                self.assertEqual(self.verdicts(cases), {"refused/add/longer": verdict}, result.stdout)
                self.assertEqual(result.returncode, code)
        self.assertIn("a refusal that proves nothing: the backend does not run the legal neighbour either\n"
                      "add/f32/first: ERROR: the backend reported an error: it is illegal",
                      self.check("refusing", *only)[1]["refused/add/longer"]["reason"])
        self.assay("check", "--corpus", self.folder / "corpus", code=0)
        # A peer whose hello says that it has no verifier is not asked.
        result, cases = self.check('hello-with:{"verifies": false}', *only)
        self.assertEqual((result.returncode, cases["refused/add/longer"]["verdict"], cases["refused/add/longer"]["reason"]),
                         (0, "UNSUPPORTED", "modules that must be refused: the backend has no verifier"))
        result, cases = self.check('hello-with:{"verifies": true}', *only)
        self.assertNotEqual(cases["refused/add/longer"]["verdict"], "UNSUPPORTED")

    def test_wrong_replies_are_crashes(self):
        self.two_cases()
        for behaviour in ("garbage", "wrong-id", "wrong-count", "leave"):
            with self.subTest(behaviour):
                result, cases = self.check(behaviour, code=1)
                self.assertEqual(set(self.verdicts(cases).values()), {"CRASH"})

    def test_a_suspect_is_an_offender_unless_suspects_pass(self):
        self.two_cases()
        models = self.folder / "models"
        models.mkdir()
        # An all-to-all of a tuple has no set, so only the module's instructions are judged.
        (models / "two.hlo").write_text("""HloModule two
ENTRY e {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  y = f32[2] add(a, b)
  c = (f32[2]) all-to-all(y), replica_groups={{0}}
  ROOT r = f32[2] negate(y)
}
""")
        # Each instruction alone is exact, so only samples speak against the module.
        result, _ = self.check("mixed-up", "--models", models, code=1)
        self.assertIn("offenders\n  SUSPECT  model/two: far from lawful results", result.stdout)
        result, _ = self.check("mixed-up", "--models", models, "--suspects-pass", code=0)
        self.assertIn("\nweak: they prove nothing, and fail nothing\n  SUSPECT  model/two: far from lawful results",
                      result.stdout)
        self.assertNotIn("offenders", result.stdout)

    def test_the_last_words_on_a_case_are_shown(self):
        self.two_cases()
        result, cases = self.check("talkative")
        # A process that has run nothing else does not crash.
        self.assertEqual(self.verdicts(cases), {"add/f32/first": "EXACT", "negate/f32/second": "EXACT"})
        reason = cases["negate/f32/second"]["died_once"].splitlines()
        self.assertEqual(reason[1:], ["about 2", *(f"line {i}" for i in range(20))])
        lines = result.stdout.splitlines()
        # The crash is shown at once in one line, by its last words, and in the summary with the beginning and the end of them.
        self.assertRegex(lines[0], r"^EXACT    negate/f32/second: .* its standard error ends with: line 19 \(.*f32.hlo:4\); ")
        at = lines.index("offenders")
        self.assertTrue(lines[at + 1].startswith("  EXACT    negate/f32/second: "))
        self.assertEqual([line.strip() for line in lines[at + 2 : at + 8]],
                         ["about 2", "line 0", "line 1", "(16 more lines in the report)", "line 18", "line 19"])

    def test_a_model_that_is_died_of_runs_again_alone(self):
        self.golden("add", f"//! case first for the verdict\n//! arg f32[2] {bits(1, 2)}\n//! arg f32[2] {bits(3, 5)}\n"
                           f"//! want f32[2] {bits(4, 7)}\n" + ADD)
        models = self.folder / "models"
        models.mkdir()
        (models / "second.hlo").write_text(ADD)
        for behaviour, verdict, died_once in (("talkative", "EXACT", True), ("die:add", "CRASH", False)):
            with self.subTest(behaviour):
                result, _ = self.check(behaviour, "--models", models)
                model, = json.loads((self.folder / "report" / "results.json").read_text())["models"]
                self.assertEqual((result.returncode, model["verdict"]), (1, verdict), result.stdout)
                self.assertEqual("about 2" in model.get("died_once", ""), died_once)
        # A known crash does not run again.
        known = self.folder / "known.json"
        known.write_text(json.dumps({"cases": [{"name": "model/second", "verdict": "CRASH", "reason": "it dies"}]}))
        result, _ = self.check("talkative", "--models", models, "--expectations", known)
        model, = json.loads((self.folder / "report" / "results.json").read_text())["models"]
        self.assertEqual((result.returncode, model["verdict"], "died_once" in model), (0, "CRASH", False), result.stdout)

    def test_a_reported_error_is_no_death(self):
        self.two_cases()
        result, cases = self.check("error")
        self.assertEqual((result.returncode, set(self.verdicts(cases).values())), (1, {"ERROR"}))
        self.assertIn("the backend reported an error: lowering failed", result.stdout)
        # The peer that reported the first error also runs the second case.
        self.assertEqual(len((self.folder / "log").read_text().splitlines()), 1)

    def test_ops_that_the_hello_lacks_are_not_sent(self):
        self.two_cases()
        result, cases = self.check("picky", code=0)
        self.assertEqual(self.verdicts(cases), {"add/f32/first": "EXACT", "negate/f32/second": "UNSUPPORTED"})
        self.assertEqual(cases["negate/f32/second"]["reason"], "negate is not among the ops of the backend's hello")
        self.assertEqual((self.folder / "log.heard").read_text(), "request 1\nbye\n")
        for field, reason in (('{"types": ["s32"]}', "f32 is not among the types of the backend's hello"),
                              ('{"ops": []}', "add is not among the ops of the backend's hello")):
            result, cases = self.check("hello-with:" + field)
            self.assertEqual(cases["add/f32/first"]["reason"], reason)
        self.assert_fails(2, "2 devices, and the backend's hello says max_devices 1", "run", self.module(),
                          "--replicas", "2", "--backend", self.peer("honest"))

    def test_timeouts_of_any_size(self):
        self.two_cases()
        for timeout in ("1e10", "1e300"):
            result, cases = self.check("honest", "--timeout", timeout)
            self.assertEqual((result.returncode, set(self.verdicts(cases).values())), (0, {"EXACT"}))
        for timeout in ("nan", "inf", "0", "-1"):
            self.assert_fails(2, "--timeout", "check", "--corpus", self.folder / "corpus", "--timeout", timeout)

    def test_a_wrong_answer_is_named(self):
        self.two_cases()
        result, cases = self.check("lie:1", code=1)
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
        result, _ = self.check("die", code=1)
        starts = [line.split() for line in (self.folder / "log").read_text().splitlines()]
        self.assertEqual(len(starts), 40)  # each case runs again, alone
        self.assertEqual({children for _, children, _ in starts}, {"1"})
        # The first one starts before the journal is open. A start may meet files of the one before it that are about to
        # be closed; files that leak stay open in all later starts.
        files = [int(count) for count, _, _ in starts[1:]]
        self.assertEqual(min(files[20:]), min(files[:20]), starts)
