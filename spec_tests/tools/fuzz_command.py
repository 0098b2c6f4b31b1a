"""Shared code for tests of `assay fuzz`: runs, and what their folders hold."""

import json

from command_line import CliTest


class FuzzCliTest(CliTest):
    def fuzz(self, *words, folder="findings", code=None):
        # Reductions end when nothing more can be removed, not when their time is up.
        return self.assay("fuzz", "--out", self.folder / folder, "--budget", "600", *words, code=code)

    def findings(self, folder="findings"):
        return json.loads(self.assay("findings", self.folder / folder, "--format", "json", code=0).stdout)

    def run_of(self, folder):
        (run,) = json.loads((self.folder / folder / "runs.json").read_text()).values()
        return run["count"]
