"""Assay as a device of JAX: programs in processes of their own, each beside XLA:CPU.

PLUGIN is the path of libassay_pjrt.so, ASSAY that of the program. Without JAX, only the checks of the binary interface
run.
"""

import importlib.util
import os
import pathlib
import re
import sys
import tempfile
import unittest

from spec_tests.warm_python import WarmPython
from spec_tests.tools.command_line import each, ran

ROOT = pathlib.Path(__file__).parents[2]
PLUGIN = os.environ.get("PLUGIN", str(ROOT / "build/backends/pjrt/device/libassay_pjrt.so"))
ASSAY = os.environ.get("ASSAY", str(ROOT / "build/tools/assay"))
HAS_JAX = importlib.util.find_spec("jax") is not None
HAS_PYPJRT = importlib.util.find_spec("pypjrt") is not None


class PluginTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        # The entry point of the wheel.
        metadata = pathlib.Path(folder, "assay_hlo-0.dist-info")
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: assay-hlo\nVersion: 0\n")
        (metadata / "entry_points.txt").write_text("[jax_plugins]\nassay = assay.pjrt\n")
        path = os.pathsep.join([folder, str(ROOT / "python"), str(ROOT)])
        # XLA:CPU is a witness of a few small programs: its compiler takes longer than their code.
        flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes"
        cls.environment = {**os.environ, "JAX_PLATFORMS": "assay", "ASSAY_PJRT_LIBRARY": PLUGIN, "PYTHONPATH": path,
                           "PYTHONWARNINGS": "error::DeprecationWarning:assay._jax_platform",
                           "XLA_FLAGS": flags.strip()}  # fmt: skip
        packages = ["jax", "jax.numpy"] if HAS_JAX else []
        cls.executable = cls.enterClassContext(WarmPython(*packages, environment=cls.environment)).executable

    def python(self, *arguments, options="", executable=None, **environment):
        """Returns the finished process of a Python with the plugin. One with variables of JAX has a start of its own."""
        if any(name.startswith("JAX_") for name in environment):
            executable = sys.executable
        variables = {**self.environment, "ASSAY_PJRT_OPTIONS": options, **environment}
        return ran(executable or self.executable, *arguments, env=variables)

    def run_programs(self, *names, **settings):
        """Runs programs of programs.py, and returns the output."""
        done = self.python(ROOT / "spec_tests/plugin/programs.py", *names, **settings)
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr)[-4000:])
        self.assertEqual(re.findall(r"^ok (\w+)$", done.stdout, re.M), list(names))
        return done.stdout


class Clone(PluginTest):
    @unittest.skipUnless(pathlib.Path(PLUGIN).is_relative_to(ROOT / "build"), "the build is not that of the clone")
    def test_finds_its_own_build(self):
        done = self.python("-c", "from assay import pjrt, shadow; print(pjrt.library(), shadow.library())",
                           ASSAY_PJRT_LIBRARY="", ASSAY_SHADOW_LIBRARY="")  # fmt: skip
        folder = ROOT / "build/backends/pjrt/device"
        self.assertEqual(done.stdout.split(), [str(folder / f"libassay_{name}.so") for name in ("pjrt", "shadow")], done.stderr)


@unittest.skipUnless(HAS_JAX, "needs jax")
class OneDevice(PluginTest):
    @each(("devices zero_copy donation memories layouts copies", "element_types",
           "arithmetic control_flow subnormals random_numbers dot_algorithms",
           "grad_of_scan fft decompositions", "ahead_of_time compiler_options dce_sink unknown_sizes",
           "threads fork", "many_compilations", "transformer_step resnet_step"))  # fmt: skip
    def test_programs(self, names):
        self.run_programs(*names.split())

    def test_callbacks(self):
        self.assertIn("x is 1.5\n", self.run_programs("callbacks", "printing"))

    def test_errors(self):
        self.run_programs("errors", options="time_limit=2")


@unittest.skipUnless(HAS_JAX, "needs jax")
class SeveralDevices(PluginTest):
    def test_programs(self):
        self.run_programs("copies_between_devices", options="num_devices=8")
        self.run_programs("pmap", "shard_map", "shardings", "shardings_that_follow", "unreduced",
                          "orders_of_devices", "callback_on_each_device", "partitioned_by_hand", options="num_devices=8")

    def test_the_page(self):
        code = "import doctest, sys; sys.exit(doctest.testfile(sys.argv[1], module_relative=False).failed)"
        done = self.python("-c", code, ROOT / "docs/pjrt.md", options="num_devices=8")
        self.assertEqual((done.returncode, done.stdout), (0, ""))


