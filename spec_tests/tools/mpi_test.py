"""`assay check --mpi`: several ranks, one of which dies, report what one process reports. ASSAY names the executable."""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from command_line import ASSAY, peer, ran
from runner_test import SLOW, RunnerTest

RANKS = 4
# After the first file of its rank, the peer answers nothing until there is HOLD.go: however slowly ranks start, each has
# work, and none has ended when the test kills it.
HELD = peer(f"""import os
{SLOW}
hold = os.environ.get("HOLD")
journal = f"{{hold}}/journal.{{os.environ.get('OMPI_COMM_WORLD_RANK')}}.jsonl"
while hold and not os.path.exists(hold + ".go") and '"file":' in open(journal).read():
    time.sleep(0.01)
""", "slow")


class MpiTest(RunnerTest):
    def setUp(self):
        super().setUp()
        self.peer = ("--corpus", self.corpus, "--jobs", 1, "--backend", self.backend_of(HELD, 0.004))

    def alone(self, *options):
        self.assay("check", *options, "--report", self.folder / "alone")
        return self.folder / "alone"

    def start(self, report, job, *options):
        """Starts the processes like Open MPI."""
        ranks = []
        for number in range(RANKS):
            environment = {**os.environ, "OMPI_COMM_WORLD_RANK": str(number), "OMPI_COMM_WORLD_SIZE": str(RANKS),
                           "PMIX_NAMESPACE": job, "HOLD": str(report)}
            command = [ASSAY, "check", *map(str, options), "--report", str(report), "--mpi"]
            ranks.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        return ranks

    def end(self, report, ranks):
        report.with_suffix(".go").touch()
        printed = [rank.communicate(timeout=600)[0].decode() for rank in ranks]
        return printed, [rank.returncode for rank in ranks]

    def files_of(self, report, rank):
        journal = report / f"journal.{rank}.jsonl"
        if not journal.exists():  # the rank was killed before it could write
            return []
        lines = map(json.loads, journal.read_text().rpartition("\n")[0].splitlines())
        return [line["file"] for line in lines if "file" in line]

    def wait_for_work(self, report):
        while not all(self.files_of(report, rank) for rank in range(RANKS)):
            time.sleep(0.01)

    def test_ranks_share_the_files_and_report_as_one(self):
        alone, report = self.alone(*self.peer), self.folder / "report"
        ranks = self.start(report, "7", *self.peer)
        self.wait_for_work(report)
        printed, codes = self.end(report, ranks)
        self.assertEqual(codes, [1, 0, 0, 0])
        self.assertEqual(printed[1:], ["", "", ""])
        self.assertIn("negate/f32/", printed[0])
        self.assert_same_report(report, alone)
        shares = [self.files_of(report, rank) for rank in range(RANKS)]
        self.assertTrue(all(shares), shares)
        done = sum(shares, [])
        self.assertEqual(len(done), len(set(done)), "a file was run twice")
        self.assertFalse(list(report.glob("queue.*")))

    def test_a_rank_that_dies_loses_nothing(self):
        alone = self.alone(*self.peer)
        for victim in (1, 3):
            with self.subTest(victim=victim):
                report = self.folder / f"report{victim}"
                ranks = self.start(report, f"8{victim}", *self.peer)
                self.wait_for_work(report)
                ranks[victim].send_signal(signal.SIGKILL)
                _, codes = self.end(report, ranks)
                self.assertEqual((codes[0], codes[victim]), (1, -signal.SIGKILL))
                self.assert_same_report(report, alone)

    def test_the_first_rank_dies_and_the_check_resumes(self):
        alone, report = self.alone(*self.peer), self.folder / "report"
        ranks = self.start(report, "9", *self.peer)
        self.wait_for_work(report)
        for rank in (ranks[0], ranks[2]):
            rank.send_signal(signal.SIGKILL)
        self.end(report, ranks)
        self.assertFalse((report / "results.json").exists())
        before = {file for rank in range(RANKS) for file in self.files_of(report, rank)}
        _, codes = self.end(report, self.start(report, "10", *self.peer, "--resume"))
        self.assertEqual(codes[0], 1)
        self.assert_same_report(report, alone)
        after = [file for rank in range(RANKS) for file in self.files_of(report, rank)]
        self.assertEqual(len(after), len(set(after)), "what was known was run again")
        self.assertTrue(before <= set(after))

    def mpirun(self, report, *words, env):
        """Runs mpirun. On a busy machine it may hang before it starts a rank, and is started again."""
        for _ in range(5):
            try:
                return ran("mpirun", "--oversubscribe", "--enable-recovery", *words, env=env, timeout=300)
            except subprocess.TimeoutExpired:
                if report.exists():
                    raise
        self.skipTest("mpirun starts nothing here")

    @unittest.skipUnless(shutil.which("mpirun"), "needs mpirun")
    def test_open_mpi_starts_it(self):
        alone, report = self.alone(*self.peer), self.folder / "report"
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        run = self.mpirun(report, "-n", str(RANKS), ASSAY, "check", *map(str, self.peer), "--report", report, "--mpi",
                          env=environment)
        self.assert_same_report(report, alone)
        self.assertIn("negate/f32/", run.stdout)
        # mpirun forgets the exit code with --enable-recovery; the report has it.
        self.assertEqual(self.assay("merge", report).returncode, 1)

    def test_requirements_of_mpi(self):
        self.assert_fails(2, "--mpi needs --report", "check", "--mpi")
        self.assert_fails(2, "neither mpirun nor srun has started this process", "check", "--mpi", "--report",
                          self.folder / "report")

