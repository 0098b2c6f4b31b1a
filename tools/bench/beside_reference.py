"""Times the sets of lawful results (docs/verdicts.md), or the backend simd, beside the reference's run, on the modules
of tools/bench/modules.

    tools/dev bench sets|simd [--before BENCH] [PART OF A NAME]...

Each module has its middle size. Prints a Markdown table.
"""

import argparse
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from tools.bench.modules import sizes_of, templates_named, text_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"(\S+)\.hlo +(\S+ \([^)]*\)) +(\S+ \([^)]*\)) +(\S+)$", re.MULTILINE)


def rows_of(bench, other, files):
    """Returns for each module the times of the reference and of the other side, in milliseconds with their ranges, and
    their ratio."""
    done = subprocess.run([bench, other, *files], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.strip() or f"{bench}: exit code {done.returncode}")
    return {name: (reference, mine, float(ratio)) for name, reference, mine, ratio in ROW.findall(done.stdout)}


def median(times):
    return float(times.split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", choices=["sets", "simd"], help="what runs beside the reference")
    parser.add_argument("--before", type=pathlib.Path, metavar="BENCH",
                        help="build/tools/bench of another state of the sources, which runs too")
    parser.add_argument("parts", nargs="*", metavar="PART", help="modules whose names contain it; without any, all")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for template in templates_named(options.parts):
            sizes = sizes_of(template, False)
            files.append(pathlib.Path(folder) / template.name)
            files[-1].write_text(text_of(template, sizes[len(sizes) // 2]))
        before = rows_of(options.before.resolve(), options.other, files) if options.before else {}
        now = rows_of(ROOT / "build/tools/bench", options.other, files)
    other = options.other
    print(f"| module | reference, ms | {other}, ms | {other} / reference |" + (" before / now |" if before else ""))
    print("|---|---|---|---|" + ("---|" if before else ""))
    gains = []
    for name, (reference, mine, ratio) in now.items():
        row = f"| {name} | {reference} | {mine} | {ratio} |"
        if name in before:
            gains.append(median(before[name][1]) / median(mine))
            row += f" {gains[-1]:.2f} |"
        print(row)
    if gains:
        print(f"\nGeometric mean of before / now: {math.exp(statistics.fmean(map(math.log, gains))):.2f}")


if __name__ == "__main__":
    main()
