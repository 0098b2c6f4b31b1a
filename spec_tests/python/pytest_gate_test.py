"""`pytest --assay=all` as a gate: every wrong result fails something, and nothing passes that was not judged.

Each suite runs in one process and under xdist, which must agree on the terminal, in the exit code and in JUnit.
"""

import pathlib
import re
import tempfile

from spec_tests.python.pytest_runs import PytestCase
from spec_tests.tools.command_line import ASSAY, each, write_program

# log1p of XLA:CPU is not correctly rounded for some of these: a lawful result that the profile exact refuses.
HEAD = """
import unittest
import jax, jax.numpy as jnp, numpy as np, pytest
X = np.linspace(0, 1, 100, dtype=np.float32)
wrong = jax.jit(lambda x: jnp.log1p(x))
exact = pytest.mark.assay(profile="exact")
"""
EVERY_PLACE = HEAD + """
def test_lawful():
    wrong(X)

@exact
def test_compiled_by_another_test():
    wrong(X)

@exact
def test_once_more():
    wrong(X)

@exact
@pytest.mark.xfail
def test_expected_to_fail():
    wrong(X)
    assert False

@exact
@pytest.mark.xfail
def test_expected_to_fail_that_passes():
    wrong(X)

@exact
def test_skipped_afterwards():
    wrong(X)
    pytest.skip("too late")

@exact
def test_fails_by_itself_too():
    wrong(X)
    assert X[0] == 7

@pytest.fixture
def around():
    wrong(X)
    yield

@pytest.fixture
def behind():
    yield
    wrong(X)

@exact
def test_set_up(around):
    pass

@exact
def test_torn_down(behind):
    pass

@exact
class TestShared:
    @pytest.fixture(scope="class")
    def shared(self):
        return wrong(X + 1)

    def test_one(self, shared):
        pass

    def test_other(self, shared):
        pass

    @pytest.mark.assay(seconds=30)
    def test_nearest_marker_adds(self):
        wrong(X)

@exact
class TestAsks:
    @pytest.fixture(scope="class")
    def asked_for(self):
        return wrong(X + 2)

    @pytest.mark.parametrize("number", [1, 2])
    def test_asks_for_a_fixture(self, request, number):
        request.getfixturevalue("asked_for")

class Unit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        wrong(X + 3)

    def test_of_unittest(self):
        with self.subTest("one"):
            pass

Unit = exact(Unit)

def test_weak():
    jax.jit(jnp.prod)(np.linspace(1, 2, 50, dtype=np.float32) * np.complex64(1 + 1j))

@pytest.mark.assay(backend="mutant:floor_truncates")
def test_another_backend_is_wrong():
    jax.jit(jnp.floor)(X - 0.5)

@pytest.mark.assay(backend="simd")
def test_another_backend():
    jax.jit(jnp.floor)(X - 0.5)

@pytest.mark.xfail
@exact
def test_fixture_in_a_test_that_is_expected_to_fail(assay_check):
    assay_check(jnp.log1p, X)

def test_calls_back():
    jax.pure_callback(lambda v: np.float32(v), jax.ShapeDtypeStruct((), np.float32), np.float32(2))
"""
# The result of each test above: its outcomes in JUnit.
OUTCOMES = {
    "test_lawful": "passed", "test_compiled_by_another_test": "failure", "test_once_more": "failure",
    "test_expected_to_fail": "failure", "test_expected_to_fail_that_passes": "failure",
    "test_skipped_afterwards": "failure", "test_fails_by_itself_too": "failure", "test_set_up": "error",
    "test_torn_down": "error", "test_one": "error", "test_other": "error", "test_nearest_marker_adds": "failure",
    "test_asks_for_a_fixture[1]": "failure", "test_asks_for_a_fixture[2]": "failure", "test_of_unittest": "error",
    "test_weak": "passed", "test_another_backend_is_wrong": "failure", "test_another_backend": "passed",
    "test_fixture_in_a_test_that_is_expected_to_fail": "skipped", "test_calls_back": "passed", "unjudged": "failure",
}  # fmt: skip
AT_IMPORT = HEAD + """
wrong(X)

def test_nothing():
    pass
"""
AT_THE_END = """
import jax, jax.numpy as jnp, numpy as np
wrong = jax.jit(lambda x: jnp.log1p(x))

def pytest_sessionfinish(session):
    wrong(np.linspace(0, 1, 100, dtype=np.float32))
"""
BEFORE = """
import jax, numpy as np
EARLY = jax.jit(lambda x: x + 1)
EARLY(np.float32(1))
"""
GOOD = """
import jax, jax.numpy as jnp

def test_good():
    assert jax.jit(lambda x: jnp.floor(x) + 1)(jnp.float32(1.5)) == 2
"""
NOTHING = """
def test_nothing():
    pass
"""
MARKED = """
import jax, jax.numpy as jnp, pytest

@pytest.mark.assay({})
def test_marked({}):
    jax.jit(lambda x: jnp.floor(x) + 1)(jnp.float32(1.5))
"""


