"""Runs the parts of `tools/dev nightly`, each to its end: nightly.py [--list] [PART...]

A part is a name below, the name of a peer that has expectations, or `peers` for all of these; without one, all parts
run. The last lines are a table of the parts with their results and times; the status is 1 if a part is red. With --list
the commands are printed and not run. tools/dev builds build/ first, and sets ASSAY_PACKAGES to the packages
that it installs.
"""

import argparse
import datetime
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
SECONDS_OF_FUZZING = 300
PIECES = 28  # of the f32 numbers: all within four weeks
NOISE = [*(f"lawful:{profile}" for profile in ("cuda", "exact", "fast", "ftz", "ieee", "simd", "stablehlo", "xla",
                                               "xla-cpu", "xla-gpu", "xla-rocm", "xla-tpu", "xla-wide")),
         "simd"]  # fmt: skip


def parts(day):
    """Returns the commands of each part on a day, in order."""
    seed, piece = day.strftime("%Y%m%d"), day.toordinal() % PIECES
    peers = sorted(path.stem for path in (ROOT / "golden").glob("*.json"))
    return {
        "audit": [[PYTHON, "-m", "oracle.audit"]],
        "corpus": [[PYTHON, "-m", "corpus.make_goldens", "--check"], [PYTHON, "-m", "corpus.quick", "--check"]],
        **{peer: [["env", f"ASSAY_REPORT=report/{peer}", DEV, "check", peer]] for peer in peers},
        "packages": [[PYTHON, "tools/check_packages.py", "build", *os.environ.get("ASSAY_PACKAGES", "").split()]],
        "mutants": [[BENCH, "mutants", "--profile", profile] for profile in ("exact", "ieee", "xla")],
        "noise": [[ASSAY, "fuzz", "--backend", backend, "--seed", seed, "--time", str(60 * MINUTES_OF_NOISE),
                   "--from-start", "--out", f"report/accusations/{backend.replace(':', '-')}"] for backend in NOISE],
        "tests": [["env", "ASSAY_NIGHTLY=1", f"ORACLE_SEED={seed}", DEV, "test"]],
        "functions": [[DEV, "exhaust-functions", "all", "17", "100000", "1.01", str(piece), str(PIECES)]],
        "fuzz-self": [[DEV, "fuzz-self", str(SECONDS_OF_FUZZING)]],
    }  # fmt: skip


def chosen(names, of_day):
    """Returns the parts with these names; all without names."""
    peers = [name for name in of_day if (ROOT / f"golden/{name}.json").exists()]
    wanted = {part for name in names for part in (peers if name == "peers" else [name])}
    if unknown := sorted(wanted - of_day.keys()):
        raise SystemExit(f"nightly: no part {unknown[0]}: expected peers, {', '.join(of_day)}")
    return {name: commands for name, commands in of_day.items() if not wanted or name in wanted}


def run(name, commands):
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
    return line, failed


def run_all(of_day):
    """Runs parts, and prints their table. Returns the exit status."""
    results = [run(*part) for part in of_day.items()]
    print("", *(line for line, _ in results), sep="\n")
    return 1 if any(failed for _, failed in results) else 0


def main():
    """Runs or lists the parts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="*")
    parser.add_argument("--list", action="store_true", help="print the commands and run none")
    options = parser.parse_args()
    of_day = chosen(options.part, parts(datetime.date.today()))
    if not options.list:
        return run_all(of_day)
    for name, commands in of_day.items():
        print(*(f"{name:<22} {shlex.join(command)}" for command in commands), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
