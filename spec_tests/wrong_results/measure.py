"""What `assay diff` says of the modules beside this file, which backends are known to get wrong.

    python spec_tests/wrong_results/measure.py [--only PATTERN] [BACKEND...]

The wanted verdict is FAIL where a module's comments list the backend after "Wrong on:", and anything but FAIL for the
modules in lawful/. ASSAY is the program, build/tools/assay if it is not set. It is run where the script is run, which
must be the folder that the backends are installed in. The exit code is 1 if a verdict is not the wanted one.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent
ASSAY = os.environ.get("ASSAY", "build/tools/assay")


def comment(text, label):
    """The words of a comment, lines that continue it included."""
    found = re.search(rf"^// {label}: (.*(?:\n//     .*)*)", text, re.MULTILINE)
    return found.group(1).replace("\n//    ", "").split() if found else []


class Module:
    """One file, and what it says of backends."""

    def __init__(self, path):
        text = path.read_text()
        self.path, self.name = path, str(path.relative_to(FOLDER).with_suffix(""))
        self.inputs = path.with_suffix(".inputs.json")
        self.is_lawful = path.parent.name == "lawful"
        self.differs_on = comment(text, "Differs on" if self.is_lawful else "Wrong on")

    def verdict(self, backend):
        """That of assay diff."""
        command = [ASSAY, "diff", self.path, "--backend", backend, "--format", "json", "--budget", "10"]
        if self.inputs.exists():
            command += ["--inputs", self.inputs]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            return json.loads(done.stdout)["verdict"]
        except (ValueError, KeyError):
            return f"exit {done.returncode}"

    def kind(self, backend):
        """What a difference of this backend is."""
        if self.is_lawful:
            return "lawful"
        return "wrong" if backend in self.differs_on else "right"

    def is_wanted(self, backend, verdict):
        """Whether the verdict is right."""
        return (verdict == "FAIL") == (self.kind(backend) == "wrong")


def modules(*patterns):
    """Those whose files match."""
    return [Module(path) for pattern in patterns for path in sorted(FOLDER.glob(pattern))]


def main():
    """Prints a line for each module, and counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("backends", nargs="*", metavar="BACKEND", default=["xla-cpu"])
    parser.add_argument("--only", default="*", metavar="PATTERN", help="names of modules, such as lawful/*")
    arguments = parser.parse_args()
    backends = arguments.backends
    chosen = [module for module in modules("*.hlo", "lawful/*.hlo") if fnmatch.fnmatch(module.name, arguments.only)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = pool.map(lambda module: [module.verdict(backend) for backend in backends], chosen)
        print("|".join(["", " module ", *(f" {backend} " for backend in backends), ""]))
        print("|".join(["", *["---"] * (len(backends) + 1), ""]))
        counts, missed = collections.Counter(), 0
        for module, verdicts in zip(chosen, rows):
            cells = []
            for backend, verdict in zip(backends, verdicts):
                is_wanted = module.is_wanted(backend, verdict)
                missed += not is_wanted
                counts[module.kind(backend), verdict] += 1
                cells.append(f" {verdict}{'' if is_wanted else ' !'} ")
            print("|".join(["", f" `{module.name}` ", *cells, ""]), flush=True)
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind}: {verdict} {count}")
    print(f"{missed} not as wanted")
    return missed > 0


if __name__ == "__main__":
    raise SystemExit(main())
