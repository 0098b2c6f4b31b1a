"""Runs the parts of `tools/dev nightly`, each to its end: nightly.py [--list] [--continue] [PART...]

A part is a name that --list prints, or a group of parts: `peers`, those with expectations, `tests`, `long-tests` and
`cuda-tests`; without one, all parts run. The last lines are a table of the parts with their results and times; the
status is 1 if a part is red. With --list the commands are printed and not run. With --continue a part that was ok
before, at this commit and in a tree without changes, is not run again: the table shows its line of then. tools/dev
builds build/ first, and sets ASSAY_PACKAGES to the packages that it installs.
"""

import argparse
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PYTHON = str(ROOT / ".venv/bin/python")
ASSAY, BENCH, DEV = "build/tools/assay", "build/tools/bench", "tools/dev"
MINUTES_OF_NOISE = 2
SUSPECT_RATE = 1  # in 100,000 programs of lawful noise, as docs/verdicts.md states it
SECONDS_OF_FUZZING = 300
PIECES = 28  # of the f32 numbers: all within four weeks
# Groups of tests by their names. Each pattern is a part of its own, since a part that was cut off begins again.
TESTS = {
    "tests": ["(?!cuda_)[a-c]", "[d-j]", "(?!kernels$|numerics$)[k-n]", "o", "(?!page_commands$)[pq]", "r", "[s-z]"],
    "long-tests": ["kernels$", "numerics$", "page_commands$"],
    "cuda-tests": ["cuda_[a-c]", "cuda_[d-m]", "cuda_[n-z]"],
}
# The lines of the parts that ended, one JSON object each, with the commit.
ENDED = ROOT / "report/nightly.jsonl"
NOISE = [*(f"lawful:{profile}" for profile in ("cuda", "exact", "fast", "ftz", "ieee", "simd", "stablehlo", "xla",
                                               "xla-cpu", "xla-gpu", "xla-rocm", "xla-tpu", "xla-wide", "quantized-fixed-point")),
         "simd"]  # fmt: skip


# The profiles under which programs that begin with real lowerings have noise.
NOISE_OF_LOWERINGS = ["fast", "ieee", "stablehlo", "xla", "xla-gpu", "xla-tpu"]
LOWERINGS = "report/lowerings"


def fuzz(backend, seed, *options):
    """Returns the command that runs programs of a seed on a backend."""
    out = f"report/accusations/{'-'.join([backend.replace(':', '-'), *(['lowered'] if options else [])])}"
    rate = ["--suspect-rate", str(SUSPECT_RATE)] if backend.startswith("lawful") else []
    return [ASSAY, "fuzz", "--backend", backend, "--seed", seed, "--time", str(60 * MINUTES_OF_NOISE), "--from-start",
            "--out", out, *rate, *options]  # fmt: skip


def parts(day):
    """Returns the commands of each part on a day, in order."""
    seed, piece = day.strftime("%Y%m%d"), day.toordinal() % PIECES
    peers = sorted(path.stem for path in (ROOT / "golden").glob("*.json"))
    return {
        "audit": [[PYTHON, "-m", "golden.witness.audit"]],
        "corpus": [[PYTHON, "-m", "golden.make", "--check"], [PYTHON, "-m", "golden.make.quick", "--check"]],
        **{peer: [["env", f"ASSAY_REPORT=report/{peer}", DEV, "check", peer]] for peer in peers},
        "packages": [[PYTHON, "tools/check_packages.py", "build", *os.environ.get("ASSAY_PACKAGES", "").split()]],
        "mutants": [[BENCH, "mutants", "--profile", profile] for profile in ("exact", "ieee", "xla")],
        "noise": [fuzz(backend, seed) for backend in NOISE],
        "lowered-noise": [
            ["env", "PYTHONPATH=.:python", PYTHON, "-m", "spec_tests.lowerings.write_modules", LOWERINGS],
            *(fuzz(backend, seed, "--from", LOWERINGS)
              for backend in [*(f"lawful:{profile}" for profile in NOISE_OF_LOWERINGS), "simd"]),
        ],
        **{f"{group}-{i}": [["env", "ASSAY_NIGHTLY=1", f"ORACLE_SEED={seed}", f"ASSAY_TESTS={names}", DEV, "test"]]
           for group, patterns in TESTS.items() for i, names in enumerate(patterns, 1)},
        "functions": [[DEV, "exhaust-functions", "all", "17", "100000", "1.01", str(piece), str(PIECES)]],
        "fuzz-self": [[DEV, "fuzz-self", str(SECONDS_OF_FUZZING)]],
        "clang": [[DEV, "clang"]],
    }  # fmt: skip


def chosen(names, of_day):
    """Returns the parts with these names; all without names."""
    groups = {group: [f"{group}-{i}" for i in range(1, len(patterns) + 1)] for group, patterns in TESTS.items()}
    groups["peers"] = [name for name in of_day if (ROOT / f"golden/{name}.json").exists()]
    wanted = {part for name in names for part in groups.get(name, [name])}
    if unknown := sorted(wanted - of_day.keys()):
        raise SystemExit(f"nightly: no part {unknown[0]}: expected {', '.join([*groups, *of_day])}")
    return {name: commands for name, commands in of_day.items() if not wanted or name in wanted}


def tree():
    """Returns the commit of the tree; None if the tree differs from it."""
    describe = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]
    commit = subprocess.run(describe, capture_output=True, text=True, check=False).stdout.strip()
    return None if not commit or commit.endswith("-dirty") else commit


def ok_before(commit):
    """Returns the lines of the parts that were ok at this commit."""
    if commit is None or not ENDED.exists():
        return {}
    ended = [json.loads(line) for line in ENDED.read_text(encoding="utf-8").splitlines()]
    return {part["name"]: part["line"] for part in ended if part["commit"] == commit and not part["failed"]}


def run(name, commands, commit):
    """Runs all commands of a part. Returns its line."""
    print(f"\n== {name}", flush=True)
    start, failed = time.monotonic(), 0
    for command in commands:
        print(f"   {shlex.join(command)}", flush=True)
        try:
            failed += subprocess.run(command, cwd=ROOT, check=False).returncode != 0
        except OSError as error:
            print(f"nightly: {error}", flush=True)
            failed += 1
    line = f"{name:<22} {'red' if failed else 'ok':<4} {time.monotonic() - start:6.0f} s"
    print(line, flush=True)
    ENDED.parent.mkdir(exist_ok=True)
    with ENDED.open("a", encoding="utf-8") as record:
        record.write(json.dumps({"name": name, "line": line, "failed": failed, "commit": commit}) + "\n")
    return line, failed


def run_all(of_day, is_continued=False):
    """Runs parts, and prints their table. Returns the exit status."""
    commit = tree()
    before = ok_before(commit) if is_continued else {}
    results = [(f"{before[name]}  before", 0) if name in before else run(name, commands, commit)
               for name, commands in of_day.items()]  # fmt: skip
    print("", *(line for line, _ in results), sep="\n")
    return 1 if any(failed for _, failed in results) else 0


def main():
    """Runs or lists the parts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="*")
    parser.add_argument("--list", action="store_true", help="print the commands and run none")
    parser.add_argument("--continue", action="store_true", dest="is_continued", help="leave out what was ok before")
    options = parser.parse_args()
    of_day = chosen(options.part, parts(datetime.date.today()))
    if not options.list:
        return run_all(of_day, options.is_continued)
    for name, commands in of_day.items():
        print(*(f"{name:<22} {shlex.join(command)}" for command in commands), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
