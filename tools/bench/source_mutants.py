"""Changes one operator or constant of the reference's source at a time, and lists the changes that no golden notices.

    tools/dev bench source-mutants [--count N] [--seed S] [--out FOLDER] [--again] [--by definitions]
                                    [--by simd] [--planted FILE] [PATH...]

Each PATH is a file or folder of sources; the default is interpreter/ops, interpreter/kernels and interpreter/evaluator.
The tool compiles a changed copy of one file, links a copy of assay with it and runs the corpus, all below FOLDER: on
`reference:plain` for a change of a definition, on `reference` for any other. Sources and build outputs stay unchanged.
With `--by definitions` the changes are those of interpreter/kernels, and the comparison of kernels with definitions
must notice them without any golden. With `--by simd` they are those of backends/simd, and the tests of that backend
must notice them. With `--planted FILE` the changes are handwritten, as in
tools/bench/kernel_faults.json: each has a path, a text that occurs once in the source, and its replacement. A run with
the same FOLDER continues the last one; --again tries its survivors once more. Prints a Markdown table and writes it to
FOLDER/mutants.md, with all mutants in FOLDER/mutants.jsonl.
"""

import argparse
import collections
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import threading
import time

from golden.witness.hlo.expansion import golden_text
from tools.bench.corpus import processor_seconds
from tools.bench.objects import objects, sources_in
from tools.bench.source_changes import Change, changes_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
BODIES = ["interpreter/ops", "interpreter/kernels", "interpreter/evaluator"]
JUDGES = "interpreter/acceptance/ops/"
# A mutant that needs this multiple of the reference's processor time counts as one that does not end.
PATIENCE = 5
LEAST_SECONDS = 20
MEMORY_BYTES = 6 << 30
# A line of `assay check` for a case that does not pass: the verdict, the case, the reason.
# The file of the legal case that a backend must run for a refusal to count.
NEIGHBOUR = re.compile(r"^//! neighbour (\S+)/", re.M)
FAILURE = re.compile(r"^[A-Z-]{4,} +([^\s/]+/[^\s/]+/[^\s:;]+)", re.M)


