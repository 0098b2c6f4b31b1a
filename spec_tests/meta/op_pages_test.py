"""Each op has a page whose statements are true: its NumPy lines return the goldens, its examples print what it shows.

    ASSAY=build/tools/assay .venv/bin/python spec_tests/run_python_test.py spec_tests/meta/op_pages_test.py [OP]
"""

import functools
import itertools
import json
import re
import sys
import unittest

import numpy as np
import page_bounds
import page_evaluator
import page_goldens
import page_reader

from golden.witness.program import op_table
from spec_tests.tools.command_line import ASSAY, each, ran
from spec_tests.nightly import is_nightly, nightly

OPS = page_reader.all_ops()
WRITER = page_reader.ROOT / "tools" / "docs" / "op_pages.py"

# Acceptance rules of functions that are computed in float64, or of sums of terms that were rounded to it.
ROUNDED_TWICE = {"ulp", "derived", "properties"}
# Sums that cancel, of terms that are rounded: off by units of the largest element.
OF_ROUNDED_TERMS = {"transform"}

# Ops whose page has no function, and why: their value is none of their operands.
NOT_A_FUNCTION_OF_OPERANDS = {
    "infeed": "the values come from the host",
    "outfeed": "the operand goes to the host",
    "recv": "the value comes from another device, or from the host",
    "rng": "the numbers are random, and judged as a whole",
    "rng-get-and-update-state": "the state is the device's, and each run of the instruction moves it on",
    "send": "the operand goes to another device, or to the host",
}
# Ops that the corpus cannot run: their effect is on other devices, on the host, or on the whole module.
WITHOUT_GOLDENS = {"infeed", "outfeed", "recv", "recv-done", "send", "send-done"}
# Cases of ops without a function of their operands, which no lines can be compared with: how many there are.
GOLDENS_WITHOUT_LINES = {"rng": 102, "rng-get-and-update-state": 2}
# The lines run an asynchronous computation at its start, although an update may not have bound all operands yet. The
# lines of custom-call have only the targets that return their operand. Other lines take operands of equal run-time
# sizes: the reference cuts operands to the least (docs/decisions.md). Those of scatter convert no updates.
BEYOND_THE_LINES = {"async-update/s32_late/steps", "async-update/run_time_sizes/late",
                    "custom-call/run_time_sizes/size", "custom-call/run_time_sizes/there_and_back",
                    "cholesky/run_time_sizes/columns", "cholesky/run_time_sizes/rows",
                    "convolution/run_time_sizes/features", "convolution/run_time_sizes/features_of_the_kernel",
                    "dot/run_time_sizes/contracted", "gather/run_time_sizes/batches",
                    "gather/run_time_sizes/batches_of_indices", "gather/run_time_sizes/slices",
                    "map/run_time_sizes/last_of_three", "reduce/run_time_sizes/first", "reduce/run_time_sizes/second",
                    "reduce-window/run_time_sizes/second", "scatter/f32_f64/converted",
                    "triangular-solve/run_time_sizes/columns", "triangular-solve/run_time_sizes/right_side",
                    "triangular-solve/run_time_sizes/rows"}
