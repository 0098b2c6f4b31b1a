"""Shared code for tests of the host of PJRT plugins (backends/pjrt). FAKE_PJRT names a plugin that misbehaves as it is
told."""

import os

from peer_test_case import PeerTest
from spec_tests.tools.command_line import ROOT

PLUGIN = os.environ["FAKE_PJRT"]


class PjrtTest(PeerTest):
    def peer(self, behaviour):
        """The backend, for what PeerTest.check calls a behaviour of its peers: options of the plugin's client."""
        return f"pjrt:{PLUGIN}" + (f":{behaviour}" if behaviour else "")

    def of_two_cases(self, behaviour, *arguments):
        """The verdict and reason of the case of add, of two; the other one, of negate, is EXACT."""
        self.two_cases()
        _, cases = self.check(behaviour, *arguments)
        self.assertEqual(cases["negate/f32/second"]["verdict"], "EXACT")
        return cases["add/f32/first"]["verdict"], cases["add/f32/first"].get("reason", "")

    def has_table(self, table):
        """The plugin is started with this word in its environment until the end of the test."""
        os.environ["FAKE_PJRT_TABLE"] = table
        self.addCleanup(os.environ.pop, "FAKE_PJRT_TABLE", None)

    def refused(self, text, message, behaviour=""):
        """The verdict of a module that the plugin must refuse. Assay's own message has these words."""
        self.illegal_golden(text, "wrong", message)
        return self.check(behaviour)[1]["refused/add/wrong"]["verdict"]

    def refusal(self, plugin, table=None):
        """Returns the error for a plugin that assay cannot use."""
        with self.subTest(plugin=plugin, table=table):
            if table:
                self.has_table(table)
            return self.assay("run", self.module(), "--backend", f"pjrt:{plugin}", "--seed", "1", code=3).stderr

    def assert_diff(self, verdict, text, options="", inputs=("--seed", "1")):
        """Returns what diff prints of a module on the plugin, whose verdict this is."""
        run = self.assay("diff", self.module(text), "--backend", self.peer(options), *inputs)
        self.assertTrue(run.stdout.startswith(verdict), run.stdout + run.stderr)
        return run.stdout

    def assert_quick_cases(self, options):
        run = self.assay("check", "--backend", self.peer(options), "--quick", "--corpus", ROOT / "golden", code=0)
        self.assertRegex(run.stdout.splitlines()[-1], r": \d+ cases, [1-9]\d\d EXACT(, \d+ LEGAL)?, \d+ UNSUPPORTED$")
