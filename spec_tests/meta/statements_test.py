"""The statements of the specification (golden/specification): each names cases, texts or tests that exist and are
about it, and every operation's heading has statements.

    ASSAY=build/tools/assay .venv/bin/python spec_tests/run_python_test.py spec_tests/meta/statements_test.py
"""

import collections
import functools
import json
import re
import unittest

from spec_tests.tools.command_line import ASSAY, ROOT, ran
from spec_tests.legality import legality_texts
from spec_tests.meta import seed_ops_test
from spec_tests.meta.case_texts import CaseText
from spec_tests.nightly import is_nightly

# The share of the mutants that an ordinary run tries.
SHARE = 12


def assay(*arguments):
    return ran(ASSAY, *arguments)


@functools.cache
def specification():
    done = assay("spec", "--format", "json", "--corpus", str(ROOT / "golden"))
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


@functools.cache
def legality_ops(file, name):
    """Returns the ops of the texts of spec_tests/legality/FILE whose error, or comment on a legal module, begins so."""
    path = legality_texts.FOLDER / file
    lines = path.read_text().splitlines()
    modules = []
    for text in legality_texts.read(path):
        comment = lines[int(text.place.rpartition(":")[2]) - 1].removeprefix("//! legal ")
        if any(line.startswith(name) for line in [comment, *text.errors]):
            modules.append(text.module)
    return {op for module in modules for op in re.findall(r" = (?:\(.*?\)|\S+) ([a-z][a-z0-9-]*)\(", module)}


def statements():
    return specification()["statements"]


class Statements(unittest.TestCase):
    def expect_none(self, wrong):
        if wrong:
            self.fail("\n".join([f"{len(wrong)} wrong:", *map(str, wrong)]))

    def test_cases_have_an_operation_of_the_statement(self):
        wrong = []
        for statement in statements():
            for name in {name for pin in statement["cases"] for name in pin["found"]}:
                ops = CaseText.of(name).ops()
                if statement["ops"] and not ops & set(statement["ops"]):
                    wrong.append(f"{statement['id']}: {name} has only {' '.join(sorted(ops))}")
        self.expect_none(wrong)

    def test_cases_have_what_the_statement_says(self):
        wrong = []
        for statement in statements():
            for pin in statement["cases"]:
                for name in pin["found"] if pin["has"] else []:
                    lacks = [word for word in pin["has"] if not CaseText.of(name).has(word, statement["ops"])]
                    wrong += [f"{statement['id']}: {name} has no {word}" for word in lacks]
        self.expect_none(wrong)

    def test_legality_texts_have_an_operation_of_the_statement(self):
        wrong = []
        for statement in statements():
            for pin in statement["legality"]:
                ops = legality_ops(pin["file"], pin["name"])
                if not ops or statement["ops"] and not ops & set(statement["ops"]):
                    wrong.append((statement["id"], pin, sorted(ops)))
        self.expect_none(wrong)

    def test_tests_are_there(self):
        wrong = []
        for statement in statements():
            for pin in statement["tests"]:
                name = re.escape(pin["name"])
                text = (ROOT / "spec_tests" / pin["file"]).read_text()
                if not re.search(rf'(TEST_CASE|SECTION)\("{name}"|def {name}\(', text):
                    wrong.append((statement["id"], pin))
        self.expect_none(wrong)

    def test_cases_detect_the_faults_that_break_the_statement(self):
        faults = [(statement, mutant) for statement in statements() for mutant in statement["mutants"]]
        step = 1 if is_nightly("most mutants of the statements") else SHARE
        wrong = []
        for statement, mutant in faults[::step]:
            patterns = [pattern for pin in statement["cases"] for pattern in pin["patterns"]]
            chosen = " | ".join(f"name={pattern}" for pattern in patterns if not pattern.startswith("refused/"))
            done = assay("check", "--backend", f"mutant:{mutant}", "--profile", "exact", "--filter", chosen,
                         "--corpus", str(ROOT / "golden"))  # fmt: skip
            if done.returncode != 1:
                wrong.append((statement["id"], mutant, done.returncode, (done.stdout + done.stderr)[-300:]))
        self.expect_none(wrong)

    def test_every_heading_is_found_by_its_name(self):
        about = collections.defaultdict(set)
        for statement in statements():
            for name in [statement["heading"], *statement["names"]]:
                about[name] |= set(statement["ops"])
        for operation, ops in seed_ops_test.OPERATIONS.items():
            self.assertLessEqual(set(ops.split()), about[operation], operation)

    def test_ids_are_unique(self):
        ids = [statement["id"] for statement in statements()]
        self.assertEqual(len(ids), len(set(ids)))

    def test_reasons_for_no_case_are_used(self):
        used = {statement["none"] for statement in statements() if "none" in statement}
        self.assertEqual(used, set(specification()["reasons"]))
