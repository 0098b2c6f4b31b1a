"""Every command of the pages that a newcomer reads is run as it is typed, and ends with the exit code of this table.

A command is a line of a block, an indented line, or words in the text that begin with a program. Each page has a folder
with the files that its reader has. A command that is left out has its reason here; a clone runs those that build or
install, every night.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from spec_tests.meta.shown_runs_test import (ROOT, RUN_BY_PEERS, fenced, link_goldens, link_program, shown_commands,
                                             without_counts)  # fmt: skip
from spec_tests.nightly import nightly

PLUGIN = os.environ["FAKE_PJRT"]
PROGRAM = re.compile(r"(?:[A-Z][A-Z_]*=\S+ )*(?:build/tools/assay|assay|tools/dev|\.venv/bin/python|python3?|pip|pytest|meson|c\+\+|\./\w+|"
                     r"spec_tests/\S+\.py) \S")  # fmt: skip
NAMED = re.compile(r"assay(?: serve --judge| [a-z-]+)")  # a command that the text names and does not show
IN_A_CLONE = "builds or installs: a clone runs it every night"
BY_NIGHTLY = "installs a peer and runs the whole corpus: `tools/dev nightly` does so for each peer of the page"
A_MEASUREMENT = "needs packages of other projects; the table below it says when it was run"

# The page: its commands, each with its exit code, or with the reason why it is not run here.
PAGES = {
    "README.md": {
        "tools/dev check": IN_A_CLONE,
        "tools/dev test": "runs this test",
        "tools/dev build": IN_A_CLONE,
        "build/tools/assay run docs/examples/softmax.hlo --input 'f32[2,4] {{1,2,3,4},{0,0,0,-inf}}'": 0,
        "build/tools/assay diff docs/examples/softmax.hlo --backend xla-cpu --input 'f32[2,4] {{0,-2.375,-inf,-inf},{0,0,0,-inf}}'": 0,
        "build/tools/assay check --backend pjrt:libmine.so --report report": 0,
    },
    "docs/tutorial.md": {
        "tools/dev build": IN_A_CLONE,
        "assay check --backend \"$BACKEND\" --filter broadcast/": 0,
    },
    "docs/pjrt_plugins.md": {
        "assay check --backend pjrt:libmine.so": 0,
        "assay check --backend 'pjrt:libmine.so:cpu_device_count=8;xla_cpu_enable_fast_math=false' --profile xla-cpu": 0,
        "tools/dev peer xla-cpu-pjrt": BY_NIGHTLY,
        "assay diff docs/examples/phase.hlo --backend pjrt:libmine.so --seed 1": 0,
        "assay check --backend pjrt:libmine.so --quick --report report": 0,
        "assay check --backend mine --report report --expectations mine.json --update-expectations": 1,
        "assay check --backend mine --report report --expectations mine.json --update-expectations --resume": 0,
        "assay reduce docs/examples/phase.hlo --backend mine --out reduced": 1,
        "assay blame reduced/module.hlo --inputs reduced/inputs.json --backend mine": 1,
        "assay repro report --backend mine": 1,
        "assay print --format stablehlo": "names the form of a module; docs/commands.md has its use",
    },
    "docs/peers.md": {
        "tools/dev check xla-cpu@0.4.30": BY_NIGHTLY,
        ".venv/bin/python -m tools.docs.peers FOLDER...": 0,
        "tools/dev check NAME": BY_NIGHTLY,
        "tools/dev check iree-cpu": BY_NIGHTLY,
        "build/tools/assay repro report --backend xla-cpu": 1,
        "assay run sum.hlo --backend xla-cpu --inputs ones.json": 0,
        "assay diff sum.hlo --backend xla-cpu": 0,
        "assay check --backend 'pjrt:site-packages/jax_plugins/xla_cuda13/xla_cuda_plugin.so:preallocate=false' --profile xla-gpu":
            "needs a GPU and JAX's plugin for it; the page has the day of its run",
    },
    "docs/releasing.md": {
        "assay certify --backend mutant:floor_truncates --corpus corpus --out certificate": 1,
        "tools/dev nightly": "runs this test",
    },
    "docs/python.md": {
        "tools/dev wheel": IN_A_CLONE,
        "pip install dist/*.whl": IN_A_CLONE,
        "pip install .": IN_A_CLONE,
        "tools/dev build": IN_A_CLONE,
        "pytest --assay=all": 0,
        "pip download --no-deps --no-binary :all: optax==0.2.8 && tar xzf optax-0.2.8.tar.gz && cd optax-0.2.8": A_MEASUREMENT,
        "python -m pytest --assay=all optax/schedules optax/tree_utils optax/losses optax/projections": A_MEASUREMENT,
    },
}  # fmt: skip


def commands_of(page):
    """Yields the commands of a page, each with the output that the page shows for it, or None."""
    text = (ROOT / page).read_text()
    for command, output in shown_commands(page):
        yield command.rstrip("\n"), output
    typed = [block.replace("\\\n", "") for block in [*fenced(page), *fenced(page, "sh")] if not block.startswith("$ ")]
    prose = re.sub(r"^( *)```\w*\n.*?^\1```$", "", text, flags=re.M | re.S)
    typed += re.findall(r"^    (?! )(.*)$", prose, re.M)
    spans = [" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose)]
    for line in [line for block in typed for line in block.splitlines()] + [span for span in spans if not NAMED.fullmatch(span)]:
        if PROGRAM.match(line):
            yield re.sub(r" +# .*", "", line), None

LIBRARY_PAGE = "docs/library.md"  # its commands install, so only a clone runs them
SUM = """HloModule sum
add { a = bf16[] parameter(0)  b = bf16[] parameter(1)  ROOT r = bf16[] add(a, b) }
ENTRY e {
  x = bf16[288] parameter(0)
  zero = bf16[] constant(0)
  ROOT r = bf16[] reduce(x, zero), dimensions={0}, to_apply=add
}
"""
LEFT_BEHIND = {".git", ".venv", "build", "golden", "report"}


def said(text):
    """Returns what a run says wherever it takes place: without times, counts of goldens and versions of PJRT."""
    return re.sub(r"libmine \S+ \S+, PJRT \d+\.\d+", "libmine cpu cpu, PJRT 0.81", without_counts(text)).rstrip("\n")


class Reader:
    """A folder in which a reader of the pages types their commands: a checkout with a part of the corpus."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for path in ROOT.iterdir():
            if path.name not in LEFT_BEHIND and not path.name.startswith(("build-", ".venv-")):
                (self.folder / path.name).symlink_to(path)
        link_program(self.folder)
        link_goldens(self.folder, whole=False, miscompilations="remainder*")
        shutil.rmtree(self.folder / "golden/refused")  # a refused case names a legal one of any op
        quick = (ROOT / "golden/quick.txt").read_text().splitlines(keepends=True)
        files = {path.relative_to(self.folder / "golden").as_posix() for path in (self.folder / "golden").rglob("*.hlo")}
        self.write("golden/quick.txt", "".join(line for line in quick if f"{line.rpartition('/')[0]}.hlo" in files))
        (self.folder / "libmine.so").symlink_to(PLUGIN)
        self.environment = {**os.environ, "PATH": f"{self.folder}/build/tools:{self.folder}/.venv/bin:{os.environ['PATH']}"}

    def types(self, command):
        """Returns the exit code of a command, and what it prints."""
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
        return done.returncode, done.stdout

    def write(self, name, text):
        (self.folder / name).write_text(text)