class Gate(PytestCase):
    def on_both(self, suite, *options, **further):
        """Runs a suite in one process and under xdist, and returns the first after comparing them."""
        alone = self.run_pytest(suite, *options, **further)
        spread = self.run_pytest(suite, *options, "-n2", **further)
        said = f"{alone.text}\n{spread.text}"
        for part in ("code", "outcomes", "folders"):
            self.assertEqual(getattr(alone, part), getattr(spread, part), said)
        self.assertEqual(alone.section(), spread.section(), said)
        self.assertEqual(alone.last(), spread.last(), said)
        return alone

    def test_every_failure_fails_something(self):
        alone = self.on_both(EVERY_PLACE, "--assay=all")
        self.assertEqual(alone.code, 1, alone.text)
        self.assertEqual(alone.outcomes, OUTCOMES)
        self.assertEqual(alone.last(), ["11 failed", "5 passed", "1 xfailed", "5 error"])
        row = alone.row()
        self.assertEqual((row["WEAK"], row["FAIL"], row["not-judged"]), (1, 7, 1), alone.text)
        self.assertEqual(len(alone.folders), 7)
        self.assertRegex(alone.text, r"assert .*0\.0\)? == 7", alone.text)
        self.assertRegex(alone.text, r"\nWEAK test_suite\.py::test_weak: jit\(prod\): .*no derived bound")
        self.assertIn("assay::unjudged - 1 of ", alone.text)

    def test_a_file_that_fails_at_import_is_an_error(self):
        alone = self.on_both(AT_IMPORT, "--assay=all", "--assay-profile=exact")
        self.assertEqual(alone.code, 2, alone.text)
        self.assertEqual((alone.row()["FAIL"], alone.last()), (1, ["1 error"]))
        self.assertEqual(set(alone.outcomes.values()), {"error"})

    def test_a_failure_at_the_end_of_the_session_fails_the_run(self):
        alone = self.on_both(GOOD, "--assay=all", "--assay-profile=exact", conftest=AT_THE_END)
        self.assertEqual(alone.code, 1, alone.text)
        self.assertEqual(alone.outcomes, {"test_good": "passed", "outside_of_tests": "failure"})
        self.assertIn("FAIL outside of a test: jit(<lambda>)", alone.text)

    def test_executables_compiled_before_the_plugin_began_are_not_judged(self):
        alone = self.run_pytest(GOOD, "--assay=all", conftest=BEFORE)
        self.assertEqual((alone.code, alone.row()["not-judged"]), (1, 1), alone.text)
        self.assertIn("compiled before --assay=all began", alone.text)

    def test_a_run_that_judges_nothing_fails_and_says_so(self):
        alone = self.on_both(NOTHING, "--assay=all")
        self.assertEqual(alone.code, 1, alone.text)
        self.assertEqual(alone.outcomes, {"test_nothing": "passed", "nothing_judged": "failure"})
        self.assertEqual(alone.row()["executables"], 0)
        allowed = self.run_pytest(NOTHING, "--assay=all", "--assay-unjudged=any")
        self.assertEqual((allowed.code, allowed.row()["executables"]), (0, 0), allowed.text)
        self.assertIn("no executable was judged", allowed.text)

    @each((("0", 1), ("1", 0), ("any", 0)))
    def test_the_number_that_may_stay_unjudged(self, limit, code):
        done = self.run_pytest(EVERY_PLACE, "--assay=all", f"--assay-unjudged={limit}", "-k", "lawful or calls")
        self.assertEqual((done.code, done.row()["not-judged"]), (code, 1), done.text)

    @each(("/bin/false", ("/bin/false", "-n2"), "/bin/echo", "/nowhere/assay"))
    def test_a_program_that_is_not_assay_is_an_error(self, program, *options):
        done = self.run_pytest(GOOD, "--assay=all", *options, ASSAY_PROGRAM=program)
        self.assertEqual(done.code, 4, done.text)
        self.assertIn(f"ERROR: assay cannot judge: usage: ASSAY_PROGRAM={program}: ", done.text)

    def test_a_program_that_dies_between_the_tests_leaves_them_unjudged(self):
        """The program starts once, and the test ends that child."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        text = f"#!/bin/sh\nmkdir {folder}/started || exit 1\nexec {ASSAY} \"$@\"\n"
        program = write_program(pathlib.Path(folder, "assay"), text)
        suite = GOOD.replace("    assert", "    from assay import _session\n    _session.close_all()\n    assert")
        done = self.run_pytest(suite, "--assay=all", ASSAY_PROGRAM=str(program))
        self.assertEqual((done.code, done.outcomes), (1, {"test_good": "passed", "unjudged": "failure"}), done.text)
        self.assertEqual(done.row()["not-judged"], done.row()["executables"])
        self.assertIn(f"ASSAY_PROGRAM={program}: ", done.text)

    @each(("--assay-profile=nosuch", "--assay-unjudged=-1", "--assay-unjudged=few", "--assay-unjugded=1"))
    def test_wrong_options_are_errors(self, option):
        done = self.run_pytest(GOOD, "--assay=all", option)
        self.assertEqual((done.code, done.outcomes), (4, {}), done.text)

    def test_options_without_effect_are_named(self):
        done = self.run_pytest(GOOD, "--assay-profile=exact")
        self.assertEqual(done.code, 0, done.text)
        self.assertIn("--assay-profile had no effect", done.text)

    def test_wrong_markers_are_errors_of_collection(self):
        markers = ("profile='nosuch'", "profile=3", "seconds=0.0", "seconds='1'", "memory='1KB!'", "budget=-1",
                   "timeout=0", "backend='nosuch'", "colour='red'", "'exact'", "profile='fast'")  # fmt: skip
        tests = "".join(f"@pytest.mark.assay({marker})\ndef test_{i}():\n    pass\n"
                        for i, marker in enumerate(markers))  # fmt: skip
        alone = self.on_both("import pytest\n" + tests, "--assay=all")
        self.assertEqual((alone.code, alone.last()), (2, ["1 error"]), alone.text)
        blamed = re.findall(r"assay.* test_suite\.py::test_(\d+): ", alone.text)
        self.assertEqual(blamed[: len(markers) - 1], [str(i) for i in range(len(markers) - 1)], alone.text)

    @each((("assay_check", "seconds=0.0", 2), ("", "colour='red'", 2), ("", "seconds=0.0", 0)))
    def test_wrong_markers_are_errors_for_the_fixture_too(self, argument, marker, code):
        done = self.run_pytest(MARKED.format(marker, argument))
        self.assertEqual(done.code, code, done.text)

    def test_each_verdict_has_its_test(self):
        alone = self.on_both(GOOD, "--assay=all", "-vv")
        self.assertEqual(alone.code, 0, alone.text)
        self.assertIn("EXACT test_suite.py::test_good: jit(<lambda>)", alone.section())
        self.assertEqual(set(alone.verdicts), {("test_good", "EXACT")})

    def test_a_folder_that_cannot_be_written_leaves_the_verdict(self):
        done = self.run_pytest(EVERY_PLACE, "--assay=all", "--assay-report=/proc/nowhere", "-k", "compiled_by_another")
        self.assertEqual((done.code, done.outcomes), (1, {"test_compiled_by_another_test": "failure"}), done.text)
        self.assertIn("not written: ", done.text)
