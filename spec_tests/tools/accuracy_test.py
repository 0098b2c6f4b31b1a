"""assay accuracy reports what a peer gets wrong, for each operation and type: as a table, as JSON, as a page."""

import html.parser
import json
import math

import faulty_peer
from command_line import CliTest, each

from spec_tests.nightly import is_nightly

# Ops of one operand and of two, and one with another result type.
SOME_OPS = ("abs", "add", "divide", "exponential", "tanh")


class Tags(html.parser.HTMLParser):
    """Counts the elements of a page, and checks that they close in order."""

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


class AccuracyTest(CliTest):
    def accuracy(self, backend, *options, code=None):
        jobs = () if "--jobs" in options else ("--jobs", "1")  # a peer takes longer to start than to compute
        return self.assay("accuracy", "--backend", backend, "--out", self.folder, *jobs, *options, code=code)

    def rows(self):
        card = json.loads((self.folder / "accuracy.json").read_text())
        return {(row["op"], row["type"]): row for row in card["rows"]}

    def test_the_reference_has_no_error(self):
        some = () if is_nightly("the accuracy of the reference for all operations") else SOME_OPS
        self.accuracy("reference", "--samples", "3000", *(word for op in some for word in ("--op", op)), code=0)
        rows = self.rows()
        self.assertTrue(some or len({op for op, _ in rows}) > 30)
        self.assertEqual({row["verdict"] for row in rows.values()}, {"EXACT"})
        self.assertEqual({row["survey"]["not_exact"] for row in rows.values()}, {0})
        # All patterns of the narrow types, pairs of those of at most 8 bits. Types: 4 wide, 8 of 8 bits, 3 others, 2
        # complex ones.
        self.assertEqual(len({kind for op, kind in rows if op == "tanh"}), 4 + 8 + 3 + 2)
        self.assertEqual(rows["tanh", "bf16"]["survey"]["elements"], 1 << 16)
        self.assertEqual(rows["add", "f8e5m2"]["survey"]["elements"], 1 << 16)
        self.assertEqual(rows["add", "f4e2m1fn"]["survey"]["elements"], 1 << 8)
        sampled = {key for key, row in rows.items() if not row["exhaustive"]}
        self.assertEqual({kind for _, kind in sampled}, {"f32", "f64", "f16", "bf16", "c64", "c128"})
        self.assertEqual({rows[key]["survey"]["elements"] for key in sampled if key[1][0] != "c"}, {3000})
        # The parts of complex results count one by one; abs has none.
        self.assertEqual(rows["tanh", "c64"]["survey"]["elements"], 6000)
        self.assertEqual(rows["abs", "c64"]["survey"]["elements"], 3000)
        self.assertNotIn(("dot", "f32"), rows)

    def test_faults_and_gaps_of_a_peer(self):
        # sqrt(4) = 2 + 3 steps in bf16; sqrt(-0) = 0 in f8e5m2; everything else is right, or the peer has not got it.
        backend = faulty_peer.backend("sqrt.bf16=4080:4003", "sqrt.f8e5m2=80:00")
        run = self.accuracy(backend, "--op", "sqrt", "--op", "tan", "--type", "bf16", "--type", "f8e5m2", "--type",
                            "f32", "--samples", "2000", code=1)
        rows = self.rows()
        verdicts = {key: row["verdict"] for key, row in rows.items()}
        self.assertEqual(verdicts,
                         {("sqrt", "bf16"): "FAIL", ("sqrt", "f8e5m2"): "FAIL", ("sqrt", "f32"): "EXACT",
                          ("tan", "bf16"): "UNSUPPORTED", ("tan", "f8e5m2"): "UNSUPPORTED",
                          ("tan", "f32"): "UNSUPPORTED"})
        self.assertNotIn("survey", rows["tan", "f32"])
        self.assertEqual(rows["sqrt", "bf16"]["survey"]["max_ulps"], 3)
        self.assertEqual(rows["sqrt", "f8e5m2"]["survey"]["classes"]["zero_sign"]["count"], 1)
        table = (self.folder / "accuracy.md").read_text()
        self.assertTrue(run.stdout.endswith(table))
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
        lines = {line[0]: line[1:] for line in cells}
        self.assertEqual(lines["sqrt"], ["0", "-", "-", "3 / 0.0015%", "0", "f8e5m2 1", "", "bf16 1, f8e5m2 1"])
        self.assertEqual(lines["tan"], ["-", "-", "-", "-", "-", "", "", ""])
        tags = Tags((self.folder / "accuracy.html").read_text())
        self.assertEqual(tags.open, [])
        self.assertEqual((tags.counts["svg"], tags.counts["tr"]), (2, 7))

    # -0, the infinities, the least subnormal: each fault is found though 1000 of 2^32 numbers are looked at.
    @each(("80000000:00000000", "7f800000:7f7fffff", "00000001:1a3504f4"))
    def test_a_sample_has_the_special_values(self, patterns):
        run = self.accuracy(faulty_peer.backend(f"sqrt={patterns}"), "--op", "sqrt", "--type", "f32",
                            "--samples", "1000")  # fmt: skip
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertEqual(self.rows()["sqrt", "f32"]["survey"]["not_exact"], 1)

    def test_parts_and_norm_of_complex_numbers(self):
        # -(1 + i) = -1 - i; the imaginary part is 3 steps off, 3 * 2^-23 where |want| = 1.41 has places of 2^-23.
        run = self.accuracy(faulty_peer.backend("negate=3f8000003f800000:bf800003bf800000"), "--op", "negate",
                            "--type", "c64", "--samples", "900", code=1)
        survey = self.rows()["negate", "c64"]["survey"]
        self.assertEqual((survey["elements"], survey["not_exact"], survey["outside"]), (1800, 1, 1))
        self.assertEqual((survey["max_ulps"], survey["norm"]["ulps"]), (3, 3))
        self.assertEqual(survey["norm"]["operands"], ["x3f800000 (1), x3f800000 (1)"])
        line = run.stdout.strip().splitlines()[-1]
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        self.assertEqual(cells, ["negate", "3 / 0.056%", "3", "-", "-", "", "", "c64 1"])

    def test_a_sample_of_complex_numbers_has_special_parts(self):
        # (-0, inf) negated.
        run = self.accuracy(faulty_peer.backend("negate=7f80000080000000:ff80000080000000"), "--op", "negate",
                            "--type", "c64", "--samples", "900", code=1)
        self.assertEqual(self.rows()["negate", "c64"]["survey"]["classes"]["zero_sign"]["count"], 1)

    def test_the_profile_gives_the_verdict(self):
        # tanh(1) = 0.7616 rounds to x3a18 in f16, 3 steps off; the exact value is 3.26 units in the last place off.
        units = (0.76318359375 - math.tanh(1)) * 2**11

        def verdict(profile):
            run = self.accuracy(faulty_peer.backend("tanh=3c00:3a1b"), "--op", "tanh", "--type", "f16",
                                "--profile", profile)  # fmt: skip
            survey = self.rows()["tanh", "f16"]["survey"]
            self.assertEqual((run.returncode, survey["max_ulps"]), (int(survey["verdict"] == "FAIL"), 3))
            return survey["verdict"], survey["outside"], round(survey.get("share", 0), 9)

        def allowing(ulp):
            row = {"op": "tanh", "types": ["f16"], "ulp": ulp, "source": "a test"}
            return self.file("own.json", {"name": "own", "extends": "xla", "meaning": "A test.", "allowances": [row]})

        self.assertEqual(verdict(allowing(4)), ("LEGAL", 0, round(units / 4, 9)))
        self.assertEqual(verdict(allowing(2)), ("FAIL", 1, round(units / 2, 9)))
        self.assertEqual(json.loads((self.folder / "accuracy.json").read_text())["profile"], "own")
        self.assertEqual(verdict("exact")[:2], ("FAIL", 1))
        self.assertEqual(self.accuracy("reference", "--profile", "no-such").returncode, 2)

    def test_a_moderate_sample_has_neither_special_nor_extreme_numbers(self):
        for pattern in ("00000000", "7f800000", "00000001"):
            options = ("--op", "sqrt", "--type", "f32", "--samples", "3000", "--moderate")
            self.assertEqual(self.accuracy(faulty_peer.backend(f"sqrt={pattern}:7fc00000"), *options).returncode, 0)
        self.assertEqual(self.rows()["sqrt", "f32"]["survey"]["columns"][0], [0, 0, 0])

    def test_a_peer_that_dies_is_started_again_for_the_next_row(self):
        run = self.accuracy(faulty_peer.backend("die-after=1"), "--jobs", "1", "--op", "negate", "--type", "f16",
                            "--type", "bf16", "--type", "f8e5m2")
        verdicts = [row["verdict"] for row in self.rows().values()]
        self.assertEqual(sorted(verdicts), ["CRASH", "EXACT", "EXACT"])
        self.assertEqual(run.returncode, 1)

    def test_a_peer_that_is_started_again_lives_on_for_other_rows(self):
        # Two pieces, so that both peers die and are started again, one of them by a thread that ends with its row.
        run = self.accuracy(faulty_peer.backend("die-at=add.f32"), "--jobs", "2", "--samples", "600000",
                            *("--op", "add", "--op", "multiply", "--op", "negate", "--op", "sqrt"),
                            *("--type", "f32", "--type", "f16", "--type", "bf16"), code=1)
        verdicts = {key: row["verdict"] for key, row in self.rows().items()}
        self.assertEqual({key for key, verdict in verdicts.items() if verdict != "EXACT"}, {("add", "f32")})
        self.assertEqual(verdicts["add", "f32"], "CRASH")

    def test_unknown_names(self):
        for options in (("--op", "no-such-op"), ("--type", "s8"), ("--op", "dot")):
            self.assertEqual(self.accuracy("reference", *options, code=2).stdout, "")
