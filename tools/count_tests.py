"""Adds up test cases: count_tests.py TESTLOG [NAME:passed | NAME:failed]...

TESTLOG is the log of `meson test`. A test that records its cases in the file named by ASSAY_TEST_RESULTS (see
spec_tests/catch_main.cc) counts as these cases, any other as one case. A test that failed without a failed case adds a
failed case. Prints the output of the failed tests, the names of the failed tests, of the skipped ones and of those left
to `tools/dev nightly`, and "N passed, N failed".
"""

import collections
import json
import pathlib
import sys


class Totals:
    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []
        self.nightly = []

    def add(self, name, result):
        if result == "passed":
            self.passed += 1
        else:
            getattr(self, result).append(name)


def recorded_cases(path):
    """Yields the (name, result) pairs of a record. A case that started and has no later line failed."""
    open_case = None
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        word, _, name = line.partition(" ")
        if word == "nightly" and name != open_case:  # a part of the open case
            yield name, word
            continue
        if open_case is not None and (word == "started" or name != open_case):
            yield open_case, "failed"
        open_case = name if word == "started" else None
        if word != "started":
            yield name, word
    if open_case is not None:
        yield open_case, "failed"


def add_test(totals, test):
    name, result = test["name"].split(" / ")[-1], test["result"]  # after the suite
    outcome = {"OK": "passed", "EXPECTEDFAIL": "passed", "SKIP": "skipped"}.get(result, "failed")
    record = pathlib.Path(test.get("env", {}).get("ASSAY_TEST_RESULTS", ""))
    cases = list(recorded_cases(record)) if record.is_file() else []
    for case, case_result in cases:
        totals.add(f"{name}: {case}", case_result)
    if not cases or (outcome == "failed" and not any(case_result == "failed" for _, case_result in cases)):
        totals.add(f"{name} ({result.lower()})", outcome)
    if outcome == "failed":
        said = (test.get("stdout") or "") + (test.get("stderr") or "")
        print(f"--- {name}: {result.lower()}", *said.splitlines()[-100:], sep="\n")


def main():
    totals = Totals()
    with open(sys.argv[1], encoding="utf-8") as log:
        for line in log:
            add_test(totals, json.loads(line))
    for extra in sys.argv[2:]:
        totals.add(*extra.split(":"))
    # The cases of a test class share a line.
    for name, count in collections.Counter(name.rpartition(".")[0] or name for name in totals.nightly).items():
        print(f"nightly: {name}, {count}")
    for name in totals.skipped:
        print("skipped:", name)
    for name in totals.failed:
        print("failed:", name)
    if totals.skipped:
        print(len(totals.skipped), "skipped")
    if totals.nightly:
        print(len(totals.nightly), "left to tools/dev nightly")
    print(f"{totals.passed} passed, {len(totals.failed)} failed")
    sys.exit(1 if totals.failed else 0)


if __name__ == "__main__":
    main()
