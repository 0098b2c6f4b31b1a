"""Backends by name: docs/examples/peer.cc, entries of backends.json, PJRT plugins through jaxlib. ASSAY and PEER name
the executables, FAKE_PJRT a plugin."""

import importlib.util
import json
import os
import pathlib
import unittest

from spec_tests.nightly import nightly
from spec_tests.tools.command_line import ROOT, CliTest

PEER, PLUGIN = os.environ["PEER"], os.environ["FAKE_PJRT"]
MODULE = "HloModule m\nENTRY e { a = f32[3] parameter(0) b = f32[3] parameter(1) ROOT r = f32[3] %s(a, b) }"
INPUTS = ["--input", "f32[3] {1.5, -2, inf}", "--input", "f32[3] {2, 0.25, 1}"]


class RunTest(CliTest):
    def run_on(self, backend, module=MODULE % "add", inputs=INPUTS, cwd=ROOT, code=None):
        return self.assay("run", "-", "--backend", backend, *inputs, stdin=module, cwd=cwd, code=code)


class CppPeerTest(RunTest):
    def test_results(self):
        for op, wanted in (("add", "{3.5, -1.75, inf}\n"), ("multiply", "{3, -0.5, inf}\n")):
            self.assertEqual(self.run_on(f"process:{PEER}", MODULE % op, code=0).stdout, wanted)

    def test_it_survives_the_quick_cases(self):
        self.assert_survives("--quick")

    @nightly
    def test_it_survives_the_corpus(self):
        self.assert_survives()

    def assert_survives(self, *options):
        run = self.assay("check", "--backend", f"process:{PEER}", *options, cwd=ROOT, code=0)
        self.assertRegex(run.stdout.splitlines()[-1], r": \d+ cases, [1-9]\d* EXACT, \d+ UNSUPPORTED$")


class NamesTest(RunTest):
    """The word of a name replaces the placeholder of an entry for many names; a path is not accepted as a version."""

    def run_as(self, name, entries, code=None):
        self.file("backends.json", json.dumps(entries))
        return self.run_on(name, cwd=self.folder, code=code)

    def test_versions(self):
        (self.folder / "peer-1.2").symlink_to(PEER)
        entries = {"tiny@VERSION": {"command": ["./peer-VERSION"], "install": "make peer-VERSION"}}
        self.assertEqual(self.run_as("tiny@1.2", entries).stdout, "{3.5, -1.75, inf}\n")
        missing = self.run_as("tiny@1.3", entries, code=3)
        self.assertIn("tiny@1.3 is not installed: ./peer-1.3 is not there; make peer-1.3 installs it", missing.stderr)
        for name in ("tiny@", "tiny@../peer-1.2", "tiny@1/2", "other@1.2", "tiny"):
            self.assertIn(f"unknown backend {name}: expected one of", self.run_as(name, entries, code=2).stderr)

    def test_an_entry_of_the_exact_name_has_precedence(self):
        entries = {"tiny@1.2": {"command": [PEER]}, "tiny@VERSION": {"command": ["./none"]}}
        self.assertEqual(self.run_as("tiny@1.2", entries).stdout, "{3.5, -1.75, inf}\n")

    def test_a_file_of_the_folder_hides_no_alias_of_assay(self):
        entries = {"tiny": {"command": [PEER]}, "stablehlo": {"command": ["./mine"], "install": "make mine"}}
        self.run_as("tiny", entries, code=0)
        unknown = self.run_as("none", entries, code=2)
        for name in ("tiny", "stablehlo", "xla-cpu", "jaxlib-pjrt:FILE", "iree-cpu"):
            self.assertEqual(unknown.stderr.count(f" {name},") + unknown.stderr.count(f" {name}\n"), 1, unknown.stderr)
        # That of the folder goes first.
        self.assertIn("make mine installs it", self.run_as("stablehlo", entries).stderr)

    def test_a_backend_that_cannot_start_says_what_installs_it(self):
        entries = {"lame": {"command": ["python3", "-c", "import no_such_module"], "install": "make lame"}}
        lame = self.run_as("lame", entries, code=3)
        self.assertRegex(lame.stderr, "No module named 'no_such_module'\nnote: make lame installs what lame needs\n$")

    def test_files(self):
        """That of the user's folder, whatever folder the command runs in."""
        (self.folder / "below").mkdir()
        (self.folder / "below/peer").symlink_to(PEER)
        (self.folder / "backends.json").write_text(json.dumps({"run:FILE": {"command": ["FILE"]}}))
        self.assertEqual(self.run_on("run:peer", cwd=self.folder / "below", code=0).stdout, "{3.5, -1.75, inf}\n")

    def test_plugins(self):
        """An entry with a PJRT plugin. Paths are relative to its file."""
        (self.folder / "below").mkdir()
        (self.folder / "plugin.so").symlink_to(PLUGIN)
        entries = {"tiny": {"plugin": "plugin.so", "options": "devices=3"}, "lame": {"plugin": "no.so", "install": "x"}}
        self.assertEqual(self.run_as("tiny", entries).stdout, "{3.5, -1.75, inf}\n")
        self.assertEqual(self.run_on("tiny", cwd=self.folder / "below", code=0).stdout, "{3.5, -1.75, inf}\n")
        lame = self.run_as("lame", entries, code=3)
        self.assertIn("lame is not installed: no.so is not there; x installs it", lame.stderr)
        for entry, code, said in (
            ({"plugin": 3}, 2, "the plugin of tiny must be a file, found 3"),
            ({"plugin": "x", "options": ["a"]}, 2, 'the options of tiny must be a text OPTION=VALUE;..., found ["a"]'),
            ({"plugin": "plugin.so", "profile": 3}, 2, "the profile of tiny must be a name or a file, found 3"),
            ({"plugin": "plugin.so", "options": "speed=3"}, 3, "no option speed"),
        ):
            self.assertIn(said, self.run_as("tiny", {"tiny": entry}, code=code).stderr)

    def test_shipped_entries(self):
        entries = json.loads((ROOT / "backends.json").read_text())
        for name, entry in entries.items():
            with self.subTest(name):
                if "plugin" in entry:
                    self.assertEqual(entry["plugin"], f".venv-{name}/{name}.so")
                    self.assertEqual(entry["install"], f"tools/dev peer {name}")
                else:
                    self.assertTrue((ROOT / entry["command"][1]).is_file())
                self.assertIn(f"`{name}`", (ROOT / "docs/process_protocol.md").read_text())
        self.assertIn("tools/dev peer xla-cpu@0.0.7 installs it", self.run_on("xla-cpu@0.0.7", code=3).stderr)


