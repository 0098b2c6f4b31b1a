"""assay exhaust finds the faults that a peer has, with their inputs and distances, and nothing else."""

import json
import xml.etree.ElementTree

import faulty_peer
from command_line import CliTest, each


class ExhaustTest(CliTest):
    def exhaust(self, op, kind, *faults, options=(), code=None):
        jobs = () if "--jobs" in options else ("--jobs", "1")  # a peer takes longer to start than to compute
        return self.assay("exhaust", op, "--type", kind, "--backend", faulty_peer.backend(*faults),
                          "--out", self.folder, *jobs, *options, code=code)

    def survey(self, op, kind, *faults, code=0, options=()):
        run = self.exhaust(op, kind, *faults, options=options, code=code)
        survey = json.loads((self.folder / f"{op}.{kind}.json").read_text())["survey"]
        self.assertEqual(run.stdout.split(":")[0], survey["verdict"])
        return survey

    def assert_classes(self, survey, **counts):
        found = {name: entry["count"] for name, entry in survey["classes"].items() if entry["count"]}
        self.assertEqual(found, counts)
        self.assertEqual(survey["not_exact"], sum(counts.values()))

    @each((("tanh", "f16"), ("sqrt", "bf16"), ("divide", "f8e5m2"), ("add", "f8e4m3fn")))
    def test_a_peer_without_faults_is_exact(self, op, kind):
        survey = self.survey(op, kind)
        self.assertEqual((survey["verdict"], survey["elements"]), ("EXACT", 1 << 16))
        self.assert_classes(survey)
        self.assertEqual(survey["histogram"], [{"bucket": 0, "ulps": "0", "count": 1 << 16}])

    def test_distances_are_found_with_their_inputs(self):
        # tanh of f16: at 1 (3c00) it is 0.7616 = 3a18; at 2 (4000) 0.964 = 3bb6; at -3 (c200) -0.9951 = bbf6.
        survey = self.survey("tanh", "f16", "tanh=3c00:3a1b", "tanh=4000:3bb5", "tanh=c200:bbfb", code=1)
        self.assertEqual(survey["verdict"], "FAIL")
        self.assert_classes(survey, distance=3)
        self.assertEqual((survey["max_ulps"], survey["ulp_sum"]), (5, 9))
        example = survey["classes"]["distance"]["example"]
        self.assertEqual(example["input"], 0xC200)
        self.assertEqual(example["operands"], ["xc200 (-3)"])
        self.assertTrue(example["got"].startswith("xbbfb") and example["want"].startswith("xbbf6"), example)
        buckets = {entry["ulps"]: entry["count"] for entry in survey["histogram"]}
        self.assertEqual(buckets, {"0": 65533, "1": 1, "3 to 4": 1, "5 to 8": 1})
        # 256 columns: xc200 is -x4200, 0x4201 places left of the middle.
        columns = {i: column for i, column in enumerate(survey["columns"]) if column[1]}
        self.assertEqual(columns, {(0x8000 - 0x4201) >> 8: [5, 1, 0], 0xBC: [3, 1, 0], 0xC0: [1, 1, 0]})

    def test_a_distance_beyond_the_allowance_is_a_failure(self):
        survey = self.survey("tanh", "f16", "tanh=3c00:3a1f", code=1)
        self.assertEqual((survey["verdict"], survey["max_ulps"]), ("FAIL", 7))
        self.assertEqual((survey["worst"]["input"], survey["outside"]), (0x3C00, 1))
        # By a profile that allows nothing.
        survey = self.survey("tanh", "f16", "tanh=3c00:3a19", options=("--profile", "exact"), code=1)
        self.assertEqual(survey["outside"], 1)
        # An exact operation has no allowance.
        self.assertEqual(self.survey("sqrt", "f16", "sqrt=4400:4001", code=1)["verdict"], "FAIL")

    def test_wrong_specials_are_counted_by_kind(self):
        survey = self.survey(
            "sqrt", "bf16",
            "sqrt=4080:7fc0",  # sqrt(4) = NaN
            "sqrt=bf80:0000",  # sqrt(-1) = 0
            "sqrt=7f80:7f7f",  # sqrt(inf) = the largest number
            "sqrt=8000:0000",  # sqrt(-0) = +0
            "sqrt=0001:0000",  # sqrt(subnormal) = 0
            code=1,
        )  # fmt: skip
        self.assert_classes(survey, nan=2, infinity=1, zero_sign=1, flushed=1)
        self.assertEqual(survey["classes"]["flushed"]["example"]["input"], 1)
        self.assertEqual(survey["max_ulps"], 0)

    def test_a_peer_that_hangs_or_reports_an_error_has_a_verdict(self):
        for behaviour, verdict, timeout in (("hang", "TIMEOUT", "2"), ("error", "ERROR", "600")):
            run = self.exhaust("tanh", "f16", f"{behaviour}-at=tanh.f16", options=("--timeout", timeout))
            self.assertEqual((run.returncode, run.stdout.split(":")[0], run.stderr), (1, verdict, ""))
            self.assertIn("(0 of 1 pieces done)", run.stdout)

    def test_flushing_alone_is_legal(self):
        survey = self.survey("negate", "bf16", *[f"negate={code:04x}:8000" for code in range(1, 0x80)])
        self.assertEqual(survey["verdict"], "LEGAL")
        self.assert_classes(survey, flushed=127)

    # 1 / sqrt(3 * 2^-24) = 2364.83, in f16 2364 (689e), where the allowance is 1. 2366 (689f) is less than a unit off,
    # 2362 (689d) more. On a flushed operand it is infinity (7c00), and nothing is near that.
    @each([
        ("7c00", {"flushed": 1}, "LEGAL"),
        ("7bff", {"distance": 1}, "FAIL"),
        ("689f", {"distance": 1}, "LEGAL"),
        ("689d", {"distance": 1}, "FAIL"),
    ])
    def test_flushed_operands_or_an_error_of_rounding(self, output, counts, verdict):
        survey = self.survey("rsqrt", "f16", f"rsqrt=0003:{output}", code=verdict == "FAIL")
        self.assert_classes(survey, **counts)
        self.assertEqual(survey["verdict"], verdict)

    def test_pairs(self):
        # 1.5 * 1.5 = 2.25 -> 2 (40) in f8e5m2 by ties to even; 2.5 is 41.
        survey = self.survey("multiply", "f8e5m2", "multiply=3e,3e:41", code=1)
        self.assert_classes(survey, distance=1)
        self.assertEqual(survey["classes"]["distance"]["example"]["input"], 0x3E3E)
        self.assertEqual(survey["classes"]["distance"]["example"]["operands"], ["x3e (1.5)", "x3e (1.5)"])

    def test_a_part_of_the_f32_numbers(self):
        options = ("--first", str(0x3F7FFF00), "--count", "1000", "--piece", "300")
        survey = self.survey("sqrt", "f32", "sqrt=3f800000:3f800002", options=options, code=1)
        self.assertEqual((survey["elements"], survey["max_ulps"]), (1000, 2))
        self.assertEqual(survey["classes"]["distance"]["example"]["input"], 0x3F800000)

    def test_an_interrupted_sweep_resumes(self):
        options = ("--piece", "8192", "--jobs", "1")
        # The peer dies in the first run and in the next goes on to the end; the fault lies in the part done first.
        run = self.exhaust("tanh", "f16", "tanh=0c00:0bff", "die-after=3", options=options)
        self.assertEqual((run.returncode, run.stdout.split(":")[0]), (1, "CRASH"), run.stdout)
        self.assertIn("(3 of 8 pieces done)", run.stdout)
        state = self.folder / "tanh.f16.state.json"
        self.assertEqual(json.loads(state.read_text())["pieces_done"], [0, 1, 2])
        self.assertFalse((self.folder / "tanh.f16.json").exists())
        # Nor another profile's state, nor another backend's is taken over.
        run = self.exhaust("tanh", "f16", "tanh=0c00:0bff", "die-after=3", options=(*options, "--profile", "ieee"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("belongs to another sweep", run.stderr)
        run = self.exhaust("tanh", "f16", options=options, code=2)
        self.assertIn("belongs to another sweep", run.stderr)
        run = self.exhaust("tanh", "f16", "tanh=0c00:0bff", "die-after=3", options=options)
        self.assertIn("(6 of 8 pieces done)", run.stdout)
        survey = self.survey("tanh", "f16", "tanh=0c00:0bff", "die-after=3", options=options)
        self.assertEqual(survey, self.survey("tanh", "f16", "tanh=0c00:0bff"))
        self.assertFalse(state.exists())

    def test_two_workers_have_the_results_of_one(self):
        faults = ["tanh=3c00:3a1b", "tanh=bc00:ba1b", "tanh=4000:3bb5"]
        one = self.survey("tanh", "f16", *faults, code=1, options=("--piece", "5000", "--jobs", "1"))
        two = self.survey("tanh", "f16", *faults, code=1, options=("--piece", "5000", "--jobs", "2"))
        self.assertEqual(one, two)
        self.assertEqual(one["classes"]["distance"]["example"]["input"], 0x3C00)

    def test_the_plot_is_xml_with_a_bar_for_each_column_with_an_error(self):
        self.survey("tanh", "f16", "tanh=3c00:3a1b", "tanh=4000:7c00", code=1)
        tree = xml.etree.ElementTree.parse(self.folder / "tanh.f16.svg")
        fills = [rect.get("fill") for rect in tree.iter("{http://www.w3.org/2000/svg}rect")]
        self.assertEqual(sorted(fills), ["#3366aa", "#cc2222", "white"])

    def test_operations_that_cannot_be_measured_are_errors(self):
        for op, kind, message in [
            ("no-such-op", "f16", "unknown operation no-such-op"), ("tanh", "f17", "unknown element type f17"),
            ("tanh", "s8", "not a float type"), ("dot", "f16", "not an element-wise operation"),
            ("clamp", "f16", "one or two operands"), ("tanh", "f64", "more than 2^32 inputs"),
        ]:
            with self.subTest(op=op, kind=kind):
                self.assertIn(message, self.exhaust(op, kind, code=2).stderr)
        self.exhaust("tanh", "f16", options=("--first", "65000", "--count", "1000"), code=2)
        self.assertEqual(self.exhaust("cosine", "f16", code=0).stdout.split(":")[0], "UNSUPPORTED")
