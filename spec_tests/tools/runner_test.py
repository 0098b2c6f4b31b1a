"""`assay check` as a runner: filters, shards and their merge, the journal, demands, and the files of a report."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

from command_line import ASSAY, GOLDEN, PEER, CliTest, each, peer, ran

from spec_tests import signals

FILES = ("results.json", "junit.xml", "report.html")
# Declines everything after a moment, but for negations, at which it fails.
SLOW = """import time
time.sleep(float(sys.argv[1]))
reply = {"status": "unsupported"}
if "negate" in message["hlo"]:
    reply = {"status": "error", "message": "no negation here"}
"""


class RunnerTest(CliTest):
    def setUp(self):
        super().setUp()
        self.corpus = self.folder / "corpus"
        for op in ("add", "add-dependency", "all-gather", "negate", "sort"):
            shutil.copytree(os.path.join(GOLDEN, op), self.corpus / op)
        self.common = ("--corpus", self.corpus, "--backend", "lawful:ftz:3", "--profile", "ftz")

    def slow(self, delay):
        return self.backend_of(peer(SLOW, "slow"), delay)

    def check(self, *arguments, code=0, **options):
        return self.assay("check", *arguments, **options, code=code)

    def names(self, *arguments):
        return self.check("--corpus", self.corpus, "--list", *arguments).stdout.split()

    def assert_same_report(self, folder, other):
        for name in FILES:
            self.assertEqual((folder / name).read_bytes(), (other / name).read_bytes(), name)


class FilterTest(RunnerTest):
    def test_words_are_parts_of_names_or_tags(self):
        everything = self.names()
        self.assertEqual(self.names("--filter", "add/f32/"), [n for n in everything if "add/f32/" in n])
        tagged = self.names("--tag", "level1")
        self.assertTrue(tagged)
        for text in ("tag=level1", "level1", "tag=*l1"):
            self.assertEqual(self.names("--filter", text), tagged)

    def test_expressions(self):
        everything = self.names()
        ops = {op: [n for n in everything if n.split("/")[0] == op] for op in ("add", "add-dependency", "sort")}
        self.assertEqual(self.names("--filter", "op=add"), ops["add"])
        self.assertEqual(self.names("--filter", "op=add*"), sorted_as(everything, ops["add"] + ops["add-dependency"]))
        self.assertEqual(self.names("--filter", "op=add | op=sort & name=*/f32/*"),
                         sorted_as(everything, ops["add"] + [n for n in ops["sort"] if "/f32/" in n]))
        self.assertEqual(self.names("--filter", "!(op=add*|op=sort)"),
                         [n for n in everything if not n.startswith(("add", "sort"))])
        bf16 = self.names("--filter", "op=add & type=bf16")
        self.assertIn("add/bf16/specials", bf16)
        self.assertTrue(all("bf16" in name for name in bf16), bf16)
        self.assertEqual(set(bf16) | set(self.names("--filter", "op=add & !type=bf16")), set(ops["add"]))

    def test_only_files_that_may_have_a_case_are_read(self):
        files = sorted(self.corpus.rglob("*.hlo"))

        def read(*arguments):
            """Returns the folders of the files that are read, told by their times of access."""
            for file in files:
                os.utime(file, ns=(0, file.stat().st_mtime_ns))
            self.names(*arguments)
            return {file.parent.name for file in files if file.stat().st_atime_ns > 0}

        everything = {file.parent.name for file in files}
        if read() != everything:
            self.skipTest("this file system keeps no times of access")
        for text in ("op=add", "op=add & type=bf16", "type=bf16 & op=add", "name=add/f32/*", "add/f32/"):
            self.assertEqual(read("--filter", text), {"add"}, text)
        self.assertEqual(read("--filter", "op=add | op=sort"), {"add", "sort"})
        self.assertEqual(read("--filter", "name=*/f32/*"), everything)
        self.assertEqual(read("--filter", "level1"), everything)  # a tag, perhaps
        # Nothing is lost by it.
        names = self.names()
        for word in ("add/f32/", "d/f32/spec", "/f32/specials", "dependency/", "specials", "f32"):
            self.assertEqual([name for name in self.names("--filter", word) if word in name],
                             [name for name in names if word in name], word)  # fmt: skip

    @each((
        ("op=add & (", 11, "expected a word, !, or (, found the end"),
        ("op=add)", 7, "expected nothing, found )"),
        ("colour=red", 1, "expected op=, type=, tag= or name=, found colour=red"),
        ("op=", 1, "expected something after op=, found op="),
        ("!" * 200 + "x", 101, "expected less nesting"),
    ))
    def test_a_wrong_filter_is_an_error(self, text, column, what):
        self.assert_fails(2, f"--filter: column {column}: {what}", "check", "--filter", text)

    def test_a_file_that_cannot_be_read_is_never_left_out_by_a_tag_or_a_type(self):
        (self.corpus / "add" / "broken.hlo").write_text("nonsense")
        result = self.check("--corpus", self.corpus, "--filter", "op=add & type=bf16 & !dynamic", code=2)
        self.assertIn("UNJUDGED add/broken", result.stdout)
        self.assertNotIn("broken", self.check("--corpus", self.corpus, "--filter", "op=sort").stdout)


def sorted_as(everything, names):
    return [name for name in everything if name in set(names)]


class ShardTest(RunnerTest):
    def test_merged_shards_are_the_whole(self):
        self.check(*self.common, "--report", self.folder / "whole")
        shards = [self.folder / f"shard{i}" for i in (1, 2, 3)]
        for i, shard in enumerate(shards):
            self.check(*self.common, "--report", shard, "--shard", f"{i + 1}/3")
        counts = [len(self.results(shard)["cases"]) for shard in shards]
        self.assertEqual(sum(counts), len(self.names()))
        self.assertTrue(all(counts))
        # In any order, as files or folders.
        merged = self.assay("merge", shards[2], shards[0] / "results.json", shards[1], "--report", self.folder / "merged")
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assert_same_report(self.folder / "whole", self.folder / "merged")
        self.assertIn(f"{sum(counts)} cases", merged.stdout)

    def test_missing_shards_are_named(self):
        for i in (1, 3):
            self.check(*self.common, "--report", self.folder / str(i), "--shard", f"{i}/3")
        result = self.assay("merge", self.folder / "1", self.folder / "3", "--report", self.folder / "merged", code=2)
        self.assertIn("not run: shard 2/3\n", result.stdout)
        self.assertEqual(self.results("merged")["not_run"], ["shard 2/3"])

    def test_reports_of_different_runs_are_not_merged(self):
        self.check(*self.common, "--report", self.folder / "1", "--shard", "1/2")
        self.check(*self.common, "--filter", "op=add", "--report", self.folder / "2", "--shard", "2/2")
        self.assert_fails(2, 'is of another run than', "merge", self.folder / "1", self.folder / "2")
        self.assert_fails(2, "has shard 1/2, and so has", "merge", self.folder / "1", self.folder / "1")
        (self.folder / "none.json").write_text('{"schema": 1}')
        self.assert_fails(2, "none.json: not a report", "merge", self.folder / "none.json")
        report = self.results("1")
        for field, value, message in (
            ("backend", 5, "not a report"),
            ("backend", {"name": "x", "version": 1}, "not a report"),
            ("filter", None, "not a report"),
            ("shard", "1/9000000000000000000", "N at most 100000"),
        ):
            self.file("none.json", {**report, field: value})
            self.assert_fails(2, message, "merge", self.folder / "none.json")
        self.assert_fails(2, "merge needs the reports", "merge")
        for text in ("0/2", "3/2", "1", "a/b", "1/2/3", "-1/2"):
            self.assert_fails(2, "--shard: expected I/N", "check", "--shard", text)


class ResumeTest(RunnerTest):
    def journal_lines(self, report):
        journal = report / "journal.jsonl"
        return journal.read_bytes().count(b"\n") if journal.exists() else 0

    def test_a_check_killed_at_any_moment_resumes(self):
        whole, report = self.folder / "whole", self.folder / "report"
        common = ("--corpus", self.corpus, "--jobs", "2")
        # The same command: the delay is that of the environment's file, not of its words.
        backend = self.slow(0.002)
        self.check(*common, "--backend", backend, "--report", whole, code=1)
        source = random.Random(7)
        code, attempt = None, 0
        while code != -signal.SIGKILL or attempt < 10:
            process = subprocess.Popen(
                [ASSAY, "check", *map(str, common), "--backend", backend, "--report", str(report), "--resume"],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=signals.heed,
            )  # fmt: skip
            # Once it has added some files to the journal, after a moment more: anywhere within a file or between two.
            wanted = self.journal_lines(report) + source.randint(1, 3)
            while self.journal_lines(report) < wanted and process.poll() is None:
                time.sleep(0.002)
            time.sleep(source.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL if attempt % 2 else signal.SIGINT)
            process.stderr.read()
            process.stderr.close()
            code = process.wait(600)
            self.assertIn(code, (1, -signal.SIGKILL, 128 + signal.SIGINT))
            attempt += 1
            if code == 1:  # It came to its end before the signal.
                shutil.rmtree(report)
        result = self.check(*common, "--backend", backend, "--report", report, "--resume", code=1)
        self.assertRegex(result.stderr, r"note: \d+ of \d+ files have been checked before")
        self.assert_same_report(whole, report)

    def test_a_line_without_an_end_is_done_again(self):
        self.check(*self.common, "--report", self.report)
        before = (self.report / "results.json").read_bytes()
        journal = self.report / "journal.jsonl"
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[:5]) + lines[5][:40])
        result = self.check(*self.common, "--report", self.report, "--resume")
        self.assertIn(f"note: 4 of {len(lines) - 1} files have been checked before", result.stderr)
        self.assertEqual((self.report / "results.json").read_bytes(), before)
        self.assertEqual(sorted(journal.read_bytes().splitlines()), sorted(b"".join(lines).splitlines()))

    def test_the_journal_of_another_run(self):
        self.check(*self.common, "--report", self.report)
        self.assert_fails(2, 'filter was "", is "op=add"', "check", *self.common, "--filter", "op=add", "--report",
                          self.report, "--resume")
        (self.corpus / "sort" / "f32.hlo").write_text((self.corpus / "sort" / "f32.hlo").read_text() + "\n")
        self.assert_fails(2, "digest was ", "check", *self.common, "--report", self.report, "--resume")
        self.check(*self.common, "--report", self.report)
        (self.report / "journal.jsonl").write_text((self.report / "journal.jsonl").read_text() + "{}\n")
        self.assert_fails(2, "without --resume the check begins anew", "check", *self.common,
                          "--report", self.report, "--resume")  # fmt: skip
        self.assert_fails(2, "--resume needs --report", "check", *self.common, "--resume")

    def test_two_checks_in_one_folder(self):
        first = subprocess.Popen(
            [ASSAY, "check", "--corpus", str(self.corpus), "--backend", self.slow(5), "--report", str(self.report)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=signals.heed,
        )  # fmt: skip
        try:
            while self.journal_lines(self.report) == 0:
                time.sleep(0.01)
            said = (f"{self.report}: another check writes its report there: wait until it has ended, or choose "
                    "another folder")
            self.assert_fails(2, said, "check", *self.common, "--report", self.report)
            self.assert_fails(2, said, "certify", *self.common, "--out", self.report)
            self.assertFalse((self.report / "certificate.json").exists())
        finally:
            first.send_signal(signal.SIGTERM)
            first.wait(600)

    def test_a_full_disk_is_reported_and_the_check_continues(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        result = ran(ASSAY, "check", *self.common, "--report", self.folder / "report", preexec_fn=limit, timeout=600)
        self.assertEqual(result.returncode, 2)
        self.assertIn("journal.jsonl cannot be written: File too large", result.stderr)
        self.assertIn("results.json cannot be written", result.stderr)
        self.assertIn(f"{len(self.names())} cases", result.stdout)
        journal = (self.folder / "report" / "journal.jsonl").read_bytes()
        self.assertTrue(journal.endswith(b"\n"))
        self.assertEqual(sorted(os.listdir(self.folder / "report")), ["journal.jsonl"])


class BudgetTest(RunnerTest):
    def test_a_backend_that_dies_of_everything_is_given_up(self):
        backend = self.backend_of(peer("sys.exit(3)"))
        common = ("--corpus", self.corpus, "--report", self.report, "--jobs", "2", "--backend", backend)
        result = self.check(*common, "--most-deaths", "5", code=2)
        self.assertRegex(result.stdout, r"; ended by \d+ deaths of the backend \(--most-deaths\) before all had run\n")
        document = self.results(self.report)
        self.assertRegex(document["ended_by"], r"^\d+ deaths of the backend")
        self.assertLess(len(document["cases"]), len(self.names()))
        self.assertEqual({case["verdict"] for case in document["cases"]}, {"CRASH"})

    def test_a_check_that_was_given_up_names_the_rest_and_continues(self):
        report, chosen = self.folder / "report", ("--filter", "op=add-dependency | op=all-gather")
        common = ("--corpus", self.corpus, "--report", report, "--jobs", "1", "--most-deaths", "5", *chosen,
                  "--backend", self.backend_of(peer("sys.exit(3)")))  # fmt: skip
        result, runs = self.check(*common, code=2), 1
        while result.returncode == 2:
            document = self.results(report)
            said = f"\nnot run: {len(document['not_run'])} of "
            self.assertIn(said, result.stdout)
            self.assertIn(" files of cases, which the report names; to continue, run the same command with --resume\n", result.stdout)
            ran = {case["place"].rpartition(":")[0] for case in document["cases"]}
            self.assertFalse(ran & set(document["not_run"]))
            result, runs = self.assay("check", *common, "--resume"), runs + 1
        self.assertEqual((result.returncode, runs > 2), (1, True), result.stdout)
        document = self.results(report)
        self.assertEqual(sorted(case["name"] for case in document["cases"]), sorted(self.names(*chosen)))
        self.assertNotIn("not_run", document)

    def test_the_budget_ends_the_check_and_resume_runs_the_rest(self):
        whole, report = self.folder / "whole", self.folder / "report"
        common = ("--corpus", self.corpus, "--backend", self.slow(0.01), "--filter", "op=add")
        self.check(*common, "--report", whole)
        first = self.check(*common, "--report", report, "--budget", "0.05", code=2)
        self.assertIn("; ended by the end of its time (--budget) before all had run\n", first.stdout)
        self.check(*common, "--report", report, "--resume")
        self.assert_same_report(whole, report)

    def test_finished_cases_need_no_time(self):
        self.check(*self.common, "--report", self.report)
        journal = self.report / "journal.jsonl"
        lines = journal.read_text().splitlines(keepends=True)
        journal.write_text("".join(lines[:1] + lines[2:]))
        result = self.check(*self.common, "--report", self.report, "--resume", "--budget", "0.000001", code=2)
        self.assertIn("; ended by the end of its time (--budget) before all had run\n", result.stdout)
        known = [case["name"] for line in lines[2:] for case in json.loads(line)["cases"]]
        document = self.results(self.report)
        self.assertEqual(sorted(case["name"] for case in document["cases"]), sorted(known))


class DemandsTest(RunnerTest):
    def test_milder_verdicts_can_fail(self):
        none = ("--corpus", self.corpus, "--filter", "op=sort", "--backend", f"process:{PEER}")
        self.check(*none)
        for demand in (("--fail-on", "UNSUPPORTED"), ("--strict",), ("--min-supported", "1")):
            with self.subTest(demand):
                self.check(*none, *demand, code=1)
        self.check(*none, "--fail-on", "WEAK")
        result = self.check(*none, "--min-supported", "1", code=1)
        self.assertIn("1 more cases would have to be supported (--min-supported)\n", result.stdout)
        self.assert_fails(2, "--fail-on: expected WEAK, UNSUPPORTED or SPEC-GAP, found LEGAL", "check", "--fail-on", "LEGAL")

    def test_an_expected_verdict_does_not_fail(self):
        rows = [{"name": "sort/*", "verdict": "UNSUPPORTED", "reason": "a peer of nothing"}]
        expectations = self.file("e.json", {"cases": rows})
        self.check("--corpus", self.corpus, "--filter", "op=sort", "--backend", f"process:{PEER}", "--strict",
                   "--expectations", expectations)  # fmt: skip


class ReportTest(RunnerTest):
    def test_the_page_holds_the_report_and_nothing_can_break_out_of_it(self):
        script = SLOW.replace("no negation here", "</script><script>alert(1)</script> \\u0001 \\ud800")
        # The peer is started anew after each message that is no text.
        self.check("--corpus", self.corpus, "--backend", self.backend_of(peer(script), 0), "--report", self.report,
                   "--filter", "op=add | negate/f32/", code=1)
        page = (self.report / "report.html").read_text()
        data = page.split('<script type="application/json" id="report">')[1].split("</script>")[0]
        self.assertEqual(json.loads(data), self.results(self.report))
        self.assertEqual(page.count("</script>"), 3)  # the report, the one to compare it with, and the page's own
        xml.etree.ElementTree.parse(self.report / "junit.xml")
