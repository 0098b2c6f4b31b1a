"""Printed modules are byte for byte what XLA prints: default, short_parsable and canonical options.

The texts cover every operation and attribute of the grammar; the models are real programs, where they are present.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

try:
    from jaxlib import _hlo
except ImportError:
    _hlo = None

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[2] / "shared" / "models"
HLO_PRINT = os.environ["HLO_PRINT"]
# XLA elides constants as "{...}" depending on what its process has parsed before.
ELIDED = re.compile(r"constant\(\{\.\.\.\}\)")


def ours(path, option):
    done = subprocess.run([HLO_PRINT, *option, str(path)], capture_output=True, text=True, check=False, timeout=600)
    return done.stdout.removesuffix("\f\n")


def without_elided(got, want):
    """Returns `want` with "{...}" in the lines in which `got` has it."""
    lines = want.split("\n")
    for i, line in enumerate(got.split("\n")):
        if ELIDED.search(line) and i < len(lines) and "constant(" in lines[i]:
            head, tail = ELIDED.split(line, maxsplit=1)
            if lines[i].startswith(head) and lines[i].endswith(tail):
                lines[i] = line
    return "\n".join(lines)


@unittest.skipIf(_hlo is None, "jaxlib is not installed")
class PrintTest(unittest.TestCase):
    maxDiff = 2000

    def compare(self, path):
        options = {
            (): None,
            ("--short-parsable",): _hlo.HloPrintOptions.short_parsable(),
            ("--canonical",): _hlo.HloPrintOptions.canonical(),
        }
        for option, peer in options.items():
            with self.subTest(option=option):
                module = _hlo.hlo_module_from_text(path.read_text(encoding="utf-8"))
                want = module.to_string(peer) if peer else module.to_string()
                got = ours(path, option)
                self.assertEqual(got, without_elided(got, want))


def reprinted(text):
    with tempfile.NamedTemporaryFile("w", suffix=".hlo", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return ours(file.name, ["--exact"])


class ReprintTest(unittest.TestCase):
    def check(self, path):
        """Reading a full print gives the same module again.

        Its lines are the same; XLA's order of computations follows that of the instructions in the text, which the
        first print has changed, so it settles with the second.
        """
        first = ours(path, ["--exact"])
        self.assertTrue(first.startswith("HloModule "), first)
        second = reprinted(first)
        self.assertEqual(sorted(first.split("\n")), sorted(second.split("\n")))
        self.assertEqual(second, reprinted(second))


def add_cases(folder, prefix):
    for path in sorted(folder.glob("*.hlo")):
        name = prefix + re.sub(r"\W", "_", path.stem)
        setattr(PrintTest, "test_" + name, lambda self, path=path: self.compare(path))
        setattr(ReprintTest, "test_" + name, lambda self, path=path: self.check(path))


add_cases(HERE / "texts", "")
if MODELS.is_dir():
    add_cases(MODELS, "model_")
else:
    PrintTest.test_models = unittest.skip("no models beside the project")(lambda self: None)