# Their only result is a token.
TOKENS = {"after-all"}
VALUES_DIFFER = ", golden "
# Lines of a page, and wrong replacements that goldens or examples have to detect.
FAULTS = [
    ("gather", "min(max(number, 0), operand.shape[d] - slice_sizes[d])", "number % operand.shape[d]"),
    ("dynamic-slice", "min(max(int(index), 0), limit)", "int(index) % (limit + 1)"),
    ("dynamic-update-slice", "min(max(int(index), 0), limit)", "int(index) % (limit + 1)"),
    ("scatter", "0 <= s <= n - e", "0 <= s < n - e"),
    ("pad", "low + i * (interior + 1)", "low + i * interior + i * (low > 0)"),
    ("reduce-window", "fold(to_apply, inits, rows)", "fold(to_apply, inits, [inits, *rows])"),
    ("select-and-scatter", "not select(operand[chosen], operand[index])", "select(operand[index], operand[chosen])"),
    ("sort", "taken = right if before(*pair_by_pair)", "taken = left if before(*pair_by_pair)"),
    ("topk", "(-keys[j] if largest else keys[j], j)", "(-keys[j] if largest else keys[j], -j)"),
    ("convert", "0 if v != v else low if v <= low", "low if v != v or v <= low"),
    ("reduce-precision", "2 * rest == step and kept % 2 == 1", "2 * rest == step"),
    ("iota", "index[iota_dimension]", "index[0]"),
    ("transpose", "source[d] = index[k]", "source[k] = index[d]"),
    ("maximum", "np.where(np.signbit(x), y, x)", "x"),
    ("compare", "-1 - magnitude", "-magnitude"),
    ("divide", "np.where(y == 0, -1, quotient)", "np.where(y == 0, 0, quotient)"),
    ("remainder", "np.where(x < 0, -magnitude, magnitude)", "magnitude"),
    ("round-nearest-afz", ">= 0.5", "> 0.5"),
    ("conditional", "chosen = len(branches) - 1", "chosen = 0"),
    ("collective-permute", "results[target] = operands[source]", "results[source] = operands[target]"),
    ("convolution", "w.size - 1 - c if w.reversal else c", "c"),
    ("cholesky", "factor[j, :j].conj()", "factor[j, :j]"),
    ("while", "while condition(state):", "if condition(state):"),
]


@functools.cache
def records():
    return {row["name"]: row for row in op_table()}


def unit_of(module):
    """Returns the unit of the allowed error (see page_bounds)."""
    ops = {instruction.opcode for instruction in page_goldens.instructions(module)}
    rules = {records()[op]["acceptance"] for op in ops}
    if rules & OF_ROUNDED_TERMS:
        return "result"
    is_complex = re.search(r"\bc(64|128)\[", module) and any("complex_ulp" in records()[op] for op in ops)
    return "element" if rules & ROUNDED_TWICE or is_complex else None


def failures(functions, case):
    """Returns the errors in the results of a case, and the number of components that were compared."""
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
                             f"{page_bounds.parts(x)[at]}{VALUES_DIFFER}{page_bounds.parts(y)[at]}")
    return found, count


class OfEachOp:
    @each({op: op for op in OPS})
    def test_of(self, op):
        self.check(op)


class Pages(OfEachOp, unittest.TestCase):
    """The contents of a page."""

    def check(self, op):
        page = page_reader.page(op)
        self.assertTrue(page.head.startswith(f"# {op}\n\n"), "the title is the mnemonic")
        self.assertGreater(len(page.head.split()), 4, "the first paragraph says what it computes")
        self.assertEqual(list(page.sections), page_reader.SECTIONS)
        self.assertIn("```text\n", page.sections["Meaning"], "a formula")
        is_shown = re.search(rf"^def {page_reader.function_name(op)}\(", page.code(), re.M)
        self.assertTrue(is_shown or op in NOT_A_FUNCTION_OF_OPERANDS, "the function of the op")
        self.assertTrue(page.examples())


class Attributes(OfEachOp, unittest.TestCase):
    """The function of an op uses each of its attributes, or the page describes the attribute."""

    def check(self, op):
        page = page_reader.page(op)
        for name in [attribute["name"] for attribute in records()[op]["attributes"]]:
            taken = re.search(rf"^def [^:]*\b{name}\b", page.code(), re.M)
            self.assertTrue(taken or f"`{name}`" in page.sections["Meaning"], f"{name} is not on the page")


def run_of(module, *options):
    run = ran(ASSAY, "run", "-", *options, input=module)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return run.stdout


@functools.cache
def cases_of_examples(op):
    modules = [module for module, _ in page_reader.page(op).examples()]
    outputs = [json.loads(run_of(module, "--format", "json"))["outputs"] for module in modules]
    return [page_goldens.case_of_run(f"{op}, example", *pair) for pair in zip(modules, outputs)]


