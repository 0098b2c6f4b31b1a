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


def without_attributes(text):
    """Yields (name, text) for each attribute: the text without it. Its value ends at a comma outside of brackets."""
    for found in re.finditer(r",\s+(\w+)=", text):
        depth = quotes = 0
        for end in range(found.end(), len(text)):
            letter = text[end]
            quotes ^= letter == '"'
            if depth == quotes == 0 and letter in ",)}\n":
                break
            depth += 0 if quotes else (letter in "{([") - (letter in "})]")
        yield found[1], text[: found.start()] + text[end:]


@unittest.skipIf(_hlo is None, "jaxlib is not installed")
class RequiredAttributesTest(unittest.TestCase):
    """XLA's parser also checks rules that ours leaves to the verifier."""

    def test_a_text_without_an_attribute_that_xla_needs_is_an_error_and_no_other_attribute_is_needed(self):
        tried = set()
        for path in sorted((HERE / "texts").glob("*.hlo")):
            for attribute, text in without_attributes(path.read_text(encoding="utf-8")):
                if text in tried:
                    continue
                tried.add(text)
                with self.subTest(path.name, attribute=attribute):
                    self.compare(text)

    def compare(self, text):
        """Compares the verdicts on one text."""
        try:
            _hlo.hlo_module_from_text(text)
            reason = ""
        except Exception as error:
            reason = str(error)
        if not reason:
            self.assertEqual(asked("print", text), "", "XLA reads it")
        elif not asked("print", text):
            self.assertNotEqual(asked("verify", text), "", reason)


def asked(command, text):
    """Returns the error with which assay refuses a text; empty if it takes it."""
    done = subprocess.run([os.environ["ASSAY"], command, "-"], input=text, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


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
