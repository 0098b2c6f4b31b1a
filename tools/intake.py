"""Counts which modules of other projects assay accepts: python -m tools.intake [OPTIONS] FOLDER...

For each folder, such as a checkout of StableHLO or XLA: the modules in files with the endings of modules, and with
--strings those in raw strings of C++ tests, by what their test does with them. Every program of a file must be legal;
with --run it must also end with exit code 0, on inputs from seed 0, and with --print what assay prints of it must be the
same once it is read and printed again. Refused modules are listed by kind of message,
--json writes all.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ASSAY = pathlib.Path(os.environ.get("ASSAY", ROOT / "build/tools/assay"))
ENDINGS = {".hlo", ".mlir", ".mlirbc", ".bc", ".pb", ".pbtxt"}
RAW_STRING = re.compile(r'R"([A-Za-z0-9_]*)\((.*?)\)\1"', re.S)
TEST = re.compile(r"^(TEST|TYPED_TEST|INSTANTIATE)", re.M)
VERIFIES = re.compile(r"ParseAndReturnVerified|RunAndFilecheck|RunAndCompare")
FAILS = re.compile(r"EXPECT_FALSE\(status|StatusIs|\.status\(\)\.message|HasSubstr|ASSERT_FALSE")


def parse_arguments():
    parser = argparse.ArgumentParser(description="Counts which modules of other projects assay accepts.")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--run", action="store_true", help="run each program, too")
    parser.add_argument("--print", choices=("text", "stablehlo"), help="print each program, and its print again, too")
    parser.add_argument("--strings", action="store_true", help="also the modules in raw strings of .cc files")
    parser.add_argument("--mixed-precision", action="store_true", help="read all with this option of assay")
    parser.add_argument("--json", metavar="FILE", help="write the messages of all refused modules")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="for each program (300)")
    return parser.parse_args()


def kind_of_string(source, begin, end):
    """Returns what the test around a string does with it, as far as its words tell."""
    starts = [match.start() for match in TEST.finditer(source)]
    first = max((start for start in starts if start <= begin), default=0)
    last = min((start for start in starts if start > end), default=len(source))
    test = source[first:last]
    if "Unverified" in test:
        return "strings, not verified by XLA's test"
    if FAILS.search(test):
        return "strings of tests with an error"
    return "strings that XLA's test verifies" if VERIFIES.search(test) else "other strings"


def strings_in(path, place, scratch):
    """Yields (set, place, file) for each raw string with a module."""
    source = path.read_text(errors="replace")
    for match in RAW_STRING.finditer(source):
        if "HloModule " not in match[2]:
            continue
        line = source.count("\n", 0, match.start()) + 1
        file = scratch / f"{str(place).replace('/', '-')}_{line}.hlo"
        file.write_text(match[2])
        yield kind_of_string(source, match.start(), match.end()), f"{place}:{line}", file


def modules_in(folder, with_strings, scratch):
    """Yields (set, place, file) for each module of a folder; equal strings once."""
    seen = set()
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        if path.suffix in ENDINGS and path.is_file():
            yield f"*{path.suffix}", str(place), path
        if with_strings and path.suffix == ".cc" and path.is_file():
            for entry in strings_in(path, place, scratch):
                text = entry[2].read_bytes()
                if text not in seen:
                    seen.add(text)
                    yield entry


def assay(command, file, options, *arguments, text=None):
    """Returns the result of a command of assay, which reads `text` if the file is "-"; the exit code is "time" if it did
    not end in time."""
    words = [str(ASSAY), command, str(file), *arguments]
    words += ["--mixed-precision"] if options.mixed_precision else []
    try:
        return subprocess.run(words, input=text, capture_output=True, text=True, errors="replace", timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, "time", "", f"no end within {options.timeout:g} s")


def first_error(result):
    lines = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
    return lines[0] if lines else f"exit code {result.returncode}"


def refusal_of(file, options):
    """Returns the first message about a file; empty if all of its programs are accepted."""
    done = assay("run" if options.run else "verify", file, options)
    if done.returncode:
        return first_error(done)
    return other_print(file, options) if options.print else ""


def other_print(file, options):
    """Returns the first message about what is printed of a file, or about that printed again; empty if both are equal."""
    arguments = ["--full-constants", "--format", options.print]
    printed = assay("print", file, options, *arguments)
    if printed.returncode:
        return first_error(printed)
    again = assay("print", "-", options, *arguments, text=printed.stdout)
    if again.returncode:
        return f"its own print is refused: {first_error(again)}"
    pairs = itertools.zip_longest(printed.stdout.splitlines(), again.stdout.splitlines())
    return next((f"its print prints otherwise: {line!r} becomes {other!r}" for line, other in pairs if line != other), "")


def without_names(message):
    """Returns the kind of a message: without place, names, numbers and shapes."""
    message = re.sub(r"^.*?: error: |^error: \S+ ", "", message)
    message = re.sub(r"^[\w.\-]+: ", "", message)
    message = re.sub(r"\(?[a-z]\w*\[[^\]]*\](\{[^}]*\})?(, *[a-z]\w*\[[^\]]*\](\{[^}]*\})?)*\)?", "SHAPE", message)
    return re.sub(r"\d+", "N", message)[:110]


def print_table(rows):
    sets = collections.Counter(name for name, _, _ in rows)
    accepted = collections.Counter(name for name, _, message in rows if not message)
    print("| set | modules | accepted | refused |\n|---|---|---|---|")
    for name in sorted(sets):
        print(f"| {name} | {sets[name]:,} | {accepted[name]:,} | {sets[name] - accepted[name]:,} |")


def print_kinds(rows, most=40):
    kinds = collections.defaultdict(list)
    for _, place, message in rows:
        if message:
            kinds[without_names(message)].append(place)
    if not kinds:
        return
    print("\n| refused | message | for instance |\n|---|---|---|")
    ordered = sorted(kinds.items(), key=lambda kind: -len(kind[1]))
    for kind, places in ordered[:most]:
        print(f"| {len(places):,} | {kind.replace('|', '/')} | {places[0]} |")
    if len(ordered) > most:
        print(f"| {sum(len(places) for _, places in ordered[most:]):,} | {len(ordered) - most} other kinds | |")


def main():
    options = parse_arguments()
    if not ASSAY.exists():
        sys.exit(f"{ASSAY} is missing: run tools/dev build")
    for folder in options.folders:
        if not pathlib.Path(folder).is_dir():
            sys.exit(f"{folder}: no such folder")
    with tempfile.TemporaryDirectory() as scratch:
        modules = [module for folder in options.folders
                   for module in modules_in(pathlib.Path(folder), options.strings, pathlib.Path(scratch))]  # fmt: skip
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            messages = list(pool.map(lambda module: refusal_of(module[2], options), modules))
    rows = [(name, place, message) for (name, place, _), message in zip(modules, messages)]
    print_table(rows)
    print_kinds(rows)
    if options.json:
        refused = [{"set": name, "place": place, "message": message} for name, place, message in rows if message]
        pathlib.Path(options.json).write_text(json.dumps(refused, indent=1) + "\n")


if __name__ == "__main__":
    main()
