"""What the pages show is what happens: flags, runs of the reference, seeded values, the peer of a page."""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
ASSAY = os.environ["ASSAY"]


def fenced(page, language=""):
    """The blocks of a page that open with this language."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)
    return [text for opened_with, text in blocks if opened_with == language]


def flags(text):
    return set(re.findall(r"--[a-z][a-z-]*", text))


class CommandLine(unittest.TestCase):
    def test_the_page_has_every_flag_and_no_other(self):
        page = (ROOT / "docs/architecture.md").read_text()
        contract = page[page.index("## The command line") : page.index("## Values as JSON")]
        top = subprocess.run([ASSAY, "--help"], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"^  ([a-z]+)  ", top[top.lower().index("subcommands:") :], re.M)
        self.assertIn("diff", commands)
        present = flags(top)
        for command in commands:
            self.assertIn(f"\nassay {command} ", contract)
            present |= flags(subprocess.run([ASSAY, command, "--help"], capture_output=True, text=True).stdout)
        self.assertEqual(flags(contract), present)


class ShownRuns(unittest.TestCase):
    def test_of_the_reference_print_what_is_shown(self):
        blocks = [block for block in fenced("README.md") if block.startswith("$ build/tools/assay run ")]
        self.assertTrue(blocks)
        for block in blocks:
            command, output = block[2:].split("\n", 1)
            arguments = [ASSAY, *shlex.split(command)[1:]]
            run = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
            self.assertEqual(run.stdout, output)

    def test_the_peer_of_the_page_is_exact(self):
        (peer,) = fenced("docs/adding_a_backend.md", "python")
        (module,) = [block for block in fenced("docs/adding_a_backend.md") if block.startswith("HloModule")]
        with tempfile.TemporaryDirectory() as folder:
            paths = pathlib.Path(folder, "peer.py"), pathlib.Path(folder, "m.hlo")
            paths[0].write_text(peer)
            for op, verdict in [("multiply", "EXACT"), ("add", "EXACT"), ("power", "UNSUPPORTED")]:
                paths[1].write_text(module.replace("multiply", op))
                backend = f"process:{shlex.quote(sys.executable)} {shlex.quote(str(paths[0]))}"
                arguments = [ASSAY, "diff", str(paths[1]), "--backend", backend, "--seed", "1"]
                run = subprocess.run(arguments, capture_output=True, text=True)
                self.assertEqual(run.stdout.split(":")[0], verdict, run.stdout + run.stderr)

    def test_seeded_values_of_the_page_are_those_of_a_run(self):
        (code,) = fenced("docs/formats.md", "python")
        page = {}
        exec(code, page)
        module = "HloModule m\nENTRY e { a = f64[3] parameter(0) b = s32[3] parameter(1) c = f64[2] constant({...}) "
        module += "ROOT r = (f64[3], s32[3], f64[2]) tuple(a, b, c) }"
        run = subprocess.run([ASSAY, "run", "-", "--seed", "5"], input=module, capture_output=True, text=True)
        values = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", run.stdout)]
        wanted = [(page["real"](5, i) + 1) / 2 for i in range(3)]
        wanted += [abs(page["integer"](6, i, True)) for i in range(3)]
        wanted += [page["real"](5 + 2**32, i) for i in range(2)]
        self.assertEqual(values, wanted)


if __name__ == "__main__":
    unittest.main()
