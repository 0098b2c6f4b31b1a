"""golden/wrong_results/origins.json: what `diff --extract`, `blame` and `reduce` say of each wrong result.

    python -m tools.docs.origins [NAME...]

Measures the goldens that the file lacks, or the named ones; each takes about ten seconds. Writes each reduced module
as the golden NAME_reduced, without values: `python -m golden.make wrong_results` adds them. The program is
ASSAY, build/tools/assay if that is not set.
"""

import argparse
import collections
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import tempfile
import time

from golden.make.compaction import compact
from golden.witness.arrays import line_of
from golden.witness.hlo import goldens
from golden.witness.program import ASSAY, GOLDEN, from_json, to_json

BACKEND = "xla-cpu"
SECONDS = 120  # for each step
STORED = 40_000  # bytes of a reduced module and its inputs
FOLDER = GOLDEN / "wrong_results"
TABLE = FOLDER / "origins.json"


def comment(text, label):
    """Returns the words of a labeled comment at the head of a module, including its continuation lines."""
    found = re.search(rf"^// {label}: (.*(?:\n//     .*)*)", text, re.MULTILINE)
    return found.group(1).replace("\n//    ", "").split() if found else []


class Step:
    """One run of assay: its output and its error."""

    def __init__(self, *words):
        start = time.monotonic()
        try:
            done = subprocess.run([ASSAY, *words], capture_output=True, text=True, check=False, timeout=SECONDS)
            self.out, self.error = done.stdout, ""
            if done.returncode not in (0, 1):
                self.error = f"exit {done.returncode}: {' '.join(done.stderr.split())[:200]}"
        except subprocess.TimeoutExpired:
            self.out, self.error = "", f"not within {SECONDS} s"
        self.seconds = time.monotonic() - start

    def json(self):
        """Returns the output of --format json."""
        return {} if self.error else json.loads(self.out)


def verdict_of_folder(folder):
    """Returns the verdict of the command in a folder that assay wrote."""
    step = Step(*shlex.split((folder / "command.txt").read_text())[1:], "--format", "json", "--budget", "10")
    return step.json().get("verdict", step.error)


def op_of(line):
    """Returns the op of an instruction's text."""
    return re.search(r" = .*? ([a-z][a-z0-9-]*)\(", line).group(1)


def part(step, folder):
    """Returns the instructions of the smallest failing part, and its verdict alone if that is not FAIL."""
    report = step.json()
    if report.get("verdict") != "FAIL":
        return step.error or report["verdict"]
    if not report.get("region"):
        return "none was found"
    ops = [op_of(instruction["instruction"]) for instruction in report["region"]["instructions"]]
    verdict = verdict_of_folder(folder)
    return ", ".join(ops) + ("" if verdict == "FAIL" else f"; alone it is {verdict}")


def blamed(step):
    """Returns the blamed pass, or the last line of another result."""
    said = [line for line in step.out.splitlines() if line and not line.startswith(" ")]
    if step.error or len(said) < 2:
        return step.error or step.out.strip()
    later = ", which brings it out" if "what comes later is wrong" in step.out else ""
    changing = re.search(r"^what (\S+) changes:$", step.out, re.MULTILINE)
    needed = f"{changing[1]}, which cannot be left out" if changing else "no pass that can be left out"
    last = re.sub(r"no pass that can be left out .*", needed, said[-1])
    return re.sub(r"(no single pass) explains it: it is right with(?:out)?", r"\1, but", last) + later