def run(command, folder, seconds=None, ends=None):
    """Returns the exit code and the output of a command. The code is None if it exceeds a limit. `ends(line)` ends it
    early."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))

    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit,
    )  # fmt: skip
    # A mutant that waits uses no processor time.
    timer = threading.Timer(10 * seconds, os.killpg, (process.pid, signal.SIGKILL)) if seconds else None
    if timer:
        timer.start()
    lines = []
    with process.stdout:
        for line in process.stdout:
            lines.append(line)
            if ends and ends(line):
                os.killpg(process.pid, signal.SIGKILL)
                break
    code = process.wait()
    if timer:
        timer.cancel()
    return (None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code), "".join(lines)


class Build:
    """Compiles and links like the build folder, into a separate folder."""

    def __init__(self, build, out, root=ROOT, program="tools/assay"):
        self.build, self.out, self.root = build, out, root
        self.commands = {}
        for entry, file, sources in objects(build, root):
            for path in sources:
                self.commands[path] = shlex.split(entry["command"]), file, entry["output"]
        listed = subprocess.run(["ninja", "-C", build, "-t", "commands", "-s", program], stdout=subprocess.PIPE,
                                text=True, check=True).stdout  # fmt: skip
        self.link_command = shlex.split(listed.strip().splitlines()[-1])
        self.members = {word: self.members_of(word) for word in self.link_command if word.endswith(".a")}

    def members_of(self, archive):
        """Returns the object files of an archive of the build folder, which names them and does not hold them."""
        return subprocess.run(["ar", "t", archive], cwd=self.build, stdout=subprocess.PIPE, text=True, check=True).stdout.split()

    def compile(self, path, text, name):
        """Returns the object file of a source with this text and of the other sources of its chunk; None if it does not
        compile."""
        source, target = self.out / name / path, self.out / name / "object.o"
        # The sources of a chunk are looked for beside it first: a changed source of an earlier call must not be there.
        shutil.rmtree(self.out / name, ignore_errors=True)
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        build_command, file, _ = self.commands[path]
        if file != (self.root / path).resolve():
            lines = [f'#include "{source}"' if path in sources_in(line, self.root) else line
                     for line in file.read_text().splitlines()]  # fmt: skip
            source = self.out / name / file.name
            source.write_text("\n".join(lines) + "\n")
        command, words = [], iter(build_command)
        for word in words:
            if word in ("-MF", "-MQ", "-o", "-c"):
                next(words)
            elif word not in ("ccache", "-MD", "-Werror", "-Winvalid-pch"):
                command.append(word)
        code, _ = run([*command, "-w", "-iquote", (self.root / path).parent, "-o", target, "-c", source], self.build)
        return target if code == 0 else None

    def link(self, target, path):
        """Returns the program with this object file in place of that of a source."""
        program, replaced = self.out / "program", self.commands[path][2]
        words = []
        for word in self.link_command:
            members = self.members.get(word, ())
            words += [target if member == replaced else member for member in members] if replaced in members else [word]
        words[words.index("-o") + 1] = program
        quick = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
        code, output = run([*words, *quick], self.build)
        if code != 0 or target not in words:
            raise SystemExit(f"{path}: the program does not link with a changed object of {replaced}: {output}")
        return program


class Corpus:
    """Runs goldens on builds of assay."""

    def __init__(self, folder, program, out, root=ROOT):
        self.folder, self.out, self.root = folder, out, root
        self.goldens = {path: golden_text(path) for path in sorted(folder.rglob("*.hlo"))}
        before = processor_seconds()
        failure = self.check(program, list(self.goldens), "reference:plain")
        if failure:
            raise SystemExit(f"the reference does not pass the corpus: {failure}")
        self.patience = max(LEAST_SECONDS, PATIENCE * (processor_seconds() - before))

    def sets_for(self, path):
        """Returns the goldens that can notice a change of a source: those of its ops, then all others that use one of
        them."""
        ops = ops_of(path, self.root)
        if ops is None:
            return [list(self.goldens)]
        named = re.compile(rf" (?:{'|'.join(map(re.escape, ops))})(?:-start|-update|-done)?\(")
        own = [golden for golden in self.goldens if golden.parent.name in ops]
        others = [golden for golden, text in self.goldens.items() if golden not in own and named.search(text)]
        return [own, others]

    def check(self, program, goldens, backend, seconds=None):
        """Returns the first case that fails, "no end", or an exit code; empty if every case passes."""
        folder = self.out / "goldens"
        shutil.rmtree(folder, ignore_errors=True)
        neighbours = [self.folder / f"{name}.hlo" for golden in goldens for name in NEIGHBOUR.findall(self.goldens[golden])]
        for golden in dict.fromkeys([*goldens, *neighbours]):
            link = folder / golden.parent.name / golden.name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(golden)
        command = [program, "check", "--backend", backend, "--profile", "exact", "--jobs", "1", "--corpus", folder]
        code, output = run(command, self.root, seconds, FAILURE.match)
        failure = FAILURE.search(output)
        if failure:
            return failure[1]
        return "" if code == 0 else "no end" if code is None else f"exit code {code}"

    def killer(self, program, path):
        """Returns the case that notices a mutant of a source, or how the mutant ends; empty if it survives."""
        backend = "reference:plain" if path.startswith("interpreter/ops/") else "reference"
        for goldens in self.sets_for(path):
            if goldens and (killer := self.check(program, goldens, backend, self.patience)):
                return killer
        return ""


class Definitions:
    """Compares kernels with definitions, or with results that are known, in builds of the tests that do so."""

    def __init__(self, root=ROOT):
        self.root = root

    def killer(self, program, path):
        """Returns the op whose kernel differs, or how the mutant ends; empty if it survives."""
        for op in ops_of(path, self.root) or [None]:
            command = [program, "--abort", *(["-c", op] if op else [])]
            code, _ = run(command, self.root, LEAST_SECONDS * PATIENCE)
            if code != 0:
                return "no end" if code is None else op or f"exit code {code}"
        return ""


@functools.cache
def sources(root):
    """Returns the texts below interpreter/ by their paths from the root."""
    return {str(path.relative_to(root)): path.read_text() for path in (root / "interpreter").rglob("*.[ch]*")}


def ops_of(path, root=ROOT):
    """Returns the ops whose modules run a source: its own, or those of the sources that include it. None: any op's
    may."""
    found, waiting, seen = set(), [path], {path}
    while waiting:
        own = waiting.pop()
        name = re.search(r'^(?:    \.name|const ArrayKernel \w+ = {\.op) = "([^"]+)"', sources(root).get(own, ""), re.M)
        if name:
            found.add(name[1])
        found.update(kernel.replace("_", "-") for kernel in re.findall(r"\.op = &op_(\w+)", sources(root).get(own, "")))
        if own.startswith("interpreter/custom_calls/"):
            found.add("custom-call")
        header = f'#include "{own.rpartition(".")[0]}.h"'
        # Files that judge results do not compute any.
        users = {other for other, text in sources(root).items() if header in text and not other.startswith(JUDGES)}
        in_ops = ("interpreter/ops/", "interpreter/kernels/", "interpreter/custom_calls/")
        if own == path and not all(user.startswith(in_ops) for user in users):
            return None
        users |= {other.removesuffix(".h") + ".cc" for other in users if other.endswith(".h")} & sources(root).keys()
        waiting += users - seen
        seen |= users
    return sorted(found) or None


def find_changes(paths, seed, root=ROOT):
    """Returns the changes of files and folders, in an order that depends on the seed and not on other changes."""
    files = set()
    for path in paths:
        whole = root / path
        files.update(whole.rglob("*.cc") if whole.is_dir() else [whole])
    names = sorted(str(file.relative_to(root)) for file in files)
    changes = [change for name in names for change in changes_of(name, (root / name).read_text())]
    return sorted(changes, key=lambda change: hashlib.sha256(f"{seed} {change}".encode()).digest())


def planted_changes(file, root=ROOT):
    """Returns the changes that a file lists, in order. Fails if a text does not occur exactly once in its source."""
    changes = []
    for row in json.loads(file.read_text()):
        text = (root / row["path"]).read_text()
        if text.count(row["before"]) != 1:
            raise SystemExit(f"{file}: {row['path']} has {text.count(row['before'])} times, not once: {row['before']}")
        offset = text.index(row["before"])
        line = text.count("\n", 0, offset) + 1
        column = offset - text.rfind("\n", 0, offset)
        changes.append(Change(row["path"], line, column, offset, row["before"], row["after"]))
    return changes


class Campaign:
    """The mutants of a folder that have been tried so far."""

    def __init__(self, build, judge, out, root=ROOT):
        self.build, self.judge, self.out, self.root = build, judge, out, root
        self.file = out / "mutants.jsonl"
        rows = [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []
        self.rows = {self.key(row): row for row in rows}

    @staticmethod
    def key(row):
        return row["path"], row["source"], row["column"], row["before"], row["after"]

    def row(self, change):
        source = (self.root / change.path).read_text().splitlines()[change.line - 1].strip()
        return {**dataclasses.asdict(change), "source": source}

    def try_all(self, changes, count):
        """Tries changes in turn until `count` of them can be compiled."""
        tried = 0
        for change in changes:
            if tried == count:
                return
            row = self.row(change)
            if self.key(row) not in self.rows:
                start = time.monotonic()
                row["status"], row["killer"] = self.fate(change)
                row["seconds"] = round(time.monotonic() - start, 1)
                self.keep(row)
            tried += self.rows[self.key(row)]["status"] != "does not compile"

    def try_survivors_again(self):
        for row in [row for row in self.rows.values() if row["status"] == "survives"]:
            change = Change(*(row[field.name] for field in dataclasses.fields(Change)))
            if self.row(change)["source"] != row["source"]:
                print(f"{change.path}:{change.line}: the source has changed since")
                continue
            row["status"], row["killer"] = self.fate(change)
            self.keep(row)

    def keep(self, row):
        self.rows[self.key(row)] = row
        with self.file.open("a") as file:
            file.write(json.dumps(row) + "\n")
        change = f"{row['before']} -> {row['after']}".replace("\n", " ")
        print(f"{row['status']:16} {row['path']}:{row['line']}:{row['column']} {change} {row['killer']}", flush=True)

    def fate(self, change):
        text = (self.root / change.path).read_text()
        target = self.build.compile(change.path, change.apply(text), "mutant")
        if target is None:
            return "does not compile", ""
        program = self.build.link(target, change.path)
        killer = self.judge.killer(program, change.path)
        if killer:
            return "killed", killer
        unchanged = self.build.compile(change.path, text, "unchanged")
        return ("same code" if unchanged and unchanged.read_bytes() == target.read_bytes() else "survives"), ""

    def table(self):
        counts = collections.Counter(row["status"] for row in self.rows.values())
        lines = ["| mutants | killed | same code | survive |", "|---|---|---|---|"]
        total = sum(counts.values()) - counts["does not compile"]
        lines.append(f"| {total} | {counts['killed']} | {counts['same code']} | {counts['survives']} |")
        lines += ["", "| place | change | line |", "|---|---|---|"]
        for row in sorted(self.rows.values(), key=lambda row: (row["path"], row["line"], row["column"])):
            if row["status"] == "survives":
                source = row["source"].replace("|", "\\|")
                change = f"{row['before']} -> {row['after'] or '(nothing)'}".replace("|", "\\|").replace("\n", " ")
                lines.append(f"| {row['path']}:{row['line']}:{row['column']} | `{change}` | `{source}` |")
        return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="tools/dev bench source-mutants", description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="sources, or folders of them")
    parser.add_argument("--count", type=int, default=100, help="how many mutants (100)")
    parser.add_argument("--seed", type=int, default=1, help="chooses them (1)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "report" / "source-mutants", help="the folder")
    parser.add_argument("--corpus", type=pathlib.Path, default=ROOT / "golden", help="the goldens")
    parser.add_argument("--by", choices=["goldens", "definitions", "simd"], default="goldens", help="what has to notice")
    parser.add_argument("--planted", type=pathlib.Path, metavar="FILE", help="the changes of this list, all of them")
    parser.add_argument("--again", action="store_true", help="try the survivors of the folder once more")
    options = parser.parse_args()
    out = options.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    bodies = {"definitions": ["interpreter/kernels"], "simd": ["backends/simd"]}.get(options.by, BODIES)
    if options.planted:
        changes = planted_changes(options.planted)
        options.count = len(changes)
    else:
        changes = find_changes([os.path.relpath(path, ROOT) for path in options.paths] or bodies, options.seed)
    if options.by == "goldens":
        judge, program = Corpus(options.corpus.absolute(), ROOT / "build" / "tools" / "assay", out), "tools/assay"
    else:
        judge, program = Definitions(), f"spec_tests/{'kernels' if options.by == 'definitions' else 'simd'}_tests"
    campaign = Campaign(Build(ROOT / "build", out, program=program), judge, out)
    if options.again:
        campaign.try_survivors_again()
    else:
        campaign.try_all(changes, options.count)
    table = campaign.table()
    (out / "mutants.md").write_text(table)
    print(table, end="")


if __name__ == "__main__":
    main()