class Commands(unittest.TestCase):
    def assert_page_holds(self, page, before=None):
        """Types the commands of a page. `before` has what the reader does before one of them."""
        with tempfile.TemporaryDirectory() as folder:
            reader, typed = Reader(folder), 0
            for command, output in dict(commands_of(page)).items():
                (before or {}).get(command, lambda reader: None)(reader)
                expected = PAGES[page][command]
                if isinstance(expected, str):
                    continue
                typed += 1
                code, printed = reader.types(command.replace("FOLDER...", "xla-cpu"))
                self.assertEqual(code, expected, f"{page}: {command}\n{printed[-3000:]}")
                if output:
                    self.assertEqual(said(printed), said(output), command)
            self.assertGreater(typed, 0)

    def test_of_each_page_are_in_the_table(self):
        for page, rows in PAGES.items():
            shown = {command.rstrip("\n") for command, _ in shown_commands(page)}
            found = {command for command, _ in commands_of(page)}
            self.assertEqual(found - (shown if page == "docs/tutorial.md" else set()), set(rows), page)

    def test_left_out_are_few_and_named(self):
        reasons = {(page, command): why for page, rows in PAGES.items() for command, why in rows.items() if isinstance(why, str)}
        print(f"{len(reasons)} commands of the pages are not typed here:", file=sys.stderr)
        for (page, command), why in reasons.items():
            print(f"  {page}: {command}: {why}", file=sys.stderr)
        self.assertLessEqual(len(reasons), 17)

    def test_of_the_readme(self):
        self.assert_page_holds("README.md")

    def test_of_the_tutorial_that_its_session_does_not_have(self):
        with tempfile.TemporaryDirectory() as folder:
            reader = Reader(folder)
            reader.environment["BACKEND"] = "process:.venv/bin/python docs/examples/numpy_peer.py"
            for command, expected in PAGES["docs/tutorial.md"].items():
                if not isinstance(expected, str):
                    self.assertEqual(reader.types(command)[0], expected, command)

    def test_of_the_page_on_pjrt_plugins(self):
        (names,) = fenced("docs/pjrt_plugins.md", "json")

        def has_a_bug(reader):
            """The plugin of the reader computes products wrongly, from the check of the whole corpus on."""
            for name in set(RUN_BY_PEERS) - {"abs", "add", "multiply", "refused"}:  # programs are cut, which takes a while
                shutil.rmtree(reader.folder / "golden" / name)
            backends = json.loads(names)
            backends["mine"]["options"] += ";platform=cpu;behaviour=wrong@multiply"
            (reader.folder / "backends.json").unlink()
            reader.write("backends.json", json.dumps(backends))

        self.assert_page_holds("docs/pjrt_plugins.md", {
            "assay check --backend mine --report report --expectations mine.json --update-expectations": has_a_bug,
        })  # fmt: skip

    def test_of_the_page_on_peers(self):
        def was_checked(reader):
            """The report of the page's first command, on a part of the corpus, in a folder of the peer's name."""
            shutil.rmtree(reader.folder / "golden")
            (reader.folder / "golden/popcnt").mkdir(parents=True)
            shutil.copy(ROOT / "golden/popcnt/types.hlo", reader.folder / "golden/popcnt")  # repro takes seconds for each cause
            shutil.copy(ROOT / "golden/xla-cpu.json", reader.folder / "golden")
            code, printed = reader.types("assay check --backend xla-cpu --report report")
            self.assertEqual(code, 1, printed)
            shutil.copytree(reader.folder / "report", reader.folder / "xla-cpu")

        def has_ones(reader):
            reader.write("sum.hlo", SUM)
            reader.write("ones.json", json.dumps({"inputs": [{"shape": "bf16[288]", "data_hex": "803f" * 288}]}))

        self.assert_page_holds("docs/peers.md", {
            ".venv/bin/python -m tools.docs.peers FOLDER...": was_checked,
            "assay run sum.hlo --backend xla-cpu --inputs ones.json": has_ones,
        })  # fmt: skip

    def test_of_the_page_on_releases(self):
        (certify,) = [command for command in PAGES["docs/releasing.md"] if command.startswith("assay")]
        old = sorted((ROOT / "spec_tests/tools/old_files").iterdir())[-1]
        with_corpus = {certify: lambda reader: shutil.copytree(old / "corpus", reader.folder / "corpus")}
        self.assert_page_holds("docs/releasing.md", with_corpus)

    def test_of_the_page_on_python(self):
        (suite,) = [text for text in fenced("docs/python.md", "python") if "def test_" in text]

        def has_a_suite(reader):
            """The suite of the page; the plugin is that of the tree, which the wheel names to pytest."""
            reader.write("test_page.py", suite)
            reader.environment.update(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="-p assay.pytest_plugin test_page.py",
                                      PYTHONPATH=str(ROOT / "python"))

        self.assert_page_holds("docs/python.md", {"pytest --assay=all": has_a_suite})

    @nightly
    def test_of_the_pages_in_a_clone(self):
        """A stranger's first hour: a clone, its build, its wheel in an environment of its own, its C++ library."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            clone, home = folder / "assay", folder / "home"
            subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
            subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
            kept = ("PATH", "LANG", "CCACHE_DIR", "PIP_INDEX_URL", "PIP_CACHE_DIR", "http_proxy", "https_proxy", "no_proxy")
            environment = {name: os.environ[name] for name in kept if name in os.environ}
            environment.update(PATH=f"{folder}/venv/bin:{environment['PATH']}", HOME=str(home))
            home.mkdir()
            commands = [command for rows in PAGES.values() for command, why in rows.items() if why == IN_A_CLONE]
            commands = sorted(set(commands), key=lambda command: command.startswith("pip"))  # the wheel is made first
            (library,) = [block for block in fenced(LIBRARY_PAGE) if "meson install" in block]
            shutil.copy(ROOT / "docs/examples/grade.cc", clone)
            for command in [*commands, "python -c 'import assay; print(assay.__version__)'", f"set -e; {library}"]:
                done = subprocess.run(["bash", "-c", command], cwd=clone, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
                self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-3000:]}")