class Examples(OfEachOp, unittest.TestCase):
    """An example prints the output that the page shows, and the lines of the pages compute the same values."""

    def check(self, op):
        for module, output in page_reader.page(op).examples():
            self.assertEqual(run_of(module), output, module)
        for case in cases_of_examples(op):
            lacking = {instruction.opcode for instruction in page_goldens.instructions(case.module)} - set(functions())
            self.assertEqual(lacking - set(NOT_A_FUNCTION_OF_OPERANDS), set())
            if not lacking:
                self.assertEqual(failures(functions(), case)[0], [], case.module)


class Goldens(OfEachOp, unittest.TestCase):
    """The lines of the pages compute the values of the goldens, except large ones."""

    def check(self, op):
        if op in NOT_A_FUNCTION_OF_OPERANDS:
            return self.assertEqual(records()[op]["goldens"], GOLDENS_WITHOUT_LINES.get(op, 0))
        self.assertEqual(page_goldens.count(op), records()[op]["goldens"], "cases")
        step = 1 if is_nightly("four of five goldens by the lines of the pages") else 5
        self.check_cases(list(page_goldens.cases(op, step=step)))

    def check_cases(self, cases):
        cases = [case for case in cases if case.name not in BEYOND_THE_LINES]
        results = [failures(functions(), case) for case in cases]
        wrong = [line for lines, _ in results for line in lines]
        if wrong:
            self.fail("\n".join([f"{len(wrong)} of {len(cases)} cases", *wrong[:40]]))
        # A case whose results have no elements is compared by their shapes alone.
        self.assertEqual(sum(count for _, count in results) > 0, bool(cases), "components")


@nightly
class LargeGoldens(Goldens):
    """The same for the cases that are slow in Python."""

    def check(self, op):
        if op not in NOT_A_FUNCTION_OF_OPERANDS:
            self.check_cases(list(page_goldens.cases(op, large=True)))


class Completeness(unittest.TestCase):
    def test_a_page_without_a_function_is_named(self):
        self.assertEqual(set(OPS) - set(functions()), set(NOT_A_FUNCTION_OF_OPERANDS))
        self.assertEqual({op for op in OPS if not records()[op]["goldens"]}, WITHOUT_GOLDENS)

    def test_generated_parts_are_up_to_date(self):
        run = ran(sys.executable, WRITER, "--check", ASSAY)
        self.assertEqual(run.returncode, 0, run.stderr)


def tells(op, function):
    """True if a value of some golden or example of the op differs with this function."""
    changed = functions() | {op: function}
    cases = itertools.chain(page_goldens.cases(op), page_goldens.cases(op, large=True), cases_of_examples(op))
    return any(VALUES_DIFFER in line for case in cases for line in failures(changed, case)[0])


def spoilt(function):
    """Returns the function, with another first element in each array of its result."""

    @functools.wraps(function)
    def changed(*operands, **attributes):
        return with_other_element(function(*operands, **attributes))

    return changed


def with_other_element(value):
    if isinstance(value, (tuple, list)):
        return type(value)(map(with_other_element, value))
    if value is None or np.size(value) == 0:
        return value
    value = np.array(value)
    first = np.unravel_index(0, value.shape)
    value[first] = 0 if value[first] == 1 else 1
    return value


class Faults(unittest.TestCase):
    """Goldens and examples distinguish a wrong line from a right one."""

    @each({f"{op}: {line}": (op, line, fault) for op, line, fault in FAULTS})
    def test_each_is_caught(self, op, line, fault):
        code = page_reader.page(op).code()
        self.assertEqual(code.count(line), 1, line)
        wrong = page_reader.function_of(op, code.replace(line, fault))
        self.assertTrue(tells(op, wrong), "nothing tells")

    @nightly
    def test_no_value_is_unseen(self):
        """A function that gets an element of its result wrong is caught, for each op."""
        for op in set(functions()) - WITHOUT_GOLDENS - TOKENS:
            with self.subTest(op):
                self.assertTrue(tells(op, spoilt(functions()[op])), "nothing tells")


@functools.cache
def functions():
    return page_reader.functions()
