"""Shared code for tests of `assay fuzz`: runs, and what their folders hold."""

import json

from command_line import CliTest


class FuzzCliTest(CliTest):
    def fuzz(self, *words, folder="findings"):
        # Reductions end when nothing more can be removed, not when their time is up.
        return self.assay("fuzz", "--out", self.folder / folder, "--budget", "600", *words)

    def findings(self, folder="findings"):
        listed = self.assay("findings", self.folder / folder, "--format", "json")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        return json.loads(listed.stdout)

    def run_of(self, folder):
        (run,) = json.loads((self.folder / folder / "runs.json").read_text()).values()
        return run["count"]
