"""tools/count_tests.py: what a run of the tests says of cases that passed, failed, and were left out."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "tools" / "count_tests.py"


def counted(result, *lines):
    """Returns the exit code and the output for one test, `pages`, that recorded these lines."""
    with tempfile.TemporaryDirectory() as folder:
        record, log = pathlib.Path(folder, "results"), pathlib.Path(folder, "log")
        record.write_text("".join(f"{line}\n" for line in lines))
        log.write_text(json.dumps({"name": "fast / pages", "result": result, "env": {"ASSAY_TEST_RESULTS": str(record)}}))
        run = subprocess.run([sys.executable, PROGRAM, log], capture_output=True, text=True)
        return run.returncode, run.stdout


class CountTestsTest(unittest.TestCase):
    def test_cases_left_to_nightly_are_counted_and_named_by_class(self):
        lines = ["started p.A.x", "passed p.A.x"]
        for name in ("p.Large.x", "p.Large.y", "p.B.z"):
            lines += [f"started {name}", f"nightly {name}"]
        self.assertEqual(counted("OK", *lines), (0, "nightly: pages: p.Large, 2\nnightly: pages: p.B, 1\n"
                                                    "3 left to tools/dev nightly\n1 passed, 0 failed\n"))

    def test_a_part_of_a_case_may_be_left_to_nightly(self):
        self.assertEqual(counted("OK", "started x", "nightly all numbers", "passed x"),
                         (0, "nightly: pages: all numbers, 1\n1 left to tools/dev nightly\n1 passed, 0 failed\n"))

    def test_a_part_that_python_leaves_out_is_recorded_once(self):
        with tempfile.TemporaryDirectory() as folder:
            test, record = pathlib.Path(folder, "p_test.py"), pathlib.Path(folder, "results")
            test.write_text("import unittest\nfrom spec_tests.nightly import is_nightly\n\n\n"
                            "class A(unittest.TestCase):\n    def test_x(self):\n"
                            "        self.assertEqual([is_nightly('all numbers') for _ in range(2)], [False] * 2)\n")
            command = [sys.executable, PROGRAM.parents[1] / "spec_tests" / "run_python_test.py", test]
            environment = {**os.environ, "ASSAY_TEST_RESULTS": str(record), "ASSAY_NIGHTLY": "0"}
            run = subprocess.run(command, capture_output=True, text=True, env=environment)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(record.read_text().splitlines(),
                             ["started p_test.A.test_x", "nightly all numbers", "passed p_test.A.test_x"])

    def test_a_skipped_case_is_named(self):
        self.assertEqual(counted("OK", "started p.A.x", "skipped p.A.x"),
                         (0, "skipped: pages: p.A.x\n1 skipped\n0 passed, 0 failed\n"))

    def test_a_case_without_an_end_has_failed(self):
        code, output = counted("FAIL", "started p.A.x", "started p.A.y", "passed p.A.y")
        self.assertEqual((code, output.splitlines()[-2:]), (1, ["failed: pages: p.A.x", "1 passed, 1 failed"]))
