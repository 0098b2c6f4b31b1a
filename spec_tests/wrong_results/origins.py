"""Where each wrong result comes from: what `assay diff --extract`, `blame` and `reduce` say of it.

    python spec_tests/wrong_results/origins.py [NAME...]

writes origins.md, and the reduced modules into reduced/. Only modules that origins.md does not have are measured; those
that are named are measured again. ASSAY is the program, as for measure.py.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import tempfile
import time

import measure

BACKEND = "xla-cpu"
SECONDS = 120  # for each step
STORED = 40_000  # bytes of a reduced module and its inputs
TABLE = measure.FOLDER / "origins.md"
REDUCED = measure.FOLDER / "reduced"
HEAD = ["module", "report", "smallest part that fails alone", "pass", "instructions"]


class Step:
    """One run of assay: what it printed, and what went wrong."""

    def __init__(self, *words):
        start = time.monotonic()
        try:
            done = subprocess.run([measure.ASSAY, *words], capture_output=True, text=True, check=False, timeout=SECONDS)
            self.out, self.error = done.stdout, ""
            if done.returncode not in (0, 1):
                self.error = f"exit {done.returncode}: {' '.join(done.stderr.split())[:200]}"
        except subprocess.TimeoutExpired:
            self.out, self.error = "", f"not within {SECONDS} s"
        self.seconds = time.monotonic() - start

    def json(self):
        """What it printed with --format json."""
        return {} if self.error else json.loads(self.out)


def verdict_of_folder(folder):
    """That of the command that assay wrote into a folder."""
    step = Step(*shlex.split((folder / "command.txt").read_text())[1:], "--format", "json", "--budget", "10")
    return step.json().get("verdict", step.error)


def op_of(line):
    """The op of an instruction's text."""
    return re.search(r" = .*? ([a-z][a-z0-9-]*)\(", line).group(1)


def part(step, folder):
    """The instructions of the smallest part, and what becomes of them alone."""
    report = step.json()
    if report.get("verdict") != "FAIL":
        return step.error or report["verdict"]
    if not report.get("region"):
        return "none was found"
    ops = [op_of(instruction["instruction"]) for instruction in report["region"]["instructions"]]
    verdict = verdict_of_folder(folder)
    return ", ".join(ops) + ("" if verdict == "FAIL" else f"; alone it is {verdict}")


def blamed(step):
    """The pass, or what else blame said at last."""
    said = [line for line in step.out.splitlines() if line and not line.startswith(" ")]
    if step.error or len(said) < 2:
        return step.error or step.out.strip()
    later = ", which brings it out" if "what comes later is wrong" in step.out else ""
    changing = re.search(r"^what (\S+) changes:$", step.out, re.MULTILINE)
    needed = f"{changing[1]}, which cannot be left out" if changing else "no pass that can be left out"
    last = re.sub(r"no pass that can be left out .*", needed, said[-1])
    return re.sub(r"(no single pass) explains it: it is right with(?:out)?", r"\1, but", last) + later


def reduced(step, module, folder):
    """The sizes; the module is kept if it is small."""
    sizes = re.search(r"^  instructions: (\d+) -> (\d+)", step.out, re.MULTILINE)
    if step.error or not sizes:
        return step.error or "not reduced"
    verdict = verdict_of_folder(folder)
    note = "; not finished" if "time of --budget was up" in step.out else ""
    if verdict != "FAIL":
        return f"{sizes[1]} to {sizes[2]}, {verdict}{note}; not kept"
    text = f"// Reduced from: {module.name}\n// Wrong on: {BACKEND}\n\n" + (folder / "module.hlo").read_text().strip()
    inputs = (folder / "inputs.json").read_text()
    if len(text) + len(inputs) > STORED:
        return f"{sizes[1]} to {sizes[2]}{note}; not kept: {len(text) + len(inputs)} bytes"
    REDUCED.mkdir(exist_ok=True)
    (REDUCED / f"{module.name}.hlo").write_text(text + "\n")
    given = REDUCED / f"{module.name}.inputs.json"
    if any(json.loads(inputs)["inputs_per_device"]):
        given.write_text(inputs)
    else:
        given.unlink(missing_ok=True)
    return f"{sizes[1]} to [{sizes[2]}](reduced/{module.name}.hlo){note}"


def row(module):
    """The cells of a module, and the seconds of each step."""
    words = [os.path.relpath(module.path), "--backend", BACKEND]
    if module.inputs.exists():
        words += ["--inputs", os.path.relpath(module.inputs)]
    with tempfile.TemporaryDirectory() as folder:
        alone, small = pathlib.Path(folder, "alone"), pathlib.Path(folder, "small")
        diff = Step("diff", *words, "--format", "json", "--extract", str(alone))
        blame = Step("blame", *words, "--timeout", str(SECONDS // 12))
        reduce = Step("reduce", *words, "--jobs", "1", "--budget", str(SECONDS - 20), "--out", str(small))
        cells = [
            f"`{module.name}`",
            " ".join(measure.comment(module.path.read_text(), "Report")),
            part(diff, alone),
            blamed(blame),
            reduced(reduce, module, small),
        ]
    return cells, [step.seconds for step in (diff, blame, reduce)]


def summary(rows):
    """What the rows come to."""
    passes = collections.Counter(cells[3] for cells in rows)
    sizes = [re.match(r"(\d+) to \[?(\d+)", cells[4]) for cells in rows]
    before, after = zip(*[map(int, found.groups()) for found in sizes if found])
    yield f"{len(rows)} modules. Instructions, in the median: {statistics.median(before):g} before `reduce`,"
    yield f"{statistics.median(after):g} after it; at most {max(before)} and {max(after)}."
    yield ""
    yield "| pass | modules |"
    yield "|---|---|"
    for name, count in sorted(passes.items(), key=lambda item: (-item[1], item[0])):
        yield f"| {name} | {count} |"


def write(rows):
    """origins.md."""
    ordered = [rows[name] for name in sorted(rows)]
    table = ["|".join(["", *(f" {cell} " for cell in cells), ""]) for cells in [HEAD, *ordered]]
    table.insert(1, "|---" * len(HEAD) + "|")
    lines = ["# Where the wrong results come from", "", "Written by `origins.py`; README.md says what it means.", ""]
    TABLE.write_text("\n".join([*lines, *summary(ordered), "", *table, ""]))


def main():
    """Measures what is missing or named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args().names
    modules = [module for module in measure.modules("*.hlo") if module.kind(BACKEND) == "wrong"]
    lines = TABLE.read_text().splitlines() if TABLE.exists() else []
    rows = {line.split("`")[1]: line[2:-2].split(" | ") for line in lines if line.startswith("| `")}
    for module in modules:
        if module.name in names or (not names and module.name not in rows):
            rows[module.name], seconds = row(module)
            print(module.name, *(f"{each:.1f}" for each in seconds), *rows[module.name][2:], sep=" | ", flush=True)
            write(rows)


if __name__ == "__main__":
    main()
