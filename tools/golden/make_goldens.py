"""Writes the derived goldens: cases from the *_cases modules, expected values from `assay run`.

    .venv/bin/python tools/golden/make_goldens.py [OP...]

The values are those of the reference; no file is finished before tools/golden/audit.py has derived every one of them by
other means. Goldens of the specification's own examples have their values written by hand and are only laid out here.
"""

import collections
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile

import golden_text
from golden_text import ROOT, Array, Case, Golden

ASSAY = ROOT / "build" / "tools" / "assay"


class Corpus:
    """Collects cases by file; a file has one module."""

    def __init__(self):
        self.goldens = collections.OrderedDict()

    def file(self, path, module, tags, oracle, provenance="derived"):
        headers = {"clause": f"semantics.md#{path.split('/')[0]}", "provenance": provenance, "oracle": oracle}
        headers["tags"] = tags
        golden = Golden(path, module, [], headers)
        if self.goldens.setdefault(path, golden) is not golden:
            raise ValueError(f"{path} is made twice")

        def case(name, reason, *arguments, want=(), entry=""):
            """An argument: "SHAPE seeded N", or (SHAPE, words), or an Array."""
            arrays = [to_array(a) for a in arguments]
            texts = [a if isinstance(a, str) else golden_text.line_of(b) for a, b in zip(arguments, arrays)]
            golden.cases.append(Case(name, reason, arrays, texts, [to_array(w) for w in want], entry))

        return case


def to_array(argument):
    if isinstance(argument, str):
        return golden_text.array_of(argument)
    return argument if isinstance(argument, Array) else golden_text.to_array(*argument)


def leaves_of(value):
    if "tuple" in value:
        return [leaf for element in value["tuple"] for leaf in leaves_of(element)]
    if "token" in value:
        return []
    return [Array.from_bytes(value["shape"], bytes.fromhex(value["data_hex"]))]


def reference_values(module_path, case):
    inputs = [{"shape": a.shape, "data_hex": a.bytes().hex()} for a in case.arguments]
    devices = golden_text.by_device(module_path.read_text(), inputs)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"inputs_per_device": devices}, file)
        file.flush()
        command = [ASSAY, "run", module_path, "--inputs", file.name, "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{module_path}: case {case.name}: {done.stderr or done.stdout}")
    return leaves_of({"tuple": json.loads(done.stdout)["outputs"]})


def write(golden):
    path = ROOT / "golden" / f"{golden.path}.hlo"
    path.parent.mkdir(parents=True, exist_ok=True)
    for case in golden.cases:
        if golden.headers["provenance"] == "derived":
            with tempfile.NamedTemporaryFile("w", suffix=".hlo") as module:
                module.write(golden.module_of(case))
                module.flush()
                case.want = reference_values(pathlib.Path(module.name), case)
    path.write_text(golden_text.render(golden))


def main():
    names = "elementwise array window call control device fold linear random seed type mutant every_op".split()
    corpus = Corpus()
    for cases in names:
        importlib.import_module(f"{cases}_cases").add_to(corpus)
    wanted = sys.argv[1:]
    for golden in corpus.goldens.values():
        if not wanted or golden.path.split("/")[0] in wanted:
            write(golden)
    count = sum(len(golden.cases) for golden in corpus.goldens.values())
    print(f"{len(corpus.goldens)} files, {count} cases")


if __name__ == "__main__":
    main()
