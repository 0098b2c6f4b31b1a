"""assay diff on models of PyTorch beside the same functions of JAX, right and wrong."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from command_line import CliTest
from golden.witness.program import ROOT

PYTHON = ROOT / ".venv-torch/bin/python"
if not PYTHON.exists():
    raise unittest.SkipTest("no PyTorch here; tools/dev peer torch installs it")

PROGRAMS = pathlib.Path(__file__).with_name("torch_programs.py")


class TorchTest(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.modules = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        subprocess.run([PYTHON, PROGRAMS, cls.modules], check=True, capture_output=True)

    def verdicts(self, is_chosen, *options):
        """Returns the verdicts of modules of JAX beside those of PyTorch, by their names."""
        verdicts = {}
        for path in sorted(self.modules.glob("*.mlir")):
            model, kind, _ = path.name.split(".")
            if is_chosen(kind):
                run = self.assay("diff", self.modules / f"{model}.torch.mlir", path, *options)
                verdicts[f"{model}.{kind}"] = re.match(r"\w*", run.stdout)[0] or run.stderr
        return verdicts

    def test_the_same_function_is_lawful(self):
        verdicts = self.verdicts(lambda kind: kind == "jax")
        self.assertEqual((len(verdicts), set(verdicts.values())), (3, {"LEGAL"}), verdicts)
        # Scores of the attention that are infinite decide nothing.
        verdicts = self.verdicts(lambda kind: kind == "jax", "--search", 60)
        self.assertLessEqual(set(verdicts.values()), {"LEGAL", "WEAK"}, verdicts)

    def test_faults_are_found(self):
        verdicts = self.verdicts(lambda kind: kind not in ("torch", "jax"), "--search", 100)
        self.assertEqual(len(verdicts), 7)
        self.assertLessEqual(set(verdicts.values()), {"FAIL", "SUSPECT"}, verdicts)
