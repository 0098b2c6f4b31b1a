"""The HLO that assay makes of StableHLO is that of XLA's own conversion, by meaning: names, layouts and folded
constants aside. The programs are goldens, one for each operation that StableHLO has, and JAX's of models/ and
handed/."""

import json
import os
import subprocess
import sys
import unittest

from backends.adapters.xla_peers import jaxlib_api
from backends.adapters.xla_peers.stablehlo_module import parsed
from golden.witness.hlo.expansion import golden_text
from spec_tests.tools.command_line import ASSAY, ROOT
from spec_tests.nightly import is_nightly
from spec_tests.stablehlo.xla_conversion import canonical, difference, printed, text_of

MOST_BYTES = 20_000  # of a golden
# XLA leaves it to the scatter to convert an update to the type of its combiner's parameter.
CONVERTED = ROOT / "golden/scatter/f32_f64.hlo"


def stablehlo_of(path):
    """Returns the text of a golden's entry, or nothing: StableHLO cannot say it, or this jaxlib does not read it."""
    try:
        module = jaxlib_api.hlo_module_from_text(golden_text(path))
        program = text_of(parsed(jaxlib_api.hlo_to_stablehlo(module.as_serialized_hlo_module_proto())))
        jaxlib_api.stablehlo_to_hlo(program)
        return program
    except Exception:
        return None


def in_children(function, items):
    """Yields each item with the text that a function returns of it in another process, or None if it ends the process:
    then another one takes the items after it."""
    items = list(items)
    while items:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            with os.fdopen(writer, "w") as out:
                for item in items:
                    print(json.dumps(answer(function, item)), file=out, flush=True)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as lines:
            answers = [json.loads(line) for line in lines]
        os.waitpid(child, 0)
        answers += [None] * (len(answers) < len(items))
        yield from zip(items, answers)
        items = items[len(answers) :]


def answer(function, item):
    """Returns what a function returns of an item, or the text of its exception."""
    try:
        return function(item)
    except Exception as error:
        return repr(error)


def first_goldens(count):
    """Yields the first small files of each folder but that of illegal modules."""
    for folder in sorted(path for path in (ROOT / "golden").iterdir() if path.is_dir() and path.name != "refused"):
        paths = (path for path in sorted(folder.glob("*.hlo")) if path != CONVERTED)
        small = (path for path in paths if len(golden_text(path)) < MOST_BYTES)
        yield from [path for _, path in zip(range(count), small)]


class ToHloTest(unittest.TestCase):
    def converted(self, program):
        """Returns the module that assay makes of a program."""
        # Not as text: XLA prints some asynchronous instructions in a form that its parser refuses.
        result = subprocess.run([ASSAY, "print", "-", "--format", "proto"], input=program, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return jaxlib_api.HloModule.from_serialized_hlo_module_proto(result.stdout)

    def difference(self, program):
        """Returns the difference between what assay and XLA make of a program, or of its simplified form."""
        xlas = jaxlib_api.stablehlo_to_hlo(program)
        found = difference(self.converted(program), xlas)
        simplified = canonical(program) if found else None
        if simplified:
            found = difference(self.converted(simplified), xlas)
        return found

    def assert_equal(self, program):
        self.assertEqual(self.difference(program), "")

    def difference_of_golden(self, path):
        program = stablehlo_of(path)
        return "no StableHLO" if program is None else self.difference(program)

    def test_goldens(self):
        compared = 0
        paths = first_goldens(8 if is_nightly("eight goldens of each op") else 1)
        for path, found in in_children(self.difference_of_golden, paths):
            if found is None:
                print(f"XLA ends its process: {path.relative_to(ROOT)}", file=sys.stderr)
            if found in (None, "no StableHLO"):
                continue
            compared += 1
            with self.subTest(path.relative_to(ROOT)):
                self.assertEqual(found, "")
        self.assertGreater(compared, 100)

    def test_programs_of_jax(self):
        for folder in ("models/meshes", "tools/handed"):
            for path in sorted((ROOT / "spec_tests" / folder).glob("*.mlir")):
                with self.subTest(path.name):
                    self.assert_equal(path.read_bytes())

    def test_results(self):
        """Functions of CHLO, whose formulas are those of XLA's conversion to the last bit."""
        for function in ("erf_inv", "erfc", "lgamma", "digamma", "bessel_i1e", "square", "conj"):
            for kind in ("f32", "f64", "bf16"):
                program = (f"func.func @main(%x: tensor<500x{kind}>) -> tensor<500x{kind}> {{ %0 = chlo.{function} %x "
                           f": tensor<500x{kind}> -> tensor<500x{kind}> return %0 : tensor<500x{kind}> }}")
                with self.subTest(f"{function} {kind}"):
                    self.assert_same_results(program)
        for function in ("next_after", "polygamma", "zeta"):
            program = (f"func.func @main(%x: tensor<300xf32>, %y: tensor<300xf32>) -> tensor<300xf32> {{ %0 = "
                       f"chlo.{function} %x, %y : tensor<300xf32>, tensor<300xf32> -> tensor<300xf32> "
                       "return %0 : tensor<300xf32> }")
            with self.subTest(function):
                self.assert_same_results(program)

    def assert_same_results(self, program):
        xlas = printed(jaxlib_api.stablehlo_to_hlo(program))
        self.assertEqual(self.results(program), self.results(xlas))

    def results(self, text, **variables):
        run = subprocess.run([ASSAY, "run", "-", "--seed", "5"], input=text, env=os.environ | variables, text=True,
                             capture_output=True)  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout
