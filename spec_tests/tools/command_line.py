"""Shared code for tests of the command line: a temporary folder, and runs of the executable that ASSAY names."""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

ASSAY = os.environ["ASSAY"]
# For the command of a peer: that of the environment may be a script that looks for one.
PYTHON = shlex.quote(sys.executable)
# Replies to the greeting, and declines every other request.
PEER = PYTHON + """ -c 'if True:
    import json, sys
    for message in map(json.loads, sys.stdin):
        if "bye" in message: break
        hello = {"hello": 1, "name": "none", "version": "1"}
        print(json.dumps(hello if "hello" in message else {"id": message["id"], "status": "unsupported"}), flush=True)
'"""
ADD = """HloModule m
ENTRY e {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  ROOT r = f32[2] add(a, b)
}
"""


def entry(*instructions):
    return "\n".join(["HloModule m", "ENTRY e {", *instructions, "}"])


def passing(shape):
    return entry(f"ROOT a = {shape} parameter(0)")


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def corpus_of(self, directives, values="f32[2]"):
        """Writes a corpus with one file of cases, for negate, and returns its folder."""
        path = self.folder / "corpus" / "negate" / "f32.hlo"
        path.parent.mkdir(parents=True, exist_ok=True)
        header = "//! clause negate\n//! provenance derived\n//! oracle by hand\n"
        path.write_text(header + directives + f"\nHloModule m\nENTRY e {{ a = {values} parameter(0) "
                                     f"ROOT r = {values} negate(a) }}\n")
        return self.folder / "corpus"

    def assay(self, *arguments, stdin="", env=None, timeout=600):
        result = subprocess.run(
            [ASSAY, *map(str, arguments)], input=stdin.encode(), capture_output=True, timeout=timeout, env=env
        )
        self.assertGreaterEqual(result.returncode, 0, f"died of a signal: {result.stderr[:500]}")
        result.stderr = result.stderr.decode(errors="replace")
        result.stdout = result.stdout.decode(errors="replace")
        return result

    def assert_fails(self, code, message, *arguments, **options):
        """Checks for one error with `message`, and an empty standard output."""
        result = self.assay(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr[:500])
        self.assertIn(message, result.stderr)
        self.assertNotIn("<text>", result.stderr)
        # "error: ..." or "place: error: ...", perhaps with the source line and a caret; notes may come before it.
        complaints = [line for line in result.stderr.splitlines() if "error: " in line]
        self.assertEqual(len(complaints), 1, result.stderr[:500])
        self.assertNotIn("terminate called", result.stderr)
        self.assertEqual(result.stdout, "")
        return result

    def run_json(self, *arguments, **options):
        result = self.assay("run", *arguments, "--format", "json", **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def endless(self):
        """Returns the path of a module whose loop has no end."""
        return self.file(
            "endless.hlo",
            """HloModule m
always { p = s32[] parameter(0) ROOT t = pred[] constant(true) }
next { p = s32[] parameter(0) one = s32[] constant(1) ROOT n = s32[] add(p, one) }
ENTRY e { p = s32[] parameter(0) ROOT w = s32[] while(p), condition=always, body=next }
""",
        )
