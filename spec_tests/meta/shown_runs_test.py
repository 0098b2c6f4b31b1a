"""The pages show real output: flags, runs of the reference, seeded values, the peer of a page."""

import importlib.util
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest

from spec_tests.tools.command_line import ASSAY, ROOT, ran
from spec_tests.nightly import nightly
from tools.docs import totals


def fenced(page, language=""):
    """Returns the blocks of a page that open with this language, also those of a list."""
    blocks = re.findall(r"^( *)```(\w*)\n(.*?)^\1```$", (ROOT / page).read_text(), re.M | re.S)
    return [textwrap.dedent(text) for _, opened_with, text in blocks if opened_with == language]


# Records its input and replies as on the page.
REPLAY = """
import sys
replies = iter({replies!r})
for line in sys.stdin:
    open({heard!r}, "a").write(line)
    print(next(replies, ""), flush=True)
"""


def golden_line(directive):
    """Returns a directive with a value of the protocol: floats by their bits, integers (of up to a byte) signed."""

    def line(value):
        if "tuple" in value:
            return "".join(map(line, value["tuple"]))
        data = bytes.fromhex(value["data_hex"])
        floats = [f"x{word:08x}" for word in struct.unpack(f"<{len(data) // 4}I", data)] if value["shape"][0] == "f" else []
        integers = [str(byte - 256 * (byte >= 128)) for byte in data] if value["shape"][0] == "s" else []
        return f"//! {directive} {value['shape']} {' '.join(floats + integers)}\n"

    return line


# A command goes on behind a backslash, and up to the end of its here-document.
COMMAND = re.compile(r"(?:[^\n]*\\\n)*(?:[^\n]*<<'END'\n.*?^END\n|[^\n]*\n)", re.M | re.S)


def shown_commands(page):
    """Yields the commands of a page, each with the output that the page shows."""
    for block in fenced(page):
        if block.startswith("$ "):
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command = COMMAND.match(part)[0]
                yield command, part[len(command) :]


def without_times(text):
    return re.sub(r"\d+\.\d+ s\b", "0.000 s", text)


def without_counts(text):
    """Returns the output of a run without times and without the number of goldens, which grows."""
    return without_times(re.sub(r"\d+ (cases|UNSUPPORTED|further runs)\b", r"N \1", text))


# The peers of the pages run these; they decline the other goldens, whose number no page pins.
RUN_BY_PEERS = ["abs", "add", "exponential", "floor", "logistic", "multiply", "negate", "parameter", "programs",
                "refused", "remainder", "miscompilations", "subtract", "wrong_results"]  # fmt: skip


def link_program(folder):
    """Links the program under test and the Python of the tests in the places that the pages name."""
    (folder / "build/tools").mkdir(parents=True)
    (folder / "build/tools/assay").symlink_to(ASSAY)
    (folder / ".venv").symlink_to(sys.prefix)


def link_goldens(folder, whole, miscompilations="*"):
    """Makes golden/ in a folder: the whole corpus, or what the peers of the pages run, of the 4,756 cases of
    miscompilations those in files of this pattern."""
    if whole:
        return (folder / "golden").symlink_to(ROOT / "golden")
    (folder / "golden").mkdir()
    for name in RUN_BY_PEERS:
        shutil.copytree(ROOT / "golden" / name, folder / "golden" / name)
    for path in (folder / "golden/miscompilations").iterdir():
        if not path.match(miscompilations):
            path.unlink()


def flags(text):
    return set(re.findall(r"--[a-z][a-z-]*", text))


def help_of(*command):
    """Returns the help text of the program, or of a command."""
    return ran(ASSAY, *command, "--help", check=True).stdout


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.page = (ROOT / "docs/commands.md").read_text()
        self.commands = re.findall(r"^### `([a-z-]+)`$", self.page, re.M)

    def test_every_command_has_a_section_and_none_other(self):
        top = help_of()
        wanted = re.findall(r"^  ([a-z-]+)  ", top[top.index("Subcommands:") :], re.M)
        self.assertEqual(sorted(self.commands), sorted(wanted))

    def test_the_page_names_only_options_of_the_program(self):
        present = flags(help_of()).union(*(flags(help_of(command)) for command in self.commands))
        self.assertLessEqual(flags(self.page), present)

    def test_the_run_of_the_page_prints_what_is_shown(self):
        ((command, output),) = shown_commands("docs/commands.md")
        run = ran(ASSAY, *shlex.split(command)[1:], cwd=ROOT)
        self.assertEqual(run.stderr, output.rstrip("\n") + "\n")


