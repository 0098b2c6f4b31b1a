"""The known wrong results of XLA:CPU (golden/wrong_results) are FAIL, and its lawful variants are not.

`assay check` judges each golden by its root; here the modules are programs of their own, whose instructions are judged
one by one.
"""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from golden.witness.hlo import goldens
from golden.witness.program import ASSAY, GOLDEN, to_json
from spec_tests.nightly import is_nightly

BACKEND = "xla-cpu"
FOLDER = GOLDEN / "wrong_results"


class Known:
    """A golden, and whether the comments at its head list the backend as wrong."""

    def __init__(self, path):
        self.name, self.golden = path.stem, goldens.read(path)
        (self.case,) = self.golden.cases
        label = "Differs on" if self.case.name == "lawful" else "Wrong on"
        (differs_on,) = re.findall(rf"^// {label}: (.*(?:\n//     .*)*)", self.golden.module, re.MULTILINE)
        is_listed = BACKEND in differs_on.replace("\n//", "").split()
        self.kind = self.case.name if is_listed or self.case.name == "lawful" else "right"
        self.is_reduced = "reduced" in self.golden.headers["tags"].split()

    def write(self, folder):
        """Writes the module and its inputs as a program of a corpus."""
        folder.mkdir(parents=True)
        (folder / "module.hlo").write_text(self.golden.module)
        (folder / "inputs.json").write_text(json.dumps({"inputs": list(map(to_json, self.case.arguments))}))


def known_results():
    """Returns all known results."""
    return [Known(path) for path in sorted(FOLDER.glob("*.hlo"))]


def verdicts(chosen):
    """Entries of the report of one `assay check`, by name: the backend starts once for all of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for known in chosen:
            known.write(folder / "corpus" / known.name)
        # No verdict depends on how fast the machine is: a limit that ends the judging would make a FAIL WEAK.
        command = [ASSAY, "check", "--corpus", folder / "corpus", "--backend", BACKEND, "--report", folder / "report",
                   "--timeout", "3000"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        results = folder / "report" / "results.json"
        if not results.exists():
            raise RuntimeError(f"exit {done.returncode}: {done.stderr}")
        return {entry["name"]: entry for entry in json.loads(results.read_text())["models"]}


class WrongResultsTest(unittest.TestCase):
    def test_every_module_has_the_wanted_verdict(self):
        chosen = known_results()
        self.assertGreater(len(chosen), 240)
        if not is_nightly("four of five wrong and lawful results of XLA:CPU"):
            chosen = chosen[2::5]
        found = verdicts(chosen)
        unwanted = {
            f"{known.name}: {found[known.name]['verdict']}, {found[known.name].get('reason')}"
            for known in chosen
            if (found[known.name]["verdict"] == "FAIL") != (known.kind == "wrong")
        }
        self.assertEqual(unwanted, set())
        self.assertEqual({known.kind for known in chosen}, {"wrong", "right", "lawful"})

    def test_every_wrong_module_has_a_row_of_origins(self):
        rows = set(json.loads((FOLDER / "origins.json").read_text()))
        wrong = {known.name for known in known_results() if known.kind == "wrong" and not known.is_reduced}
        self.assertEqual(rows, wrong)