def short_text(path):
    """Returns the module of a file in the form of the goldens: without signatures and layouts."""
    command = [ASSAY, "print", str(path), "--short"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    text = re.sub(r", entry_computation_layout=\{.*\}$", "", text, count=1, flags=re.MULTILINE)
    return re.sub(r"\]\{[\d,]*\}", "]", text).strip()


def keep(name, folder):
    """Writes a reduced module as a golden if it is small; otherwise returns the reason why not."""
    module, inputs = short_text(folder / "module.hlo"), (folder / "inputs.json").read_text()
    if len(module) + len(inputs) > STORED:
        return f"not kept: {len(module) + len(inputs)} bytes"
    (values,) = json.loads(inputs)["inputs_per_device"]
    texts = [line_of(from_json(value)) for value in values]
    kinds = dict.fromkeys(re.findall(r"\b(\w+)\[", module))
    headers = goldens.read(FOLDER / f"{name}.hlo").headers | {"tags": f"wrong_results reduced {' '.join(kinds)} level1"}
    text = f"// Reduced from: {name}\n// Wrong on: {BACKEND}\n\n{module}"
    case = goldens.Case("wrong", f"the smallest form of {name}", [], texts)
    path = FOLDER / f"{name}_reduced.hlo"
    path.write_text(compact(goldens.render(goldens.Golden(f"wrong_results/{name}", text, [case], headers))))
    return ""


def reduced(step, name, folder):
    """Returns the sizes before and after. Keeps the module if it is small."""
    sizes = re.search(r"^  instructions: (\d+) -> (\d+)", step.out, re.MULTILINE)
    if step.error or not sizes:
        return step.error or "not reduced"
    note = "; not finished" if "time of --budget was up" in step.out else ""
    verdict = verdict_of_folder(folder)
    if verdict != "FAIL":
        return f"{sizes[1]} to {sizes[2]}, {verdict}{note}; not kept"
    if why_not := keep(name, folder):
        return f"{sizes[1]} to {sizes[2]}{note}; {why_not}"
    return f"{sizes[1]} to {sizes[2]}{note}"


def row(golden):
    """Returns the fields of a golden, and the seconds of each step."""
    name = golden.path.split("/")[1]
    with tempfile.TemporaryDirectory() as folder:
        given, alone, small = (pathlib.Path(folder, part) for part in ("given", "alone", "small"))
        given.mkdir()
        (given / "module.hlo").write_text(golden.module)
        (given / "inputs.json").write_text(json.dumps({"inputs": list(map(to_json, golden.cases[0].arguments))}))
        words = [str(given / "module.hlo"), "--backend", BACKEND, "--inputs", str(given / "inputs.json")]
        diff = Step("diff", *words, "--format", "json", "--extract", str(alone))
        blame = Step("blame", *words, "--timeout", str(SECONDS // 12))
        reduce = Step("reduce", *words, "--jobs", "1", "--budget", str(SECONDS - 20), "--out", str(small))
        fields = {"part": part(diff, alone), "pass": blamed(blame), "instructions": reduced(reduce, name, small)}
    return fields, [step.seconds for step in (diff, blame, reduce)]


def summary(rows):
    """Yields the lines of a summary of the rows, in Markdown."""
    passes = collections.Counter(row["pass"] for row in rows)
    sizes = [re.match(r"(\d+) to (\d+)", row["instructions"]) for row in rows]
    before, after = zip(*[map(int, found.groups()) for found in sizes if found])
    yield f"{len(rows)} modules. Instructions, in the median: {statistics.median(before):g} before `reduce`,"
    yield f"{statistics.median(after):g} after it; at most {max(before)} and {max(after)}."
    yield "| pass | modules |\n|---|---|"
    for name, count in sorted(passes.items(), key=lambda item: (-item[1], item[0])):
        yield f"| {name} | {count} |"


def main():
    """Measures the missing or named goldens, and prints a summary of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args().names
    rows = json.loads(TABLE.read_text())
    for path in sorted(FOLDER.glob("*.hlo")):
        golden, name = goldens.read(path), path.stem
        is_wrong = golden.cases[0].name == "wrong" and BACKEND in comment(golden.module, "Wrong on")
        if not is_wrong or "reduced" in golden.headers["tags"].split():
            continue
        if name in names or (not names and name not in rows):
            rows[name], seconds = row(golden)
            print(name, *(f"{each:.1f}" for each in seconds), *rows[name].values(), sep=" | ", flush=True)
            lines = (f"  {json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows))
            TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print("\n".join(summary(list(rows.values()))))


if __name__ == "__main__":
    main()
