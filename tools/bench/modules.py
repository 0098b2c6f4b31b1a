"""Times the modules of tools/bench/modules on assay's backends and on XLA's, by turns.

    tools/dev bench modules [--cuda] [--processor-time] [--out FOLDER] [--without NAME]... [--with NAME]...
                            [--before BENCH] [--modules FOLDER] [PART OF A NAME]...

Each module runs at the sizes in its first line, on a GPU at those in the second; a module of --modules that has no such
lines runs as it is. Each participant compiles it in its own process, runs it once to warm up, and then takes turns with
the others, so that a busy moment of the machine affects all of them. One of them is the roof: the slower one of a copy
of as many bytes as the parameters and the result have, and of as many multiplications and additions as the module has
operations (tools/bench/work.h).

With --cuda the participants are the backend cuda and XLA:GPU, which needs jax with its CUDA plugin; their operands stay
on the device. Further columns are then: the time of cuda's kernels by CUDA events, in separate runs; the bandwidth for
operands and results in that time, relative to a copy on the device, which is measured first; the operations of dots;
and the time of XLA:GPU's executions that follow each other without a copy of their results, divided by the time of
cuda's kernels.

Prints Markdown tables. --out (report/bench) gets all measurements in modules.json, and with --cuda device.json.
"""

import argparse
import collections
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

from tools.bench.participant import ROOT, SLOW_SECONDS, Participant

