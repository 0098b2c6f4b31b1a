"""tools/nightly.py: the parts of `tools/dev nightly`."""

import contextlib
import datetime
import io
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest
from unittest import mock

from spec_tests.tools.command_line import ROOT, ran, write_program
from tools import nightly

DAY = datetime.date(2026, 12, 31)


def dev(*arguments):
    done = ran(ROOT / "tools/dev", *arguments)
    return done.returncode, done.stdout, done.stderr


class Parts(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(mock.patch.object(nightly, "ENDED", pathlib.Path(folder) / "report/ended.jsonl"))

    def run_all(self, parts, commit="c1", **options):
        """Returns the exit status and the lines."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), mock.patch.object(nightly, "tree", lambda: commit):
            status = nightly.run_all(parts, **options)
        return status, re.sub(r"\d+ s\b", "N s", output.getvalue()).splitlines()

    def test_a_part_that_fails_does_not_end_the_others(self):
        parts = {"first": [["false"], ["echo", "goes on"]], "second": [["no-such-program"]], "third": [["true"]]}
        status, lines = self.run_all(parts)
        self.assertEqual(status, 1)
        table = [f"{'first':<22} red       N s", f"{'second':<22} red       N s", f"{'third':<22} ok        N s"]
        self.assertEqual([" ".join(line.split()) for line in lines[-3:]], [" ".join(line.split()) for line in table])
        self.assertEqual(lines.count("== third"), 1)

    def test_is_green_if_every_command_is(self):
        self.assertEqual(self.run_all({"first": [["true"], ["true"]], "second": [["true"]]})[0], 0)

    def test_continue_omits_parts_that_were_ok_at_the_same_commit(self):
        self.run_all({"first": [["false"]], "second": [["true"]]})
        mended = {"first": [["true"]], "second": [["false"]]}
        status, lines = self.run_all(mended, is_continued=True)
        self.assertEqual(status, 0)
        self.assertNotIn("== second", lines)
        self.assertEqual([line.endswith("before") for line in lines[-2:]], [False, True])
        for other in ({"is_continued": False}, {"is_continued": True, "commit": "c2"},
                      {"is_continued": True, "commit": None}):
            self.assertEqual(self.run_all(mended, **other)[0], 1, other)

    def test_a_tree_with_changes_is_no_commit(self):
        for said, commit in (("abc\n", "abc"), ("abc-dirty\n", None), ("", None)):
            with mock.patch.object(nightly.subprocess, "run", return_value=mock.Mock(stdout=said)):
                self.assertEqual(nightly.tree(), commit)

    def test_are_chosen_by_name(self):
        every = nightly.parts(DAY)
        peers = {path.stem for path in (ROOT / "golden").glob("*.json")}
        self.assertLess({"xla-cpu", "stablehlo", "iree-cpu"}, peers)
        self.assertEqual(nightly.chosen([], every), every)
        self.assertEqual(set(nightly.chosen(["peers"], every)), peers)
        self.assertEqual(list(nightly.chosen(["long-tests", "xla-cpu", "tests-2"], every)),
                         ["xla-cpu", "tests-2", "long-tests-1", "long-tests-2", "long-tests-3"])

    def test_each_test_is_in_one_part(self):
        tests = json.loads((pathlib.Path(os.environ["BUILD"]) / "meson-info/intro-tests.json").read_text())
        names = {test["name"] for test in tests}
        self.assertLess({"numerics", "cuda_corpus", "tree"}, names)
        for name in names:
            matches = [bool(re.match(pattern, name)) for group in nightly.TESTS.values() for pattern in group]
            self.assertEqual(matches.count(True), 1, name)

    def test_the_functions_are_checked_on_all_numbers_within_four_weeks(self):
        days = [DAY + datetime.timedelta(days) for days in range(nightly.PIECES)]
        pieces = [nightly.parts(day)["functions"][0][-2:] for day in days]
        self.assertEqual(sorted(map(tuple, pieces)), sorted((str(i), "28") for i in range(28)))


class Building(unittest.TestCase):
    def test_a_part_runs_the_build_of_nightly_and_does_not_configure_again(self):
        """The benchmarks are in nightly's build only: a part that configured again would be without them."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)

            for name, script in (("bin/meson", "exit 1"), ("bin/ninja", "exit 1"),
                                 ("bin/dpkg-query", 'shift 3; printf "installed %s\\n" "$@"'),
                                 ("build/tools/assay-check", 'echo "ran $@"')):  # fmt: skip
                write_program(folder / name, f"#!/bin/sh\n{script}\n")
            (folder / "tools").mkdir()
            shutil.copy(ROOT / "tools/dev", folder / "tools")

            def check(**environment):
                environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", **environment}
                return ran(folder / "tools/dev", "check", env=environment)

            part = check(ASSAY_BUILT="build")
            self.assertRegex(part.stdout, r"\Aran check --corpus golden .*--backend simd", part.stderr)
            self.assertRegex(check(ASSAY_BUILT="").stdout, r"\Aconfigure +failed\n")


class Command(unittest.TestCase):
    def test_help_names_every_part(self):
        status, text, _ = dev("help")
        section = re.search(r"^  nightly.*?(?=^  [a-z])", text, re.M | re.S)[0]
        named = re.findall(r"^ {20}([a-z-]+) ", section, re.M)
        parts = nightly.parts(DAY)
        self.assertEqual((status, named), (0, list(dict.fromkeys(
            "peers" if (ROOT / f"golden/{part}.json").exists() else re.sub(r"-\d+$", "", part) for part in parts))))

    def test_a_part_that_is_not_there_is_refused_before_anything_is_built(self):
        status, output, errors = dev("nightly", "audits")
        self.assertEqual((status, output), (1, ""))
        self.assertRegex(errors, r"^nightly: no part audits: expected tests, long-tests, cuda-tests, peers, audit, ")

    def test_lists_commands(self):
        status, output, _ = dev("nightly", "--list", "corpus", "stablehlo")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"\Acorpus +\S+python -m golden\.make --check\ncorpus +\S+ -m golden\.make\.quick "
                         r"--check\nstablehlo +env ASSAY_REPORT=report/stablehlo tools/dev check stablehlo\n\Z")