@unittest.skipUnless(HAS_JAX, "needs jax")
class Options(PluginTest):
    EXP = "import jax.numpy as jnp; print(jnp.exp(jnp.linspace(-1, 1, 64)).view('int32').tolist())"

    def test_engines(self):
        self.run_programs("grad_of_scan", "control_flow", "subnormals", options="engine=simd")

    def test_profiles(self):
        outputs = {}
        for profile in ("exact", "lawful:xla:1", "lawful:xla:2"):
            outputs[profile] = self.python("-c", self.EXP, options=f"profile={profile}").stdout
            self.assertNotEqual(outputs[profile], "")
            # A Python with a start of its own has other addresses and another seed of hashes.
            again = self.python("-c", self.EXP, options=f"profile={profile}", executable=sys.executable).stdout
            self.assertEqual(again, outputs[profile])
        self.assertEqual(len(set(outputs.values())), 3)

    @each((
        ("speed=1", "unknown option speed: expected num_devices, engine, profile, memory_limit or time_limit"),
        ("num_devices=0", "option num_devices: expected a number from 1 to 1024, found 0"),
        ("num_devices=two", "option num_devices: expected a number from 1 to 1024, found two"),
        ("engine=cuda", "option engine: expected reference or simd, found cuda"),
        ("profile=fast", "option profile: expected exact or lawful:PROFILE[:SEED], found fast"),
        ("profile=lawful:none", "lawful:none"),
        ("engine=simd;profile=lawful:xla", "expected reference, with which a lawful profile runs"),
        ("num_devices", "ASSAY_PJRT_OPTIONS: expected OPTION=VALUE, found 'num_devices'"),
    ))
    def test_wrong_ones(self, options, reason):
        done = self.python("-c", "import jax; jax.devices()", options=options)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(reason, done.stderr)

    def test_memory_limit(self):
        code = "import jax.numpy as jnp; print(jnp.zeros(1 << 20).sum())"
        self.assertEqual(self.python("-c", code, options="memory_limit=8388608").stdout, "0.0\n")
        self.assertIn("RESOURCE_EXHAUSTED", self.python("-c", code, options="memory_limit=1048576").stderr)

    def test_of_jax_itself(self):
        done = self.python("-c", "import jax; print(len(jax.devices()))", JAX_PJRT_CLIENT_CREATE_OPTIONS="num_devices:3")
        self.assertEqual(done.stdout, "3\n")

    def test_configure(self):
        code = "import assay.pjrt, jax; assay.pjrt.configure(num_devices=5); print(len(jax.devices()))"
        self.assertEqual(self.python("-c", code, options="num_devices=2").stdout, "5\n")

    def test_nothing_is_registered_unless_the_platform_is_named(self):
        code = "import jax; print(jax.devices()[0].platform); print(jax.devices('assay'))"
        done = self.python("-c", code, JAX_PLATFORMS="cpu")
        self.assertEqual(done.stdout, "cpu\n")
        self.assertIn("Unknown backend assay", done.stderr)
        self.assertEqual(self.python("-c", code, JAX_PLATFORMS="cpu,assay").stdout, "cpu\n[AssayDevice(id=0)]\n")


@unittest.skipUnless(HAS_PYPJRT, "needs pypjrt")
class BinaryInterface(PluginTest):
    def test_conformance(self):
        done = self.python("-m", "pypjrt.conform", PLUGIN)
        self.assertRegex(done.stdout, r"\n  \d\d pass · \d+ unsupported · \d+ skip · 0 FAIL\n", done.stderr)
        self.assertRegex(done.stdout, r"\n  layouts +2 pass\n")

    @each(("wrong_calls", "layouts", "rounding"))
    def test_calls_of_frameworks(self, name):
        done = self.python(ROOT / "spec_tests/plugin/framework.py", PLUGIN, name)
        self.assertEqual((done.returncode, done.stdout[-3:]), (0, "ok\n"), done.stdout + done.stderr)

    def test_the_library_exports_two_functions(self):
        listing = ran("nm", "-D", "--defined-only", PLUGIN, check=True)
        self.assertEqual([line.split()[-1] for line in listing.stdout.splitlines()], ["AssaySetCallback", "GetPjrtApi"])


class GradedByAssay(unittest.TestCase):
    @each(("hlo", "mlir"))
    def test_the_quick_cases_in_both_formats(self, format):
        """The plugin gives what the reference gives, of a HloModuleProto as of StableHLO."""
        backend = f"pjrt:{PLUGIN}:num_devices=8;format={format}"
        done = ran(ASSAY, "check", "--backend", backend, "--quick", "--corpus", ROOT / "golden")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        self.assertRegex(done.stdout, r": \d+ cases, [67]\d\d EXACT, \d\d? UNSUPPORTED\n")