MODULES = ROOT / "tools" / "bench" / "modules"
TURNS = 7
PYTHON = [".venv/bin/python", "tools/bench/module_peer.py"]
PARTICIPANTS = {
    "simd": ["build/tools/bench", "module", "simd"],
    "reference": ["build/tools/bench", "module", "reference"],
    "XLA:CPU": [*PYTHON, "cpu"],
    "HloEvaluator": [".venv-hlo-evaluator/bin/python", "tools/bench/module_peer.py", "evaluator"],
    "StableHLO": [*PYTHON, "stablehlo"],
    "roof": ["build/tools/bench", "module", "roof"],
}
# Those that take part only if they are named: functions of libraries, and the sets of lawful results (docs/verdicts.md).
FURTHER_PARTICIPANTS = {
    # One thread each, for --processor-time: others that wait for work would count, too.
    "libraries": ["/usr/bin/env", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", *PYTHON, "libraries"],
    "sets": ["build/tools/bench", "module", "sets"],
}
CUDA_PARTICIPANTS = {
    "cuda": ["build/tools/bench", "module", "cuda"],
    "XLA:GPU": [*PYTHON, "gpu"],
}


def measure(template, size, smaller, by_processor):
    """Returns the measurements of all participants. `smaller` is the result for the previous size, or None."""
    slow = {}
    for name, data in (smaller or {"of": {}})["of"].items():
        if data.get("median", 0) > SLOW_SECONDS:
            slow[name] = f"took {data['median']:.3g} s at size {smaller['size']}"
        elif data.get("missing", "").startswith("took"):
            slow[name] = data["missing"]
    with tempfile.TemporaryDirectory() as folder:
        module = pathlib.Path(folder) / "module.hlo"
        module.write_text(text_of(template, size))
        participants = [Participant(name, command, str(module), folder, slow.get(name), by_processor)
                        for name, command in PARTICIPANTS.items()]
        for turn in range(TURNS):
            for participant in participants:
                participant.take_turn(turn)
        for participant in participants:
            participant.finish()
            participant.time_kernels(str(module), folder)
        return {"module": template.stem, "size": size, "operations": operations_of(template, size),
                "of": {p.name: p.as_data() for p in participants}}


def microseconds(data):
    if "missing" in data:
        return "-"
    times = [1e6 * seconds for seconds in data["seconds"]]
    return f"{1e6 * data['median']:.4g} ({min(times):.4g} to {max(times):.4g})"


def first():
    """Returns the participant that the others are compared with."""
    return next(iter(PARTICIPANTS))


def ratio(data, name):
    """Returns the time of a participant divided by that of the first; None if one of them was not measured."""
    mine, its = data["of"].get(name, {}), data["of"][first()]
    return mine["median"] / its["median"] if "median" in mine and "median" in its else None


def shown(number):
    return "-" if number is None else f"{number:.3g}"


def geometric_mean(numbers):
    numbers = [number for number in numbers if number]
    return math.exp(statistics.fmean(map(math.log, numbers))) if numbers else None


def exponent(rows, name):
    """Returns the exponent of the time's growth with the size, from the last two sizes."""
    known = [(row["size"], row["of"][name]["median"]) for row in rows if row["size"] and "missing" not in row["of"][name]]
    if len(known) < 2:
        return None
    (n, s), (m, t) = known[-2:]
    return math.log(t / s) / math.log(m / n)


def templates_named(parts, folder=MODULES):
    """Returns the modules of the folder whose names contain one of the parts; without any, all."""
    known = sorted(folder.glob("*.hlo"))
    found = [path for path in known if not parts or any(part in path.stem for part in parts)]
    if not found:
        sys.exit(f"no module is named like that; there are {' '.join(path.stem for path in known)}")
    return found


def text_of(template, size):
    """Returns the text of a module in which $n is the size, if it has one."""
    text = template.read_text()
    if size is None:
        return text
    for word, number in (("$n/2+1", size // 2 + 1), ("$n-1", size - 1), ("$n", size)):
        text = text.replace(word, str(number))
    return text


def sizes_of(template, on_gpu):
    """Returns the sizes in the first lines of a module; without such lines, one that is None."""
    lines = template.read_text().splitlines()
    if not lines[0].startswith("// sizes"):
        return [None]
    line = lines[1 if on_gpu else 0]
    return [int(size) for size in line.removeprefix("// sizes on a GPU" if on_gpu else "// sizes").split()]


def operations_of(template, size):
    """Returns the product of the numbers that a module lists as its operations; None if it lists none."""
    line = (template.read_text().splitlines() + [""] * 3)[2]
    if not line.startswith("// operations "):
        return None
    return math.prod(int(word.replace("$n", str(size))) for word in line.removeprefix("// operations ").split())


def rates_of_device():
    """Returns the peak rates of the CUDA device."""
    done = subprocess.run([*PARTICIPANTS["cuda"][:1], "device"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def describe(rates):
    """Describes the device in a sentence."""
    dots = rates["dot_operations"]
    product = f"a bf16 dot of 8192 by cuBLASLt does {dots / 1e12:.4g} TFLOP/s" if dots else "there is no cuBLASLt"
    return f"{rates['name']}: a copy of 1 GiB moves {rates['copied_bytes'] / 1e9:.4g} GB/s, {product}."


def kernel_columns(data, rates):
    """Returns the columns of cuda: the kernels' time, their bandwidth relative to a copy, and the operations a
    second."""
    mine, its = data["of"][first()], data["of"].get("XLA:GPU", {})
    if "kernel_seconds" not in mine:
        return ["-"] * 4
    seconds = mine["kernel_seconds"]
    operations = f"{data['operations'] / seconds / 1e12:.4g}" if data["operations"] and seconds else "-"
    part = f"{mine['bytes'] / seconds / rates['copied_bytes']:.2f}" if seconds else "-"
    beside = shown(its["kernel_seconds"] / seconds) if seconds and "kernel_seconds" in its else "-"
    return [f"{1e6 * seconds:.4g}", part, operations, beside]


def means_of_kernels(results):
    """Returns the columns of cuda in the row of means."""
    if first() != "cuda":
        return []
    both = [[data["of"].get(name, {}).get("kernel_seconds") for name in ("XLA:GPU", "cuda")] for data in results]
    return ["", "", "", shown(geometric_mean(its / mine for its, mine in both if its and mine))]


def work_columns(data):
    """Returns the megabytes and millions of operations of a module, and the part of the roof that is slower."""
    roof = data["of"].get("roof", {})
    if "bytes" not in roof:
        return ["-"] * 3
    return [shown(roof["bytes"] / 1e6), shown(roof["operations"] / 1e6), roof["version"]]


def headings():
    kernels = ["its kernels, µs", "of a copy's rate", "TFLOP/s", "XLA:GPU / kernels"] if first() == "cuda" else []
    work = ["MB", "Mop", "roof is"] if "roof" in PARTICIPANTS else []
    return ["module", "size", f"{first()}, µs", *kernels, *work,
            *(f"{name} / {first()}" for name in list(PARTICIPANTS)[1:])]


def row_of(data, rates):
    ratios = [shown(ratio(data, name)) for name in list(PARTICIPANTS)[1:]]
    mine = data["of"][first()]
    further = kernel_columns(data, rates) if first() == "cuda" else []
    further += work_columns(data) if "roof" in PARTICIPANTS else []
    return f"| {' | '.join([data['module'], str(data['size'] or ''), microseconds(mine), *further, *ratios])} |"


def share_of_roof(data, name):
    """Returns the time of the roof divided by that of a participant; None if one of them was not measured."""
    mine, roof = data["of"].get(name, {}), data["of"].get("roof", {})
    return roof["median"] / mine["median"] if "median" in mine and "median" in roof else None


def summary_of_roof(results):
    """Yields a table of the shares of the roof that the participants reach."""
    if "roof" not in PARTICIPANTS:
        return
    yield "\n| share of the roof | geometric mean | the five lowest, at the largest size |\n|---|---|---|"
    largest = {data["module"]: data for data in results}.values()
    for name in PARTICIPANTS:
        if name == "roof":
            continue
        mean = geometric_mean(share_of_roof(data, name) for data in results)
        lowest = sorted((share, data["module"]) for data in largest if (share := share_of_roof(data, name)))[:5]
        yield f"| {name} | {shown(mean)} | {', '.join(f'{module} {share:.2g}' for share, module in lowest)} |"


def summary(results):
    """Yields lines about all modules: geometric means, growth, compile times and memory."""
    means = [shown(geometric_mean(ratio(data, name) for data in results)) for name in list(PARTICIPANTS)[1:]]
    work = [""] * 3 if "roof" in PARTICIPANTS else []
    yield f"| {' | '.join(['geometric mean', '', '', *means_of_kernels(results), *work, *means])} |"
    yield from summary_of_roof(results)
    programs = [name for name in PARTICIPANTS if name != "roof"]
    compiled = [[data["of"][name].get("compile_seconds") for data in results] for name in programs]
    yield f"\n| | {' | '.join(programs)} |"
    yield "|---" * (len(programs) + 1) + "|"
    yield f"| compile, ms, geometric mean | {' | '.join(shown(1e3 * (geometric_mean(c) or math.nan)) for c in compiled)} |"
    peaks = [geometric_mean(data["of"][name].get("peak_bytes") for data in results) for name in programs]
    yield f"| peak memory, MB, geometric mean | {' | '.join(shown((peak or math.nan) / 1e6) for peak in peaks)} |"
    yield f"\n| time grows with the size to the power of | {' | '.join(PARTICIPANTS)} |"
    yield "|---" * (len(PARTICIPANTS) + 1) + "|"
    for module in dict.fromkeys(data["module"] for data in results):
        rows = [data for data in results if data["module"] == module]
        yield f"| {module} | {' | '.join(shown(exponent(rows, name)) for name in PARTICIPANTS)} |"
    missing = collections.defaultdict(list)
    for data in results:
        for name, its in data["of"].items():
            if "missing" in its:
                missing[name, its["missing"]].append(f"{data['module']} {data['size']}")
    for (name, reason), modules in missing.items():
        which = "any module" if len(modules) == len(results) else ", ".join(modules)
        yield f"\n{name} does not measure {which}: {reason}"


def parsed_options():
    parser = argparse.ArgumentParser(description="Times modules on assay's backends and on XLA's, by turns.")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "report" / "bench", metavar="FOLDER")
    parser.add_argument("parts", nargs="*", metavar="PART", help="modules whose names contain it; without any, all")
    others = [*list(PARTICIPANTS)[1:], *list(CUDA_PARTICIPANTS)[1:]]
    parser.add_argument("--without", action="append", default=[], choices=others, metavar="NAME",
                        help="who does not take part: " + ", ".join(others))
    parser.add_argument("--with", action="append", default=[], choices=FURTHER_PARTICIPANTS, metavar="NAME",
                        dest="further", help="who takes part, too: libraries (NumPy, SciPy, oneDNN), sets (of lawful results)")
    parser.add_argument("--cuda", action="store_true", help="the backend cuda beside XLA:GPU")
    parser.add_argument("--modules", type=pathlib.Path, default=MODULES, metavar="FOLDER",
                        help="files of HLO text, in which $n is a size of the first line")
    parser.add_argument("--processor-time", action="store_true",
                        help="the time of all threads on processors, which other jobs disturb less (Linux)")
    parser.add_argument("--before", type=pathlib.Path, metavar="BENCH",
                        help="build/tools/bench of another state of the sources: its simd and reference take part too")
    return parser.parse_args()


def main():
    options = parsed_options()
    if options.cuda:
        PARTICIPANTS.clear()
        PARTICIPANTS.update(CUDA_PARTICIPANTS)
    PARTICIPANTS.update({name: FURTHER_PARTICIPANTS[name] for name in options.further})
    for name in options.without:
        PARTICIPANTS.pop(name, None)
    for backend in ("simd", "reference") if options.before else ():
        PARTICIPANTS[f"{backend} before"] = [str(options.before.resolve()), "module", backend]
    templates = templates_named(options.parts, options.modules)
    options.out.mkdir(parents=True, exist_ok=True)
    results = []
    rates = rates_of_device() if options.cuda else None
    if rates:
        (options.out / "device.json").write_text(json.dumps(rates) + "\n")
        print(describe(rates) + "\n")
    clock = " of the processors" if options.processor_time else ""
    print(f"Microseconds{clock}: the median of {TURNS} turns, and the range.\n")
    print(f"| {' | '.join(headings())} |\n|{'---|' * len(headings())}", flush=True)
    for template in templates:
        before = None
        for size in sizes_of(template, options.cuda):
            before = measure(template, size, before, options.processor_time)
            results.append(before)
            print(row_of(results[-1], rates), flush=True)
            (options.out / "modules.json").write_text(json.dumps(results, indent=1) + "\n")
    print("\n".join(summary(results)))


if __name__ == "__main__":
    main()
