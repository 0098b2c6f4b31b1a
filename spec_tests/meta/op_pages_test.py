"""Each op has a page, and what the page says is so: its NumPy lines give the goldens, its examples print what it shows.

    ASSAY=build/tools/assay .venv/bin/python spec_tests/meta/op_pages_test.py [-k OP]
"""

import collections
import os
import re
import subprocess
import sys
import unittest

import numpy as np
import page_reader
import page_bounds
import page_evaluator
import page_goldens

ASSAY = os.environ["ASSAY"]
OPS = page_reader.all_ops()
WRITER = page_reader.ROOT / "tools" / "docs" / "op_pages.py"

# Functions that are rounded twice, in np.longdouble and to the type; all else must have the golden's bits.
OF_WIDE_FUNCTIONS = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cosh", "cosine", "divide", "erf",
    "exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "power", "rsqrt", "sine", "sinh", "sqrt",
    "tan", "tanh", "batch-norm-grad", "batch-norm-inference", "batch-norm-training", "cholesky", "triangular-solve",
    "abs", "sign",
}  # fmt: skip
# Sums that cancel, of terms that are rounded: off by units of the largest element.
OF_ROUNDED_TERMS = {"fft"}

# Ops whose value is no function of their operands, and why.
NOT_A_FUNCTION_OF_OPERANDS = {
    "infeed": "the values come from the host",
    "outfeed": "the operand goes to the host; the result is a token",
    "recv": "the value comes from another device, or from the host",
    "recv-done": "the value comes from another device, or from the host",
    "rng": "the numbers are random, and judged as a whole",
    "rng-get-and-update-state": "the state of the device, which each run of it moves on",
    "send": "the operand goes to another device, or to the host",
    "send-done": "the result is a token",
}
# Cases that the pages' lines do not derive, and why.
NOT_COMPARED = {}


def unit_of(module):
    ops = {instruction.opcode for body in page_goldens.Module(module).computations.values() for instruction in body}
    if ops & OF_ROUNDED_TERMS:
        return "result"
    return "element" if ops & OF_WIDE_FUNCTIONS else None


def failures(functions, case):
    """What is wrong with the results of a case, and the number of components that were compared."""
    try:
        results = page_evaluator.evaluate(functions, case.module, case.devices, case.arguments)
    except Exception as error:
        return [f"{case.name}: {type(error).__name__}: {error}"], 0
    found, count, unit = [], 0, unit_of(case.module)
    for got, want in zip(results, case.want, strict=True):
        for x, y in zip(got, want, strict=True):
            count += page_bounds.parts(y).size
            wrong = page_bounds.differences(x, y, unit)
            if wrong.size:
                at = wrong[0]
                found.append(f"{case.name}: {wrong.size} components, the first at {at}: "
                             f"{page_bounds.parts(x)[at]}, golden {page_bounds.parts(y)[at]}")
    return found, count


class Pages(unittest.TestCase):
    """What stands on a page."""

    def check(self, op):
        page = page_reader.page(op)
        self.assertTrue(page.head.startswith(f"# {op}\n\n"), "the title is the mnemonic")
        self.assertGreater(len(page.head.split()), 5, "the first paragraph says what it computes")
        self.assertEqual(list(page.sections), page_reader.SECTIONS)
        self.assertIn("```text\n", page.sections["Meaning"], "a formula")
        is_shown = re.search(rf"^def {page_reader.function_name(op)}\(", page.code(), re.M)
        self.assertTrue(is_shown or op in NOT_A_FUNCTION_OF_OPERANDS, "the function of the op")
        self.assertTrue(page.examples())


class Attributes(unittest.TestCase):
    """Each attribute of an op is taken by its function, or the page says what it is for."""

    def check(self, op):
        page = page_reader.page(op)
        for name in attributes_of(op):
            taken = re.search(rf"^def [^:]*\b{name}\b", page.code(), re.M)
            self.assertTrue(taken or f"`{name}`" in page.sections["Meaning"], f"{name} is not on the page")


class Examples(unittest.TestCase):
    def check(self, op):
        for module, output in page_reader.page(op).examples():
            run = subprocess.run([ASSAY, "run", "-"], input=module, capture_output=True, text=True)
            self.assertEqual(run.stdout, output, f"{module}{run.stderr}")


class Goldens(unittest.TestCase):
    """The lines of the pages give what the goldens have."""

    functions = None

    def check(self, op):
        cls = type(self)
        cls.functions = cls.functions or page_reader.functions()
        cases, count, wrong = list(page_goldens.cases(op)), 0, []
        for case in cases:
            if case.name in NOT_COMPARED:
                continue
            found, compared = failures(self.functions, case)
            wrong += found
            count += compared
        if wrong:
            self.fail("\n".join([f"{len(wrong)} of {len(cases)} cases", *wrong[:40]]))
        self.assertEqual(count > 0, (page_goldens.ROOT / "golden" / op).exists(), "components compared")


def attributes_of(op, cache={}):
    if not cache:
        import json
        table = subprocess.run([ASSAY, "ops", "--json"], check=True, capture_output=True, text=True).stdout
        cache |= {row["name"]: [a["name"] for a in row["attributes"]] for row in json.loads(table)["ops"]}
    return cache[op]


def test_of(op):
    return lambda self: self.check(op)


for kind in (Pages, Attributes, Examples, Goldens):
    for op in OPS:
        setattr(kind, f"test_{op.replace('-', '_')}", test_of(op))


if __name__ == "__main__":
    unittest.main()
