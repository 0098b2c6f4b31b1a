"""The culprits of failing tests of JAX, from JUnit reports as pytest writes them. ASSAY names the executable."""

import json

from command_line import CliTest


def report(**tests):
    """A JUnit report. A test is None if it passed, else the name of an element and its message."""
    cases = "".join(
        f'<testcase classname="lax_test.LaxTest" name="{name}" time="0.1">'
        + ("" if result is None else f'<{result[0]} message="{result[1]}">trace</{result[0]}>') + "</testcase>"
        for name, result in tests.items())
    return f'<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest">{cases}</testsuite></testsuites>'


def failure(message):
    return "failure", message


TOLERANCE = failure("AssertionError: &#10;Not equal to tolerance rtol=1e-06, atol=0")
UNIMPLEMENTED = failure("jax.errors.JaxRuntimeError: UNIMPLEMENTED: no custom call Foo")


class JaxTestsTest(CliTest):
    def compare(self, plugin, assay, *flags):
        return self.assay("jax-tests", "--junit", self.file("plugin.xml", plugin), self.file("assay.xml", assay), *flags)

    def culprits(self, plugin, assay):
        result = self.compare(plugin, assay, "--format", "json")
        failures = json.loads(result.stdout)["failures"]
        return {test["name"].split("::")[1]: test["culprit"] for test in failures}, result.returncode

    def test_the_plugin_is_to_blame_if_exact_arithmetic_passes(self):
        self.assertEqual(self.culprits(report(a=TOLERANCE, b=None), report(a=None, b=None)), ({"a": "plugin"}, 1))
        # Also for a crash of the device, and an error of the fixture.
        crash = failure("worker 'gw0' crashed while running 'a'")
        self.assertEqual(self.culprits(report(a=crash), report(a=None)), ({"a": "plugin"}, 1))
        self.assertEqual(self.culprits(report(a=("error", "x")), report(a=None)), ({"a": "plugin"}, 1))

    def test_the_test_is_to_blame_if_its_assertion_fails_on_exact_arithmetic(self):
        self.assertEqual(self.culprits(report(a=TOLERANCE), report(a=TOLERANCE)), ({"a": "test"}, 0))
        self.assertEqual(self.culprits(report(a=TOLERANCE), report(a=failure("assert 1 == 2"))), ({"a": "test"}, 0))

    def test_jax_is_to_blame_for_one_exception_on_both_that_no_device_raised(self):
        error = failure("TypeError: unhashable type: 'list'")
        self.assertEqual(self.culprits(report(a=error), report(a=error)), ({"a": "jax"}, 0))
        other = failure("TypeError: expected a float")
        self.assertEqual(self.culprits(report(a=error), report(a=other)), ({"a": "undecided"}, 0))

    def test_assay_decides_nothing_if_it_did_not_compute(self):
        for assay in (report(b=None), report(a=("skipped", "not on assay")), report(a=UNIMPLEMENTED)):
            self.assertEqual(self.culprits(report(a=TOLERANCE), assay), ({"a": "undecided"}, 0))
        self.assertEqual(self.culprits(report(a=UNIMPLEMENTED), report(a=UNIMPLEMENTED)), ({"a": "undecided"}, 0))

    def test_the_table_counts_every_test(self):
        plugin = report(a=TOLERANCE, b=TOLERANCE, c=None, d=("skipped", "slow"), e=UNIMPLEMENTED)
        result = self.compare(plugin, report(a=None, b=TOLERANCE, c=TOLERANCE, d=None, e=("skipped", "slow")))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stdout.splitlines()[:2], [
            "plugin: 5 tests, 1 passed, 3 failed, 1 skipped", "assay:  5 tests, 2 passed, 2 failed, 1 skipped"])
        self.assertIn("fails on assay only: lax_test.LaxTest::c", result.stdout)
        self.assertEqual(result.stdout.splitlines()[-1],
                         "3 failures: 1 plugin, 1 test, 0 jax, 1 undecided; 1 fail on assay only")

    def test_a_test_that_ran_again_counts_by_its_last_result(self):
        twice = report(a=TOLERANCE).replace("</testsuite>", '<testcase classname="lax_test.LaxTest" name="a"/></testsuite>')
        self.assertEqual(self.culprits(twice, report(a=None)), ({}, 0))

    def test_other_files_are_refused_with_a_reason(self):
        good = report(a=None)
        for bad, message in (("", "No document element"), ("<testsuites>", "Start-end tags mismatch"),
                             ("<html/>", "found no testcase"), ("<testcase/>", "without a name")):
            result = self.compare(bad, good)
            self.assertEqual(result.returncode, 2)
            self.assertIn("plugin.xml: ", result.stderr)
            self.assertIn(message, result.stderr)
        self.assertEqual(self.assay("jax-tests", "--junit", self.file("a.xml", good)).returncode, 2)
        missing = self.assay("jax-tests", "--junit", self.file("a.xml", good), self.folder / "none.xml", code=2)
        self.assertIn("none.xml", missing.stderr)