class Totals(unittest.TestCase):
    def test_of_the_corpus_hold_on_every_page(self):
        self.assertEqual(totals.problems(totals.pages(), totals.count_cases(ASSAY)), [])

    def test_that_do_not_hold_are_found(self):
        pages = {"two totals": "x: 20100 cases, 3 UNSUPPORTED\n\nx: 20101 cases, 3 UNSUPPORTED\n", "no day": "x has 20,100 cases.\n",
                 "a day": "On 3 May 2026, 725 of 20,100 cases\n\ncommit 52798ce7: 20,100 cases\n", "rounded": "more than 19,000 cases\n"}
        self.assertEqual([found.split(":")[0] for found in totals.problems(pages, 20200)],
                         ["two totals", "two totals", "no day", "rounded"])
        self.assertEqual(totals.written(pages["two totals"] + pages["rounded"], 20200),
                         "x: 20200 cases, 103 UNSUPPORTED\n\nx: 20200 cases, 102 UNSUPPORTED\nmore than 20,000 cases\n")


class ShownRuns(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "no jaxlib here; tools/dev installs it")
    def test_of_xla_print_the_same_on_every_processor(self):
        (block,) = [block for block in fenced("README.md") if block.startswith("$ build/tools/assay diff ")]
        command, output = block[2:].split("\n", 1)
        sets = ["SSE4_2", "AVX2", "AVX512"] if platform.machine() == "x86_64" else [""]
        for instructions in sets:
            with self.subTest(instructions):
                environment = {**os.environ, "XLA_FLAGS": f"--xla_cpu_max_isa={instructions}" if instructions else ""}
                run = ran(ASSAY, *shlex.split(command)[1:], cwd=ROOT, env=environment)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertEqual(without_counts(run.stdout), without_counts(output))

    def test_the_golden_of_the_page_is_there(self):
        page = (ROOT / "docs/golden_format.md").read_text()
        (path,) = re.findall(r"`(golden/\S+\.hlo)` above", page)
        (case,) = re.findall(r"above holds `([\w/-]+)`", page)
        text = (ROOT / path).read_text()
        self.assertIn(text, fenced("docs/golden_format.md"))
        self.assertIn(f"//! case {case.split('/')[-1]} ", text)

    def test_the_session_of_the_page_takes_place(self):
        (session,) = [block for block in fenced("docs/process_protocol.md") if block.startswith("-> ")]
        sent = [json.loads(line[3:]) for line in session.splitlines() if line.startswith("-> ")]
        replies = [line[3:] for line in session.splitlines() if line.startswith("<- ")]
        with tempfile.TemporaryDirectory() as folder:
            (folder := pathlib.Path(folder))
            (folder / "peer.py").write_text(REPLAY.format(replies=replies, heard=str(folder / "heard")))
            # A golden for each request; the reference has the results that the peer gives, and the root of 4 is 2.
            for request, reply in zip(sent[1:-1], map(json.loads, replies[1:])):
                outputs = reply.get("outputs", [{"shape": "f32[1,1]", "data_hex": "00000040"}])
                path = folder / "corpus" / str(request["id"]) / "m.hlo"
                path.parent.mkdir(parents=True)
                path.write_text("//! clause x\n//! provenance seed\n//! oracle hand\n//! case one of the page\n"
                                + "".join(map(golden_line("arg"), request["inputs"][0]))
                                + "".join(map(golden_line("want"), outputs)) + request["hlo"])
            backend = f"process:exec {shlex.quote(sys.executable)} {folder / 'peer.py'}"
            run = ran(ASSAY, "check", "--backend", backend, "--corpus", folder / "corpus", "--jobs", "1")
            self.assertTrue(run.stdout.endswith(": 3 cases, 2 EXACT, 1 UNSUPPORTED\n"), run.stdout)
            self.assertEqual([json.loads(line) for line in (folder / "heard").read_text().splitlines()], sent)

    def test_the_tutorial_takes_place(self):
        self.assertIn((ROOT / "docs/examples/numpy_peer.py").read_text(), fenced("docs/tutorial.md", "python"))
        self.assert_takes_place("docs/tutorial.md", at_least=16)

    @nightly
    def test_the_tutorial_takes_place_with_the_whole_corpus(self):
        self.assert_takes_place("docs/tutorial.md", at_least=16, whole=True, pins_counts=True)

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "no jaxlib here; tools/dev installs it")
    def test_the_page_on_jax_takes_place(self):
        self.assert_takes_place("docs/from_jax.md", at_least=3)

    def test_each_question_has_a_page_of_one_screen_with_a_run(self):
        for name in ("comparing", "frameworks", "sharded", "first_nan", "batch_size", "versions", "order"):
            self.assertLess(len((ROOT / f"docs/{name}.md").read_text().splitlines()), 70, name)
            self.assert_takes_place(f"docs/{name}.md", at_least=1, whole=name == "versions")

    def test_the_pages_on_traces_and_metrics_take_place(self):
        self.assert_takes_place("docs/trace.md", at_least=1)
        self.assert_takes_place("docs/metrics.md", at_least=1)

    def test_the_pages_that_run_backends_of_assay_take_place(self):
        for name in ("determinism", "export", "formats", "quantized", "specification"):
            self.assert_takes_place(f"docs/{name}.md", at_least=1, whole=True)

    def assert_takes_place(self, page, at_least, whole=False, pins_counts=False):
        shown = list(shown_commands(page))
        self.assertGreaterEqual(len(shown), at_least)
        with tempfile.TemporaryDirectory() as folder:
            (folder := pathlib.Path(folder))
            link_program(folder)
            for name in ["docs", "spec_tests"]:
                (folder / name).symlink_to(ROOT / name)
            link_goldens(folder, whole)
            # One shell for all of them, as for the reader; each finds the exit code of the one before.
            steps = [f"(exit $code)\n{command}code=$?\necho; echo @@@\n" for command, _ in shown]
            shell = ran("bash", "-c", "exec 2>&1\ncode=0\n" + "".join(steps), cwd=folder)
        printed = shell.stdout.split("\n@@@\n")
        self.assertEqual(len(printed), len(shown) + 1)
        # The tutorial has the number of cases in the whole corpus: tools.docs.totals writes it.
        said = without_times if pins_counts else without_counts
        for (command, output), text in zip(shown, printed):
            self.assertEqual(said(text).rstrip("\n"), said(output).rstrip("\n"), command)

    def test_the_recipe_of_continuous_integration_does_what_the_page_says(self):
        self.assert_recipe_does_what_the_page_says(whole=False)

    @nightly
    def test_the_recipe_of_continuous_integration_does_so_with_the_whole_corpus(self):
        self.assert_recipe_does_what_the_page_says(whole=True)

    def assert_recipe_does_what_the_page_says(self, whole):
        (recipe,) = [block for block in fenced("docs/continuous_integration.md", "sh") if "diff " in block]
        peer = shlex.quote(str(ROOT / "docs/examples/numpy_peer.py"))
        with tempfile.TemporaryDirectory() as folder:
            (folder := pathlib.Path(folder))
            (folder / "bin").mkdir()
            (folder / "bin/assay").symlink_to(ASSAY)
            link_goldens(folder, whole, "remainder*")
            (folder / "assay").mkdir()
            (folder / "assay/unsupported.txt").touch()
            environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
                           "BACKEND": f"process:exec {shlex.quote(sys.executable)} {peer}"}

            def exit_code(expected):
                cases = [{"name": name, "verdict": "FAIL", "reason": "of the page"} for name in expected]
                (folder / "assay/expectations.json").write_text(json.dumps({"cases": cases}))
                return subprocess.run(["sh", "-c", recipe], cwd=folder, env=environment, capture_output=True).returncode

            known = ["f32/*", "s32/*", "large/*", "limits/s32", "roundings/f32", "sizes/f32_cube", "specials/f32"]
            known = [f"remainder/{name}" for name in known] + ["miscompilations/remainder_by_power_of_two/s32"]
            # At first nothing is on the list of what is declined.
            self.assertEqual(exit_code(known), 1)
            (folder / "report/unsupported.txt").rename(folder / "assay/unsupported.txt")
            self.assertEqual(exit_code(known), 0)
            self.assertEqual(exit_code(["remainder/f32/*"]), 1)

    def test_seeded_values_of_the_page_are_those_of_a_run(self):
        (code,) = fenced("docs/formats.md", "python")
        page = {}
        exec(code, page)
        module = "HloModule m\nENTRY e { a = f64[3] parameter(0) b = s32[3] parameter(1) c = f64[2] constant({...}) "
        module += "ROOT r = (f64[3], s32[3], f64[2]) tuple(a, b, c) }"
        run = ran(ASSAY, "run", "-", "--seed", "5", input=module)
        values = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", run.stdout)]
        wanted = [(page["real"](5, i) + 1) / 2 for i in range(3)]
        wanted += [abs(page["integer"](6, i, True)) for i in range(3)]
        wanted += [page["real"](5 + 2**32, i) for i in range(2)]
        self.assertEqual(values, wanted)
