"""The plugin for pytest, on suites of a few tests in processes of their own."""

from spec_tests.python.pytest_runs import PytestCase

CHANGES_NOTHING = """
import jax, jax.numpy as jnp, numpy as np, pytest

def test_good():
    assert jax.jit(lambda x: jnp.floor(x) + 1)(jnp.float32(1.5)) == 2

@pytest.mark.assay(profile="exact")
def test_strict():
    jax.jit(lambda x: jnp.log1p(x))(np.linspace(0, 1, 100, dtype=np.float32))

def test_donation():
    x = jnp.ones(5)
    assert jax.jit(lambda a: a * 2, donate_argnums=0)(x).tolist() == [2] * 5

def test_not_judged():
    jax.pure_callback(lambda v: np.float32(v), jax.ShapeDtypeStruct((), np.float32), np.float32(2))
"""
ON_TWO_DEVICES = """
import os
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
ROWS = NamedSharding(Mesh(np.array(jax.devices()), ("x",)), P("x"))

def test_sharded():
    x = jax.device_put(np.arange(4, dtype=np.float32), ROWS)
    assert jax.jit(lambda a: jnp.floor(a) + 1, out_shardings=ROWS)(x).tolist() == [1, 2, 3, 4]
"""
WITH_THE_FIXTURE = """
import jax.numpy as jnp, numpy as np, pytest
X = np.linspace(-1, 1, 100, dtype=np.float32)

def test_legal(assay_check):
    assert assay_check(jnp.tanh, X).verdict == "LEGAL"

@pytest.mark.assay(profile="exact")
def test_marked(assay_check):
    assay_check(jnp.tanh, X)

def test_option(assay_check):
    assay_check(jnp.tanh, X, profile="exact")

def test_misspelled_option(assay_check):
    assay_check(jnp.tanh, X, tolernace=3)
"""


class Plugin(PytestCase):
    def test_all_judges_every_executable_of_a_suite(self):
        done = self.run_pytest(CHANGES_NOTHING, "--assay=all", "--assay-unjudged=1")
        self.assertEqual((done.code, done.last()), (1, ["1 failed", "3 passed"]), done.text)
        self.assertIn("test_suite.py::test_strict: jit(<lambda>)", done.text)
        self.assertRegex(done.text, r"test_suite\.py:9 \(jit\(<lambda>\)/.*log1p\)")
        row = done.row()
        self.assertEqual((row["FAIL"], row["WEAK"], row["not-judged"]), (1, 0, 1))
        self.assertGreaterEqual(row["EXACT"], 2)
        self.assertIn("calls back to the host", done.text)
        (folder,) = (done.folder / "assay-failures").iterdir()
        names = {path.name for path in folder.iterdir()}
        self.assertEqual(names, {"comparison.txt", "expected.json", "issue.md", "module.hlo", "repro.py"})

    def test_the_profile_of_the_command_line(self):
        done = self.run_pytest(CHANGES_NOTHING, "--assay=all", "--assay-profile=fast", "-k", "good",
                               "--assay-report=out")
        self.assertEqual((done.code, done.row()["FAIL"]), (0, 0), done.text)

    def test_programs_for_several_devices_are_judged(self):
        done = self.run_pytest(ON_TWO_DEVICES, "--assay=all")
        self.assertEqual(done.code, 0, done.text)
        row = done.row()
        self.assertEqual((row["EXACT"], row["not-judged"]), (row["executables"], 0))

    def test_without_options_nothing_is_judged(self):
        done = self.run_pytest(CHANGES_NOTHING)
        self.assertEqual(done.code, 0, done.text)
        self.assertNotIn("executables", done.text)

    def test_the_fixture(self):
        done = self.run_pytest(WITH_THE_FIXTURE, "--assay-report=out")
        self.assertEqual(done.last(), ["3 failed", "1 passed"])
        self.assertRegex(done.text, r"FAIL: (jax\.numpy\.)?tanh on JAX .* on cpu, profile exact")
        self.assertIn("TypeError: check() got an unexpected keyword argument 'tolernace'", done.text)
        row = done.row()
        # Two tests have the same failure.
        self.assertEqual((row["executables"], row["LEGAL"], row["FAIL"]), (2, 1, 1))
        self.assertEqual(len(list((done.folder / "out").iterdir())), 1)
