"""Shared code of tests: the places of the tree and of the executable, which ASSAY names, and runs of it in a temporary
folder."""

import functools
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "golden"
ASSAY = os.environ.get("ASSAY", str(ROOT / "build/tools/assay"))
# For the command of a peer: that of the environment may be a script that looks for one.
PYTHON = shlex.quote(sys.executable)

ADD = """HloModule m
ENTRY e {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  ROOT r = f32[2] add(a, b)
}
"""
# A loop that has no end.
ENDLESS = """HloModule m
always { p = s32[] parameter(0) ROOT t = pred[] constant(true) }
next { p = s32[] parameter(0) one = s32[] constant(1) ROOT n = s32[] add(p, one) }
ENTRY e { p = s32[] parameter(0) ROOT w = s32[] while(p), condition=always, body=next }
"""
NEGATE = "HloModule m\nENTRY e { a = f32[2] parameter(0) ROOT r = f32[2] negate(a) }\n"


def peer(answer, name="none", before="", **greeting):
    """Returns a program of Python that greets, and answers a request: `answer` makes a `reply` of its `message`."""
    return f"""import json, sys
{before}
for message in map(json.loads, sys.stdin):
    if "bye" in message: break
    reply = {{"hello": 1, "name": {name!r}, "version": "1", **{greeting}}}
    if "hello" not in message:
{textwrap.indent(answer, 8 * " ")}
        reply["id"] = message["id"]
    print(json.dumps(reply), flush=True)
"""


# Declines every request.
PEER = PYTHON + " -c " + shlex.quote(peer('reply = {"status": "unsupported"}'))


def entry(*instructions):
    return "\n".join(["HloModule m", "ENTRY e {", *instructions, "}"])


def passing(shape):
    return entry(f"ROOT a = {shape} parameter(0)")


def ran(*command, **options):
    """Runs a program to its end, and returns what subprocess.run does, with its output as text."""
    return subprocess.run(list(map(str, command)), **{"capture_output": True, "text": True, **options})


def write_program(path, text):
    """Writes a program that can be started."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class each:
    """Makes a test of a method for each row, which has its arguments: `@each(ROWS)`.

    The rows of a dictionary have names; others have their numbers and texts as names. The class may be no TestCase, so
    that several kinds of tests share the rows.
    """

    def __init__(self, rows):
        if not isinstance(rows, dict):
            rows = {f"{number} {row}": row for number, row in enumerate(rows)}
        self.rows = {" ".join(name.split())[:100]: row if isinstance(row, tuple) else (row,)
                     for name, row in rows.items()}  # fmt: skip
        assert len(self.rows) == len(rows), "two rows have one name"

    def __call__(self, method):
        self.method = method
        return self

    def __set_name__(self, owner, name):
        delattr(owner, name)
        for row_name, row in self.rows.items():
            setattr(owner, f"{name} [{row_name}]", self.test_of(row))

    def test_of(self, row):
        @functools.wraps(self.method)
        def test(case):
            self.method(case, *row)

        return test


class CliTest(unittest.TestCase):
    report = property(lambda self: self.folder / "report")
    models = property(lambda self: self.folder / "models")

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, name, content):
        """Writes a file and the folders above it. Lists and dictionaries are JSON."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = json.dumps(content) if isinstance(content, (dict, list)) else content
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def results(self, report="report"):
        """Returns the JSON of a report of `assay check`."""
        return json.loads((self.folder / report / "results.json").read_text())

    def backend_of(self, program, *arguments):
        """Returns the backend that is a program of Python."""
        return "process:exec " + shlex.join([sys.executable, self.file("peer.py", program), *map(str, arguments)])

    def corpus_of(self, directives, module=NEGATE, name="negate/f32"):
        """Writes a corpus with one file of cases, and returns its folder."""
        header = "//! clause x\n//! provenance derived\n//! oracle by hand\n"
        self.file(f"corpus/{name}.hlo", header + directives + "\n" + module)
        return self.folder / "corpus"

    def assay(self, *arguments, code=None, stdin="", env=None, cwd=None, timeout=600):
        """Runs assay, whose exit code must be `code` if that is given."""
        result = subprocess.run([ASSAY, *map(str, arguments)], input=stdin.encode(), capture_output=True,
                                timeout=timeout, env=env, cwd=cwd)
        result.stderr = result.stderr.decode(errors="replace")
        result.stdout = result.stdout.decode(errors="replace")
        self.assertGreaterEqual(result.returncode, 0, f"died of a signal: {result.stderr[:500]}")
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout[-2000:] + result.stderr[:2000])
        return result

    def assert_fails(self, code, message, *arguments, **options):
        """Checks for one error with `message`, and an empty standard output."""
        result = self.assay(*arguments, code=code, **options)
        self.assertIn(message, result.stderr)
        self.assertNotIn("<text>", result.stderr)
        # "error: ..." or "place: error: ...", perhaps with the source line and a caret; notes may come before it.
        complaints = [line for line in result.stderr.splitlines() if "error: " in line]
        self.assertEqual(len(complaints), 1, result.stderr[:500])
        self.assertNotIn("terminate called", result.stderr)
        self.assertEqual(result.stdout, "")
        return result

    def json_of(self, *arguments, code=0, **options):
        """Returns the JSON that a command of assay prints."""
        return json.loads(self.assay(*arguments, "--format", "json", code=code, **options).stdout)

    def run_json(self, *arguments, **options):
        return self.json_of("run", *arguments, **options)

    def endless(self):
        return self.file("endless.hlo", ENDLESS)
