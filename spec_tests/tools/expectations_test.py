"""`assay check`: flakes, expectations that are rewritten, causes, and the profile that is met. ASSAY names the executable."""

import json

from command_line import CliTest, each, peer


# Three computations, each with its own case.
MODULE = """HloModule negations

one { x = f32[1] parameter(0) ROOT r = f32[1] negate(x) }
two { x = f32[2] parameter(0) ROOT r = f32[2] negate(x) }
ENTRY main { x = f32[3] parameter(0) ROOT r = f32[3] negate(x) }
"""
CASES = """//! case  first a number
//! entry one
//! arg   f32[1] 1
//! want  f32[1] -1

//! case  second two numbers
//! entry two
//! arg   f32[2] 1 2
//! want  f32[2] -1 -2

//! case  third three numbers
//! arg   f32[3] 1 2 3
//! want  f32[3] -1 -2 -3
"""
# Answers with what the file named by its argument has for the size of the array: a list of answers, the last one
# again and again. "right", "wrong", "die", "decline".
PEER = peer("""import pathlib, struct
answers = json.loads(pathlib.Path(sys.argv[1]).read_text())
asked = pathlib.Path(sys.argv[1] + ".asked")
value = message["inputs"][0][0]
size = value["shape"][4]
counts = json.loads(asked.read_text()) if asked.exists() else {}
counts[size] = counts.get(size, 0) + 1
asked.write_text(json.dumps(counts))
moods = answers[size]
mood = moods[min(counts[size], len(moods)) - 1]
if mood == "die":
    sys.exit(7)
numbers = struct.unpack(f"<{size}f", bytes.fromhex(value["data_hex"]))
numbers = [x if mood == "wrong" else -x for x in numbers]
reply = {"status": "ok" if mood != "decline" else "unsupported",
         "outputs": [{"shape": value["shape"], "data_hex": struct.pack(f"<{size}f", *numbers).hex()}]}
""", "moody")
# Dies of every request, and says why in the last of several lines: for two sizes the same but for numbers.
LAST_WORDS = peer("""
size = message["inputs"][0][0]["shape"][4]
reason = {"1": "no kernel for 1 elements at 0xb2", "2": "out of cheese", "3": "no kernel for 3 elements at 0x7f"}[size]
trace = "*** Check failure stack trace: ***\\n    @     0x7ff19b34  tsl::PThread::ThreadFn()\\n #0 0x12 (unknown)\\n"
sys.exit("frame " + "xyz"[int(size) - 1] + "\\n\\n  " + reason + "\\n" + (sys.argv[1] == "traced") * trace)
""", "talker")


class ExpectationsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.corpus = self.corpus_of(CASES, MODULE)
        self.known = self.folder / "known.json"

    def check(self, moods, *arguments, code):
        moods = {"1": ["right"], "2": ["right"], "3": ["right"], **moods}
        answers = self.file("moods.json", moods)
        (self.folder / "moods.json.asked").unlink(missing_ok=True)
        result = self.assay("check", "--backend", self.backend_of(PEER, answers), "--jobs", 1, "--corpus",
                            self.corpus, "--report", self.report, *arguments, code=code)
        self.found = self.results()
        self.standings = [case["standing"] for case in self.found["cases"]]
        return result

    def asked(self):
        return json.loads((self.folder / "moods.json.asked").read_text())

    def expect(self, *entries):
        self.file("known.json", {"cases": list(entries)})

    def entries(self):
        return json.loads(self.known.read_text())["cases"]

    def test_a_flake_is_distinguished_from_a_failure(self):
        moods = {"1": ["wrong", "right"], "2": ["wrong"], "3": ["right", "die"]}
        self.check(moods, code=1)
        self.assertEqual(self.standings, ["failed", "failed", "passed"])
        result = self.check(moods, "--retries", 2, code=1)
        self.assertEqual(self.standings, ["flaky", "failed", "passed"])
        self.assertEqual(self.found["cases"][0]["retries"], ["EXACT", "EXACT"])
        self.assertEqual(self.found["cases"][1]["retries"], ["FAIL", "FAIL"])
        self.assertNotIn("retries", self.found["cases"][2])
        self.assertIn("a flake: it ran again, and came to EXACT, EXACT", result.stdout)

    def test_a_flake_is_expected_with_all_its_verdicts(self):
        moods = {"1": ["die", "right", "wrong"]}
        row = {"name": "negate/f32/first", "reason": "unstable"}
        self.expect({**row, "verdict": ["CRASH", "EXACT"]})
        self.check(moods, "--retries", 2, "--expectations", self.known, code=1)
        self.expect({**row, "verdict": ["CRASH", "EXACT", "FAIL"]})
        self.check(moods, "--retries", 2, "--expectations", self.known, code=0)
        self.assertEqual(self.standings, ["expected", "passed", "passed"])

    def test_a_death_that_does_not_happen_again_accuses_no_case(self):
        moods = {"1": ["die"], "3": ["die", "right"]}
        result = self.check(moods, code=1)
        self.assertEqual(self.standings, ["failed", "passed", "flaky"])
        self.assertEqual([case["verdict"] for case in self.found["cases"]], ["CRASH", "EXACT", "EXACT"])
        deaths = [case.get("died_once") for case in self.found["cases"]]
        self.assertEqual(deaths[:2], [None, None])
        self.assertEqual(self.asked(), {"1": 2, "2": 1, "3": 2})
        self.assertIn("exit code 7", deaths[2])
        self.assertIn("it died once, and not when the case ran again alone", result.stdout)
        self.assertIn("; deaths that did not happen again: 1", result.stdout)
        self.check(moods, "--expectations", self.known, "--update-expectations", code=1)
        self.assertIn("negate/f32/third", json.loads(self.known.read_text())["died_once"])
        self.check(moods, "--expectations", self.known, code=0)
        self.assertEqual(self.standings, ["expected", "passed", "passed"])
        self.assertEqual(self.asked(), {"1": 1, "2": 1, "3": 2})
        self.file("known.json", {"cases": [], "died_once": ""})
        self.assertIn("died_once has no reason", self.check(moods, "--expectations", self.known, code=2).stderr)

    def test_expectations_are_brought_up_to_date(self):
        update = ("--expectations", self.known, "--update-expectations")
        # A new file: the failures and their reasons.
        result = self.check({"2": ["wrong"], "3": ["die"]}, *update, code=1)
        self.assertIn("known.json: 2 added, 0 changed, 0 removed", result.stdout)
        self.assertEqual([(row["name"], row["verdict"]) for row in self.entries()],
                         [("negate/f32/second", "FAIL"), ("negate/f32/third", "CRASH")])
        self.assertEqual(self.entries()[0]["reason"], "not examined: the operation is exact")
        self.check({"2": ["wrong"], "3": ["die"]}, "--expectations", self.known, code=0)
        # Another verdict has another reason, unless someone has written the one that is there.
        self.check({"2": ["die"], "3": ["die"]}, *update, code=1)
        rows = self.entries()
        self.assertEqual(rows[0]["verdict"], "CRASH")
        self.assertRegex(rows[0]["reason"], "^not examined: .*exit code 7")
        # Entries of cases that pass, and entries that match no case, are removed.
        rows[1]["reason"] = "issue 7"
        self.expect(*rows, {"name": "negate/f64/*", "verdict": "FAIL", "reason": "gone"})
        self.assertIn("known.json: 0 added, 1 changed, 2 removed", self.check({"3": ["wrong"]}, *update, code=1).stdout)
        self.assertEqual(self.entries(), [{"name": "negate/f32/third", "verdict": "FAIL", "reason": "issue 7"}])

    def test_an_update_keeps_what_it_does_not_know(self):
        self.known.write_text(json.dumps({
            "note": "reviewed by \u00e9", "cases": [
                {"name": "negate/f32/first", "issue": 7, "verdict": "FAIL", "reason": "known"},
                {"name": "negate/f32/second", "verdict": "FAIL", "reason": "known", "owner": {"team": ["a", "b"]}}],
            "backend": {"name": "moody"}}))
        self.check({"1": ["die"], "2": ["wrong"], "3": ["wrong"]}, "--expectations", self.known, "--update-expectations", code=1)
        document = json.loads(self.known.read_text())
        self.assertEqual(list(document), ["note", "cases", "backend"])
        self.assertEqual((document["note"], document["backend"]), ("reviewed by \u00e9", {"name": "moody"}))
        first, second, third = document["cases"]
        self.assertEqual(first, {"name": "negate/f32/first", "issue": 7, "verdict": "CRASH", "reason": "known"})
        self.assertEqual(second, {"name": "negate/f32/second", "verdict": "FAIL", "reason": "known",
                                  "owner": {"team": ["a", "b"]}})
        self.assertEqual(third["name"], "negate/f32/third")
        # One entry a line; unchanged parts stay as they were.
        self.assertIn('"verdict": "FAIL", "reason": "known", "owner": {"team": ["a", "b"]}}', self.known.read_text())
        self.assertEqual(sum(line.startswith('  {"name": ') for line in self.known.read_text().splitlines()), 3)

    def test_a_pattern_stays_and_its_exception_precedes_it(self):
        pattern = {"name": "negate/*", "verdict": "FAIL", "reason": "issue 8"}
        self.expect(pattern)
        moods = {"1": ["wrong"], "3": ["wrong"]}
        self.check(moods, "--expectations", self.known, "--update-expectations", code=1)
        self.assertEqual([(row["name"], row["verdict"]) for row in self.entries()],
                         [("negate/f32/second", "EXACT"), ("negate/*", "FAIL")])
        self.check(moods, "--expectations", self.known, code=0)

    def test_a_part_of_the_corpus_removes_nothing(self):
        self.expect({"name": "no/such/case", "verdict": "FAIL", "reason": "elsewhere"})
        result = self.check({}, "--expectations", self.known, "--update-expectations", "--filter", "first", code=0)
        self.assertIn("0 added, 0 changed, 0 removed", result.stdout)

    def test_a_slip_in_the_expectations_is_an_error_with_its_place(self):
        good = {"name": "negate/f32/first", "verdict": "FAIL", "reason": "issue 9"}
        verdicts = "EXACT, LEGAL, SPEC-GAP, UNSUPPORTED, WEAK, SUSPECT, FAIL, ERROR, TIMEOUT, CRASH"
        for entry, message in (
            ({**good, "verdict": "FIAL"}, f'known.json: cases[1]: unknown verdict "FIAL": expected one of {verdicts}: '),
            ({**good, "verdict": ["EXACT", "fail"]}, f'cases[1]: unknown verdict "fail": expected one of {verdicts}: '),
            ({**good, "verdict": "UNJUDGED"}, 'cases[1]: unknown verdict "UNJUDGED"'),
            ({**good, "verdicts": "FAIL"}, "cases[1]: unknown field verdicts, did you mean verdict?: "),
            ({"nam": "x", "verdict": "FAIL", "reason": "y"}, "cases[1]: unknown field nam, did you mean name?"),
            ({"verdict": "FAIL", "reason": "y"}, 'cases[1]: an entry has no name: {"reason":"y","verdict":"FAIL"}'),
            (3, "cases[1]: expected an object: 3"),
        ):
            with self.subTest(entry):
                self.expect(good, entry)
                for option in ((), ("--update-expectations",)):
                    self.assert_fails(2, message, "check", "--corpus", self.corpus, "--expectations", self.known,
                                      *option)
        self.file("known.json", {"casse": [good]})
        self.assert_fails(2, "known.json: unknown field casse, did you mean cases?", "check", "--corpus",
                          self.corpus, "--expectations", self.known)
        # A field that resembles none of assay's belongs to the user.
        self.file("known.json", {"note": "since May", "cases": [{**good, "owner": "ann"}]})
        self.check({"1": ["wrong"]}, "--expectations", self.known, code=0)

    def test_deaths_that_are_expected_count_for_no_limit(self):
        self.expect({"name": "negate/f32/*", "verdict": ["CRASH", "TIMEOUT"], "reason": "issue 10"})
        for name in ("f64", "f16"):
            self.corpus_of(CASES, MODULE, f"negate/{name}")
        dead = {size: ["die"] for size in "123"}
        result = self.check({**dead, "3": ["right"]}, "--expectations", self.known, "--most-deaths", 5, code=1)
        self.assertEqual(len(self.standings), 9)
        self.assertNotIn("ended by", result.stdout)
        # f16 comes first, and its three deaths are not among the expected ones.
        result = self.check(dead, "--expectations", self.known, "--most-deaths", 3, code=2)
        self.assertIn("; ended by 3 deaths of the backend (--most-deaths) before all had run", result.stdout)
        self.expect({"name": "negate/*", "verdict": "CRASH", "reason": "issue 10"})
        self.check(dead, "--expectations", self.known, "--most-deaths", 1, code=0)
        self.assertEqual(self.standings, ["expected"] * 9)
        # Another death than the expected one counts.
        self.expect({"name": "negate/*", "verdict": "TIMEOUT", "reason": "issue 10"})
        self.check(dead, "--expectations", self.known, "--most-deaths", 1, code=2)

    def test_causes_of_deaths_are_their_last_words(self):
        died = "the backend ended with exit code 1; its standard error ends with: "
        no_kernel, no_cheese = died + "no kernel for 1 elements at 0xb2", died + "out of cheese"
        for end in ("plain", "traced"):  # a stack trace below the message is no cause
            with self.subTest(end):
                result = self.assay("check", "--backend", self.backend_of(LAST_WORDS, end), "--corpus",
                                    self.corpus, "--report", self.report, code=1)
                causes = self.results()["clusters"]
                self.assertEqual([(cause["reason"], cause["cases"]) for cause in causes], [(no_kernel, 2), (no_cheese, 1)])
                # The line of a case as it happens has the same words.
                self.assertTrue(result.stdout.startswith(f"CRASH    negate/f32/first: {no_kernel} ("), result.stdout)

    def test_an_update_needs_a_file(self):
        self.assert_fails(2, "--update-expectations needs --expectations", "check", "--update-expectations")

    def test_causes_have_their_smallest_case(self):
        result = self.check({"1": ["decline"], "2": ["wrong"], "3": ["wrong"]}, code=1)
        self.assertEqual([(cause["verdict"], cause["cases"], cause["witness"]) for cause in self.found["clusters"]],
                         [("FAIL", 2, "negate/f32/second"), ("UNSUPPORTED", 1, "negate/f32/first")])
        self.assertIn("and 1 more of negate for this reason", result.stdout)
        self.assertEqual(result.stdout.count("negate/f32/third"), 1)  # as it happened
        result = self.check({"2": ["wrong"], "3": ["wrong"]}, "--verbose", code=1)
        self.assertEqual(result.stdout.count("negate/f32/third"), 2)

    def test_the_strictest_profile_that_is_met(self):
        self.check({}, code=0)
        self.assertEqual(self.found["profile_met"], {
            "profile": "exact", "cases": 3, "proven": 3, "text": "profile met: exact, on 3 of 3 cases"})
        result = self.check({"2": ["wrong"], "3": ["wrong"]}, code=1)
        self.assertEqual(self.found["profile_met"], {
            "profile": None, "next": {"profile": "fast", "cases": 2, "smallest": "negate/f32/second"}, "cases": 3, "proven": 3,
            "text": "profile met: none; outside of fast, the widest, are 2 cases, the smallest negate/f32/second"})
        self.assertIn("profile met: none; outside of fast, the widest, are 2 cases, the smallest negate/f32/second\n", result.stdout)

    @each((("ieee", "ieee"), ("ftz", "ftz"), ("xla", "xla")))
    def test_each_lawful_backend_meets_its_profile(self, profile, least):
        result = self.assay("check", "--backend", f"lawful:{profile}:1", "--profile", profile, "--filter",
                            "op=exponential | op=reduce | op=multiply", "--report", self.folder / profile)
        self.assertEqual(result.returncode, 0, result.stdout)
        met = self.results(profile)["profile_met"]
        self.assertEqual(met["profile"], least)
