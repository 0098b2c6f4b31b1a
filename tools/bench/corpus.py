"""Times a check of the corpus: on the reference, and how the time beside XLA:CPU divides.

    tools/dev bench corpus [--turns N] [OPTION OF assay check]...

The reference runs the whole corpus. XLA:CPU runs the cases of --quick, or those of the given options. Seconds are
processor time, so that other work on the machine has little effect. Prints Markdown tables.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")


def check(*options):
    """Returns the wall-clock seconds and the processor seconds: assay's own, and those of the processes that it
    started."""
    start = time.monotonic()
    process = subprocess.Popen(
        ["build/tools/assay", "check", *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    # A process that has ended but is not reaped has its own times and those of its children in separate fields.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    clock = time.monotonic() - start
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    process.wait()
    if process.returncode not in (0, 1):
        raise SystemExit(f"assay check {' '.join(options)}: exit code {process.returncode}")
    own, children = (sum(int(field) for field in fields[first : first + 2]) / TICKS for first in (11, 13))
    return clock, own, children


def row(name, values):
    """Prints a row of a table: the median and the range."""
    print(f"| {name} | {statistics.median(values):.2f} | {min(values):.2f} to {max(values):.2f} |")


def beside_xla(options):
    """Returns the seconds of one check of XLA:CPU by their use."""
    with tempfile.TemporaryDirectory() as folder:
        peer = f"process:.venv/bin/python -m tools.bench.timed_adapter {folder}/seconds"
        _, own, _ = check("--backend", peer, "--profile", "xla-cpu", "--jobs", "1", *options)
        parts = [json.loads(file.read_text()) for file in pathlib.Path(folder).iterdir()]
    peer = {name: sum(part[name] for part in parts) for name in parts[0]}
    return {
        "assay check": own,
        "the adapter": peer["requests"] - peer["convert"] - peer["compile"] - peer["run"],
        "starts of the peer": peer["process"] - peer["requests"],
        "XLA's conversions of modules": peer["convert"],
        "XLA's compiler": peer["compile"],
        "XLA's programs": peer["run"],
    }


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5, help="how often each is measured (5)")
    arguments, options = parser.parse_known_args()
    turns = [check("--backend", "reference") for _ in range(arguments.turns)]
    print("\n| the corpus on the reference, s | median | range |\n|---|---|---|")
    row(f"on the clock, {os.cpu_count()} processors", [clock for clock, _, _ in turns])
    row("of the processor", [own + children for _, own, children in turns])
    turns = [beside_xla(options or ["--quick"]) for _ in range(arguments.turns)]
    print("\n| beside XLA:CPU, % of the processor's time | median | range |\n|---|---|---|")
    for name in turns[0]:
        row(name, [100 * turn[name] / sum(turn.values()) for turn in turns])


if __name__ == "__main__":
    main()
