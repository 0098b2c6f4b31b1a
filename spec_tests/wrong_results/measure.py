"""The verdicts of `assay check` on the modules beside this file, which backends are known to get wrong.

    python spec_tests/wrong_results/measure.py [--only PATTERN] [BACKEND...]

The wanted verdict is FAIL where a module's comments list the backend after "Wrong on:", and anything but FAIL for the
modules in lawful/. ASSAY is the program, build/tools/assay if it is not set. It is run where the script is run, which
must be the folder that the backends are installed in. The exit code is 1 if a verdict is not the wanted one.
"""

import argparse
import collections
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

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


def verdicts(chosen, backend):
    """Those of one `assay check`, in the order of the modules: the backend starts once for all of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, module in enumerate(chosen):
            program = folder / "corpus" / f"{number:03}"
            program.mkdir(parents=True)
            shutil.copy(module.path, program / "module.hlo")
            inputs = module.inputs.read_text() if module.inputs.exists() else '{"inputs": []}'
            (program / "inputs.json").write_text(inputs)
        command = [ASSAY, "check", "--corpus", folder / "corpus", "--backend", backend, "--report", folder / "report"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        results = folder / "report" / "results.json"
        if not results.exists():
            raise RuntimeError(f"exit {done.returncode}: {done.stderr}")
        found = {entry["name"]: entry["verdict"] for entry in json.loads(results.read_text())["models"]}
    return [found[f"{number:03}"] for number in range(len(chosen))]


def main():
    """Prints a line for each module, and counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("backends", nargs="*", metavar="BACKEND", default=["xla-cpu"])
    parser.add_argument("--only", default="*", metavar="PATTERN", help="names of modules, such as lawful/*")
    arguments = parser.parse_args()
    backends = arguments.backends
    chosen = [module for module in modules("*.hlo", "lawful/*.hlo") if fnmatch.fnmatch(module.name, arguments.only)]
    rows = zip(*(verdicts(chosen, backend) for backend in backends))
    print("|".join(["", " module ", *(f" {backend} " for backend in backends), ""]))
    print("|".join(["", *["---"] * (len(backends) + 1), ""]))
    counts, missed = collections.Counter(), 0
    for module, row in zip(chosen, rows):
        cells = []
        for backend, verdict in zip(backends, row):
            is_wanted = module.is_wanted(backend, verdict)
            missed += not is_wanted
            counts[module.kind(backend), verdict] += 1
            cells.append(f" {verdict}{'' if is_wanted else ' !'} ")
        print("|".join(["", f" `{module.name}` ", *cells, ""]))
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind}: {verdict} {count}")
    print(f"{missed} not as wanted")
    return missed > 0


if __name__ == "__main__":
    raise SystemExit(main())