class InstalledPeersTest(RunTest):
    """Peers that tools/dev peer has installed here run modules with several results and on several devices."""

    def names(self, *patterns):
        names = sorted(path.name.removeprefix(".venv-") for pattern in patterns for path in ROOT.glob(f".venv-{pattern}"))
        if not names:
            self.skipTest(f"no .venv-{' or .venv-'.join(patterns)} here; tools/dev peer installs them")
        return names

    def test_run(self):
        module = ("HloModule m\nENTRY e { a = f32[3] parameter(0) b = f32[3] parameter(1) s = f32[3] subtract(a, b)"
                  "c = bf16[3] convert(b) ROOT r = (f32[3], bf16[3]) tuple(s, c) }")
        for name in self.names("xla-cpu@*", "*-pjrt*", "iree-cpu"):
            with self.subTest(name):
                self.assertEqual(self.run_on(name, module, code=0).stdout, "( {-0.5, -2.25, inf}, {2, 0.25, 1} )\n")

    def test_devices(self):
        module = """HloModule m, replica_count=2
add { p = f32[] parameter(0) q = f32[] parameter(1) ROOT r = f32[] add(p, q) }
ENTRY e { a = f32[2] parameter(0) ROOT r = f32[2] all-reduce(a), replica_groups={{0,1}}, to_apply=add }"""
        for name in self.names("xla-cpu@*", "*-pjrt*"):
            with self.subTest(name):
                ran = self.run_on(name, module, ["--input", "f32[2] {1, -2}"], code=0)
                self.assertEqual(ran.stdout, "{2, -4}\n{2, -4}\n")

    def test_iree_declines_with_a_reason(self):
        module = "HloModule m\nENTRY e { a = f32[2,2] parameter(0) ROOT r = f32[2,2] cholesky(a), lower=true }"
        for name in self.names("iree-cpu"):
            run = self.assay("diff", "-", "--backend", name, "--input", "{{4, 0}, {0, 9}}", stdin=module, cwd=ROOT)
            self.assertRegex(run.stdout, "^UNSUPPORTED: (.|\n)*stablehlo.cholesky", run.stderr)


@unittest.skipUnless(importlib.util.find_spec("jaxlib"), "no jaxlib here; tools/dev installs it")
class PluginTest(RunTest):
    def assert_refused(self, plugin, said):
        run = self.run_on(f"jaxlib-pjrt:{plugin}", code=3)
        self.assertIn(f"the plugin {plugin} cannot be used: ", run.stderr)
        self.assertIn(said, run.stderr)

    def test_a_file_that_is_no_plugin_is_an_error(self):
        self.assert_refused("no_such_plugin", "it is neither a file nor a package of jax_plugins")
        self.assert_refused(ROOT / "backends.json", "invalid ELF header")
        utils = pathlib.Path(importlib.util.find_spec("jaxlib").submodule_search_locations[0], "utils.so")
        self.assert_refused(utils, "GetPjrtApi not found")
