"""Times a check of the corpus on the reference.

    tools/dev bench corpus [--turns N] [OPTION OF assay check]...

Prints a Markdown table. Other work on the machine has little effect on the processor time.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def processor_seconds():
    """Returns the processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check(options):
    """Returns the wall-clock seconds and the processor seconds of a check."""
    start, before = time.monotonic(), processor_seconds()
    done = subprocess.run(["build/tools/assay", "check", *options], cwd=ROOT, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    if done.returncode not in (0, 1):
        raise SystemExit(f"assay check {' '.join(options)}: exit code {done.returncode}")
    return time.monotonic() - start, processor_seconds() - before


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5, help="how often it is measured (5)")
    arguments, options = parser.parse_known_args()
    turns = [check(["--backend", "reference", *options]) for _ in range(arguments.turns)]
    print("\n| the corpus on the reference, s | median | range |\n|---|---|---|")
    for name, values in zip((f"on the clock, {os.cpu_count()} processors", "of the processor"), zip(*turns)):
        print(f"| {name} | {statistics.median(values):.2f} | {min(values):.2f} to {max(values):.2f} |")


if __name__ == "__main__":
    main()
