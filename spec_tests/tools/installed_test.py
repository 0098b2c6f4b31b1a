"""A program outside of the tree: what `meson install` leaves suffices to compile, link and run it."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from spec_tests.tools.command_line import ROOT, ran
from spec_tests.meta.shown_runs_test import fenced
from spec_tests.nightly import is_nightly

BUILD, MESON, CXX = os.environ["BUILD"], os.environ["MESON"], shlex.split(os.environ["CXX"])


def run(arguments, **options):
    done = subprocess.run(arguments, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.stdout}{done.stderr}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.root = cls.folder / "root"
        run([MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", str(cls.root)])
        (package,) = cls.root.rglob("assay.pc")
        environment = {**os.environ, "PKG_CONFIG_PATH": str(package.parent), "PKG_CONFIG_SYSROOT_DIR": str(cls.root)}
        cls.flags = shlex.split(run(["pkg-config", "--cflags", "--libs", "assay"], env=environment))
        cls.library = package.parent.parent

    def compile(self, source, *options):
        return run([*CXX, str(source), *options, *self.flags])

    def example(self, name):
        """Returns the program of an example, which is compiled once."""
        program = self.folder / name
        if not program.exists():
            self.compile(ROOT / f"docs/examples/{name}.cc", "-Wall", "-Wextra", "-Werror", "-o", str(program))
        return program

    def output_of(self, program, *arguments):
        return run([str(program), *map(str, arguments)], env={**os.environ, "LD_LIBRARY_PATH": str(self.library)})

    def test_examples_print_what_their_pages_show(self):
        (golden,) = self.root.rglob("golden/add/seed_matrix_vector.hlo")
        for name, page, *arguments in (("softmax", "builder.md"), ("grade", "library.md", golden)):
            with self.subTest(name):
                page, source = ROOT / "docs" / page, ROOT / "docs/examples" / f"{name}.cc"
                self.assertIn(source.read_text(), fenced(page, "cpp"))
                self.assertIn(self.output_of(self.example(name), *arguments), fenced(page, ""))

    def test_the_library_s_example_fails_without_a_golden(self):
        program = self.example("grade")
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.library)}
        empty = self.folder / "empty.hlo"
        empty.write_text("HloModule m\n")
        for golden, said in (("/no/such.hlo", "/no/such.hlo: No such file or directory"), (empty, "empty.hlo: no case")):
            done = ran(program, golden, env=environment)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn(said, done.stderr)
            self.assertTrue(done.stdout.endswith("the module: EXACT\n"), done.stdout)

    def test_headers_of_the_library_s_page_are_installed(self):
        (include,) = self.root.rglob("include/assay")
        headers = re.findall(r"`([\w/]+\.h)`", (ROOT / "docs/library.md").read_text())
        self.assertGreater(len(headers), 10)
        for header in headers:
            self.assertTrue((include / header.removeprefix("assay/")).exists(), header)

    def test_a_program_that_names_assay_alone_finds_the_builder(self):
        source = self.folder / "sum.cc"
        source.write_text('#include "interpreter/builder/xla_builder.h"\nusing namespace assay;\nstruct And {};\nint main() {\n'
                          '  XlaBuilder b("sum");\n  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2}), "x");\n'
                          '  Add(x, ConstantR0<float>(&b, 1));\n  And mine;\n  (void)mine;\n'
                          '  return b.Build() ? 0 : 1;\n}\n')
        program = self.folder / "sum"
        self.compile(source, "-Wall", "-Wextra", "-Werror", "-o", str(program))
        self.output_of(program)

    def test_headers_include_installed_ones_only(self):
        (include,) = self.root.rglob("include/assay")
        headers = sorted(path.relative_to(include) for path in include.rglob("*.h"))
        self.assertIn(pathlib.Path("interpreter/builder/xla_builder.h"), headers)
        for header in headers:
            for included in re.findall(r'^#include "([^"]+)"', (include / header).read_text(), re.M):
                self.assertTrue((include / included).exists(), f"{header} includes {included}")
        if is_nightly("every installed header compiles"):
            source = self.folder / "all.cc"
            source.write_text("".join(f'#include "{header}"\n' for header in reversed(headers)))
            self.compile(source, "-fsyntax-only")

    def test_every_header_of_the_builder_is_installed(self):
        (include,) = self.root.rglob("include/assay")
        text = (include / "interpreter/builder/xla_builder.h").read_text()
        own = {"broadcast_steps.h", "windows.h", "add_instruction.h", "xla_builder.h"}
        for path in (ROOT / "interpreter/builder").glob("*.h"):
            if path.name not in own:
                self.assertIn(f'"interpreter/builder/{path.name}"', text)

    def test_check_finds_the_corpus_wherever_it_runs(self):
        (program,) = self.root.rglob("bin/assay")
        self.assertTrue(run([program, "--version"]).strip())
        output = run([program, "check", "--filter", "add/f32/"], cwd=self.folder)
        self.assertRegex(output, r"\nreference .*: (\d+) cases, \1 EXACT\n")

    def test_aliases_of_backends_are_there(self):
        (aliases,) = self.root.rglob("share/assay/backends.json")
        for name, alias in json.loads(aliases.read_text()).items():
            if "plugin" in alias:  # a shared object of the same environment
                self.assertTrue(alias["plugin"].startswith(f".venv-{name}/"), name)
                continue
            # A version has an environment of its own.
            self.assertIn(alias["command"][0], ("python3", f".venv-{name}/bin/python"), name)
            self.assertTrue((aliases.parent / alias["command"][1]).is_file(), name)
        # No hint names a program that is not there.
        (jaxlib,) = re.findall(r"^jaxlib==.*$", (ROOT / "tools/requirements.txt").read_text(), re.M)
        hint = json.loads(aliases.read_text())["xla-cpu"]["install"]
        self.assertEqual(hint, f"python3 -m pip install {jaxlib} ml_dtypes numpy")
        self.assertNotIn('"tools/dev build"', aliases.read_text())
        (program,) = self.root.rglob("bin/assay")
        command = [program, "check", "--backend", "none"]
        self.assertIn("add/f32/", run([*command, "--list"], cwd=self.folder))
        done = ran(*command, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "unknown backend none: expected one of .*, stablehlo, xla-cpu")

    def test_the_manual_page_and_the_completions_are_where_man_and_the_shells_look(self):
        for name in ("man/man1/assay.1", "bash-completion/completions/assay.bash", "zsh/site-functions/_assay",
                     "fish/vendor_completions.d/assay.fish"):  # fmt: skip
            (found,) = self.root.rglob(f"share/{name}")
            self.assertGreater(found.stat().st_size, 1000)
