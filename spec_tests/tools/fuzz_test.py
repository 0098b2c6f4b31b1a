"""`assay fuzz` and `assay findings`: known faults are found, reduced and kept once. ASSAY names the executable."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import partial_peer
from command_line import ASSAY, PYTHON, entry, ran
from fuzz_command import FuzzCliTest


RAGGED = """HloModule drawn
ENTRY entry {
  p1 = f32[2] parameter(0)
  p3 = s32[1] parameter(1)
  constant = s32[1] constant({0})
  ROOT r = f32[2] ragged-all-to-all(p1, p1, p3, p3, p3, constant), replica_groups={}
}
"""


class FuzzTest(FuzzCliTest):
    def test_the_budget_bounds_the_search_for_the_pass_at_fault(self):
        module = self.file("m.hlo", entry("a = f32[2] parameter(0)", "b = f32[2] parameter(1)",
                                          "ROOT s = f32[2] subtract(a, b)"))
        peer = pathlib.Path(__file__).parents[1] / "backends/pass_peer.py"
        for budget, name in (("600", "FAIL-subtract.f32-by-reorder"), ("1e-9", "FAIL-subtract.f32")):
            with self.subTest(budget=budget):
                self.assay("fuzz", "--backend", f"process:{PYTHON} {peer}", "--from", module, "--most-findings", "1",
                           "--jobs", "1", "--budget", budget, "--out", self.folder / budget)
                self.assertEqual([path.name for path in (self.folder / budget).glob("FAIL*")], [name])

    def test_the_reference_has_no_faults(self):
        run = self.fuzz("--backend", "reference", "--count", "1500", "--jobs", "2", code=0)
        self.assertRegex(run.stdout, r"^1[45]\d\d programs in .*: 1[45]\d\d EXACT; 1[23]\d ops, ")
        self.assertEqual(self.findings(), [])

    def test_a_fault_of_two_instructions_is_kept_reduced(self):
        self.fuzz("--backend", "mutant:root_of_square", "--profile", "xla", "--count", "3000", code=1)
        findings = self.findings()
        self.assertGreater(len(findings), 0)
        for finding in findings:
            self.assertEqual(finding["verdict"], "FAIL")
            self.assertLessEqual(finding["instructions"], 5)
            self.assertIn("multiply", finding["signature"])
            self.assertIn("sqrt", finding["signature"])
            folder = self.folder / "findings" / finding["signature"]
            again = self.assay("diff", folder / "module.hlo", "--backend", "mutant:root_of_square", "--profile", "xla",
                               "--inputs", folder / "inputs.json")  # fmt: skip
            self.assertTrue(again.stdout.startswith("FAIL: "), again.stdout)
        self.assertEqual(len({finding["signature"] for finding in findings}), len(findings))
        # A second run over the same programs finds nothing that is new.
        self.assertIn("; 0 findings", self.fuzz("--backend", "mutant:root_of_square", "--profile", "xla", "--count",
                                                "3000", "--from-start").stdout)  # fmt: skip
        self.assertEqual(self.findings(), findings)

    def test_only_some_ops(self):
        self.fuzz("--backend", "mutant:operand_taken_for.xor.0_1", "--ops", "xor", "--count", "100", code=1)
        self.assertTrue(all("xor" in finding["signature"] for finding in self.findings()))
        self.assert_fails(2, "no op is called nonsense", "fuzz", "--backend", "reference", "--ops", "nonsense")

    def test_only_one_kind(self):
        run = self.fuzz("--backend", "mutant:quantize_without_zero_point", "--kind", "quantized", "--count", "20",
                        "--most-findings", "1", code=1)
        (finding,) = self.findings()
        self.assertRegex(finding["source"], "^quantized")
        for words in (("--ops", "add"), ("--from", self.folder)):
            self.assert_fails(2, "--kind cannot be combined with --ops or --from", "fuzz", "--backend", "reference",
                              "--kind", "floats", *words)

    def test_undecided_programs_are_counted_by_reason_and_kept_if_they_count_as_failures(self):
        # The noise of a profile uses what the profile allows, so that some programs remain undecided.
        words = ("--backend", "lawful:fast", "--profile", "fast", "--count", "300", "--seed", "3")
        counted = self.fuzz(*words, folder="counted", code=0)
        reasons = self.run_of("counted")["weak_because"]
        self.assertIn(f" {sum(reasons.values())} WEAK", counted.stdout)
        self.assertIn(f"WEAK most often: {max(reasons.values())} ", counted.stdout)
        self.assertFalse(any(re.search(r"%|\b\d", reason) for reason in reasons), reasons)
        self.fuzz(*words, "--fail-on", "WEAK", "--most-findings", "1", folder="kept", code=1)
        self.assertEqual({finding["verdict"] for finding in self.findings("kept")}, {"WEAK"})
        self.assert_fails(2, "expected WEAK, UNSUPPORTED or SPEC-GAP, found FAIL", "fuzz", *words, "--fail-on", "FAIL")

    def test_runs_are_the_same_for_a_seed(self):
        words = ("--backend", "mutant:concat_order", "--count", "800", "--seed", "3")
        for folder, jobs in (("one", "1"), ("two", "2")):
            self.fuzz(*words, "--jobs", jobs, folder=folder)
        one, two = ({finding["signature"] for finding in self.findings(folder)} for folder in ("one", "two"))
        self.assertGreater(len(one), 0)
        self.assertGreater(len(one & two), 0)

    def test_declined_features_are_drawn_less(self):
        # Every bait holds a copy; baits are half of all programs.
        words = ("--backend", partial_peer.backend("declines", "copy(", "sort("), "--count", "400")
        for jobs in ("1", "3"):
            run = self.fuzz(*words, "--jobs", jobs, folder=jobs, code=0)
        one, three = self.run_of("1"), self.run_of("3")
        self.assertIn("copy", one["declined_features"])
        # The first 32 programs teach, and one in fifty may hold one of the two.
        self.assertLess(one["by_verdict"]["UNSUPPORTED"], 60)
        self.assertGreater(one["by_verdict"]["UNSUPPORTED"], 8)
        self.assertGreater(one["drawn_again"], 100)
        self.assertIn("copy", run.stdout.split("because the backend declines: ")[1].splitlines()[0])
        # The programs of a seed do not depend on the number of threads.
        for of in ("programs", "by_verdict", "drawn_again", "declined_features", "coverage"):
            self.assertEqual(one[of], three[of], of)

    def test_most_programs_are_accepted_though_much_is_declined(self):
        # All reasons are the same, so only the answers tell ops, types, attributes and neighbours apart.
        ops = ("acos", "atan", "cbrt", "cholesky", "convolution", "custom-call", "domain", "dynamic-reshape", "erf",
               "fft", "map", "opt-barrier", "ragged-dot", "reduce-precision", "scan", "scatter", "shuffle", "sort",
               "stochastic-convert", "topk", "triangular-solve")  # fmt: skip
        types = ("s2", "s4", "u2", "u4", "f4e2m1fn", "f8e3m4", "c128")
        words = [*(f" {op}(" for op in ops), *(f" {one}[" for one in types), "result_accuracy", "-start("]
        declined = []
        for _ in range(2):
            self.fuzz("--backend", partial_peer.backend("declines", *words), "--count", "400")
            declined.append(self.run_of("findings")["by_verdict"]["UNSUPPORTED"])
        self.assertLess(declined[1] - declined[0], 0.15 * 400)
        # The accepted ops are still drawn.
        ops = {cell.split()[0] for cell in self.run_of("findings")["coverage"]["types"]}
        self.assertGreater(len(ops), 90)

    def test_a_run_in_two_parts_draws_the_programs_of_one(self):
        backend = partial_peer.backend("declines", "copy(", "sort(")
        self.fuzz("--backend", backend, "--count", "200", folder="whole")
        for _ in range(2):
            self.fuzz("--backend", backend, "--count", "100", folder="parts")
        whole, parts = self.run_of("whole"), self.run_of("parts")
        for of in ("programs", "by_verdict", "drawn_again", "declined_features", "coverage"):
            self.assertEqual(whole[of], parts[of], of)
        # Without what it learnt, a part learns again.
        shutil.rmtree(self.folder / "parts" / "learnt")
        before = parts["by_verdict"]["UNSUPPORTED"]
        self.fuzz("--backend", backend, "--count", "100", folder="parts")
        self.assertGreater(self.run_of("parts")["by_verdict"]["UNSUPPORTED"] - before, 8)

    def test_ops_outside_of_the_hello_are_never_drawn(self):
        # A backend that names its ops says at once what it declines.
        backend = partial_peer.backend("offers", "add", "multiply", "negate", "tuple", "constant", "copy")
        self.fuzz("--backend", backend, "--count", "60")
        count = self.run_of("findings")
        self.assertGreater(count["drawn_again"], 60)
        self.assertEqual(count["declined_features"], [])

    def test_ranks_share_a_seed(self):
        words = ("--backend", "mutant:concat_order", "--count", "400", "--jobs", "1", "--mpi")
        ranks = []
        for number in range(2):
            environment = {**os.environ, "OMPI_COMM_WORLD_RANK": str(number), "OMPI_COMM_WORLD_SIZE": "2",
                           "PMIX_NAMESPACE": "job"}  # fmt: skip
            command = [ASSAY, "fuzz", "--out", str(self.folder / "findings"), "--budget", "600", *words]
            ranks.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        for rank in ranks:
            self.assertEqual((rank.wait(600), rank.communicate()[1]), (1, b""))
        runs = json.loads((self.folder / "findings" / "runs.json").read_text())
        self.assertEqual(list(runs), [f"mutant:concat_order xla seed 1 shard {n}/2" for n in (1, 2)])
        self.assertEqual([run["next"] for run in runs.values()], [400, 400])
        # Together they ran the first 800 programs of the seed, each once: groups of four in turn.
        self.assertEqual(self.fuzz("--backend", "mutant:concat_order", "--count", "800", folder="whole").returncode, 1)
        (count,) = (run["count"] for run in json.loads((self.folder / "whole" / "runs.json").read_text()).values())
        shards = [run["count"] for run in runs.values()]
        for verdict, programs in count["by_verdict"].items():
            self.assertEqual(sum(shard["by_verdict"].get(verdict, 0) for shard in shards), programs, verdict)
        self.assertEqual(sorted({*shards[0]["coverage"]["types"], *shards[1]["coverage"]["types"]}),
                         count["coverage"]["types"])  # fmt: skip
        self.assertEqual(sum(shard["findings"] for shard in shards), len(self.findings()))
        self.assert_fails(2, "neither mpirun nor srun", "fuzz", "--out", self.folder / "none", *words)

    def test_folders_are_merged_without_doubles(self):
        for seed in ("1", "2"):
            self.fuzz("--backend", "mutant:concat_order", "--count", "300", "--seed", seed, folder=seed)
        one, two = ({finding["signature"] for finding in self.findings(folder)} for folder in ("1", "2"))
        self.assertGreater(len(one & two), 0)
        folders = [self.folder / name for name in ("1", "2")]
        for times in range(2):
            merged = self.assay("findings", *folders, "--merge", self.folder / "all", code=0)
            self.assertIn(f"{0 if times else len(one)} findings are new", merged.stderr)
        self.assertEqual([finding["signature"] for finding in self.findings("all")], sorted(one | two))
        self.assertEqual(len(json.loads((self.folder / "all" / "runs.json").read_text())), 2)
        # The command of a finding names its new place, and shows the failure.
        for signature in one | two:
            folder = self.folder / "all" / signature
            self.assertIn(str(folder), (folder / "command.txt").read_text())
        for show, *_ in list(self.commands("all"))[:1]:
            self.assertTrue(show().stdout.startswith("FAIL: "))
        self.assert_fails(2, "several folders need --merge", "findings", *folders)

    def test_a_folder_that_nothing_wrote_findings_to_is_an_error(self):
        other = self.folder / "other"
        self.file("other/notes.txt", "no finding")
        found_none = "expected the folder that assay fuzz or a shadow wrote, found no file of theirs"
        self.assert_fails(2, found_none, "findings", other)
        self.assert_fails(2, found_none, "findings", other, "--format", "json")
        self.assert_fails(2, found_none, "findings", other, "--merge", self.folder / "all")
        self.assertEqual(self.fuzz("--backend", "reference", "--count", "3").returncode, 0)
        self.assertEqual(self.findings(), [])
        (other / "journal.jsonl").write_text("")  # a shadow that has not judged anything yet
        self.assertEqual(self.findings("other"), [])

    def test_a_merge_follows_no_links(self):
        self.fuzz("--backend", "mutant:concat_order", "--count", "300", folder="one")
        signature = self.findings("one")[0]["signature"]
        self.file("secret", "a secret")
        (self.folder / "one" / signature / "notes").symlink_to(self.folder / "secret")
        (self.folder / "one" / signature / "round").symlink_to(self.folder)
        self.assay("findings", self.folder / "one", "--merge", self.folder / "all", code=0)
        copied = {path.name for path in (self.folder / "all" / signature).iterdir()}
        self.assertGreaterEqual(copied, {"module.hlo", "inputs.json", "command.txt", "finding.json"})
        self.assertFalse(copied & {"notes", "round"})

    def test_a_killed_run_continues(self):
        words = ("fuzz", "--backend", "mutant:concat_order", "--out", self.folder / "findings", "--jobs", "1")
        run = subprocess.Popen([ASSAY, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        runs = pathlib.Path(self.folder / "findings" / "runs.json")
        while not runs.exists():
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
        run.wait()
        (reached,) = (run["next"] for run in json.loads(runs.read_text()).values())
        self.assertGreater(reached, 0)
        before = self.findings()
        on = self.assay(*words, "--count", "200")
        self.assertIn(f"note: continues at program {reached}", on.stderr)
        after = self.findings()
        self.assertGreaterEqual(len(after), len(before))
        self.assertEqual(len({finding["signature"] for finding in after}), len(after))
        (now,) = (run["next"] for run in json.loads(runs.read_text()).values())
        self.assertEqual(now, reached + 200)

    def test_findings_are_a_corpus(self):
        backend = "mutant:concat_order"
        self.fuzz("--backend", backend, "--count", "400")
        findings = self.findings()
        self.assertGreater(len(findings), 0)
        for finding in findings:
            command = (self.folder / "findings" / finding["signature"] / "command.txt").read_text()
            self.assertIn(f" --replicas {finding['replicas']} --partitions {finding['partitions']}", command)
        for name, code, verdict in ((backend, 1, "FAIL"), ("reference", 0, "EXACT")):
            check = self.assay("check", "--corpus", self.folder / "findings", "--backend", name, "--report",
                               self.folder / "report", code=code)  # fmt: skip
            report = self.results()
            self.assertEqual({model["name"] for model in report["models"]},
                             {finding["signature"] for finding in findings})  # fmt: skip
            self.assertEqual({model["verdict"] for model in report["models"]}, {verdict})
            self.assertEqual(report["cases"], [])
        module = self.folder / "findings" / findings[0]["signature"] / "module.hlo"
        self.assay("repro", module, "--backend", backend, "--out", self.folder / "repro", code=1)
        self.assertTrue((self.folder / "repro" / "issue.md").exists())

    def test_a_finding_runs_on_the_devices_that_it_was_found_on(self):
        # The shapes name six devices, and it was found on one.
        folder = "findings/CRASH-ragged"
        module = self.file(f"{folder}/module.hlo", RAGGED)
        arrays = [{"shape": "f32[2]", "data_hex": "0000803f00000040"}, {"shape": "s32[1]", "data_hex": "00000000"}]
        inputs = self.file(f"{folder}/inputs.json", {"inputs_per_device": [arrays]})
        diff = self.assay("diff", module, "--backend", "reference", "--inputs", inputs, code=0)
        self.assertEqual(diff.stderr, "")
        check = self.assay("check", "--corpus", self.folder / "findings", "--backend", "reference", code=0)
        self.assertIn("1 cases, 1 EXACT", check.stdout)
        self.assay("repro", module, "--backend", "reference", "--out", self.folder / "repro", code=0)
        # Inputs for as many as the shapes name.
        self.file(f"{folder}/inputs.json", {"inputs_per_device": [arrays] * 6})
        self.assertIn("need 6 devices", self.assay("diff", module, "--backend", "reference", "--inputs", inputs).stderr)
        # The list names them, where the finding does.
        finding = {"signature": "CRASH-ragged", "verdict": "CRASH", "reason": "it died", "backend": "mine", "version": "1",
                   "profile": "", "pass": "", "source": "ops", "seed": 1, "number": 2, "instructions": 4}
        for devices, words in (({}, 0), ({"replicas": 1, "partitions": 1}, 2)):
            self.file(f"{folder}/finding.json", {**finding, **devices})
            listed = self.assay("findings", self.folder / "findings").stdout
            self.assertEqual(listed.count(" --replicas 1 --partitions 1"), words, listed)

    def test_a_page_tells_of_runs_and_findings(self):
        self.fuzz("--backend", "mutant:concat_order", "--count", "400")
        page = (self.folder / "findings" / "index.html").read_text()
        for finding in self.findings():
            self.assertIn(finding["signature"], page)
        self.assertIn("mutant:concat_order xla seed 1", page)
        self.assertIn("concatenate(", page)
        self.assertNotIn("<script", page)

    def test_rewrites_find_results_that_depend_on_neighbors(self):
        # Both instructions in a row are wrong, each alone is right: no second implementation is asked.
        run = self.fuzz("--backend", "mutant:root_of_square", "--oracle", "rewrites", "--profile", "xla", "--count", "4000",
                        "--most-findings", "1", code=1)  # fmt: skip
        (finding,) = self.findings()
        self.assertIn("after ", finding["source"])

    def commands(self, folder="findings"):
        """Yields for each finding the commands that the list shows."""
        listed = self.assay("findings", self.folder / folder).stdout
        environment = {**os.environ, "PATH": f"{pathlib.Path(ASSAY).parent}:{os.environ['PATH']}"}
        for finding in re.split(r"\n(?=\S)", listed)[:-1]:
            yield [lambda line=line: ran("bash", "-c", line, env=environment, timeout=600)
                   for line in finding.splitlines() if re.match(r"  (assay|diff) ", line)]  # fmt: skip

    def test_pairs_beyond_the_reference_are_made_smaller(self):
        # The reference reaches its limit at once: only the difference of two results is known.
        words = ("--backend", "mutant:concat_order", "--oracle", "rewrites", "--step-limit", "1", "--seed", "3",
                 "--count", "600")  # fmt: skip
        self.fuzz(*words, code=1)
        findings = self.findings()
        self.assertGreater(len(findings), 0)
        for finding, commands in zip(findings, self.commands(), strict=True):
            self.assertIn(" before ", finding["reason"])
            before, after = (
                (self.folder / "findings" / finding["signature"] / name / "module.hlo").read_text()
                for name in ("before", ".")
            )
            self.assertNotEqual(before, after)
            self.assertIn("concatenate", before + after)
            (show,) = commands
            shown = show()
            self.assertEqual((shown.returncode, shown.stderr), (1, ""), shown)
        # Without the reference's values nothing is cut, so that a pair keeps what computes its indices.
        sizes = sorted(finding["instructions"] for finding in findings)
        self.assertLessEqual(sizes[0], 6)
        self.assertLessEqual(sizes[len(sizes) // 2], 16)
        # A finding that the reference can judge is one module with a report for the authors; the others are pairs of
        # modules.
        self.fuzz(*words[:4], "--step-limit", "9", "--count", "600", folder="judged")
        judged = [commands for commands in self.commands("judged") if len(commands) == 2]
        for diff, repro in judged:
            self.assertTrue(diff().stdout.startswith("FAIL: "))
            self.assertEqual(repro().returncode, 1)
        pairs = list((self.folder / "judged").glob("*/before"))
        self.assertEqual((len(judged) + len(pairs), len(judged) > 0), (len(self.findings("judged")), True))

    def test_folders_that_are_none(self):
        self.assert_fails(2, "No such file", "findings", self.folder / "nothing")
        self.file("bad/x/finding.json", "{}")
        self.assert_fails(2, "no finding", "findings", self.folder / "bad")
