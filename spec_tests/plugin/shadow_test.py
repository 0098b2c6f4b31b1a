"""The shadow: the program receives the results of its plugin, and another process judges them (docs/shadow.md).

SHADOW, PLUGIN and FAKE_PJRT are the paths of libassay_shadow.so, libassay_pjrt.so and the fake plugin. `assay run`
loads the shadow like any framework: the first tests need no JAX.
"""

import importlib.util
import json
import os
import pathlib
import struct
import sys
import tempfile
import unittest

from spec_tests.tools.command_line import ASSAY, ROOT, CliTest, each, ran
from spec_tests.warm_python import WarmPython

SHADOW, PLUGIN, FAKE = (os.environ[name] for name in ("SHADOW", "PLUGIN", "FAKE_PJRT"))
HAS_JAX = importlib.util.find_spec("jax") is not None
ADD = "HloModule sums\nENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2] parameter(1)\n  ROOT r = f32[2] add(a, b)\n}\n"
INPUTS = ("--input", "f32[2] {1, 2}", "--input", "f32[2] {0.5, 0.25}")
EXP = "HloModule powers\nENTRY e {\n  a = f32[64] parameter(0)\n  ROOT r = f32[64] exponential(a)\n}\n"


class ShadowTest(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()

    def run_in_folder(self, *command, code=None, **variables):
        environment = {**os.environ, "ASSAY_PROGRAM": ASSAY, "TMPDIR": str(self.folder / "tmp"), **variables}
        done = ran(*command, cwd=self.folder, env=environment)
        self.assertIn(done.returncode, [done.returncode if code is None else code], done.stdout + done.stderr[-3000:])
        return done

    def on_shadow(self, text, *inputs, behaviour="", plugin=None, options="", **variables):
        """Runs a module on the shadowed fake plugin in the process of assay."""
        self.file("m.hlo", text)
        shadowed = f"{FAKE}:behaviour={behaviour}" if behaviour else FAKE
        return self.run_in_folder(ASSAY, "run", "m.hlo", *inputs, "--backend", f"pjrt:in-process:{SHADOW}:format=hlo",
                                  ASSAY_SHADOW=shadowed if plugin is None else str(plugin),
                                  ASSAY_SHADOW_OPTIONS=options, **variables)

    def journal(self, folder="assay-shadow"):
        return [json.loads(line) for line in (self.folder / folder / "journal.jsonl").read_text().splitlines()]

    def verdicts(self, folder="assay-shadow"):
        """Returns the verdict, or the reason for none, of each line about an execution."""
        return [line.get("verdict") or line["not_judged"] for line in self.journal(folder) if "program" in line]


class WithoutJax(ShadowTest):
    def test_results_of_an_honest_plugin_are_exact(self):
        done = self.on_shadow(ADD, *INPUTS, code=0)
        self.assertEqual(done.stdout, "{1.5, 2.25}\n")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        run, execution, end = self.journal()
        self.assertEqual(run["run"], {"plugin": "fake_pjrt", "version": "(fake, PJRT 0.114)", "profile": "xla",
                                      "share": "once"})  # fmt: skip
        self.assertEqual((execution["program"], execution["verdict"]), ("sums", "EXACT"))
        self.assertEqual(end, {"programs": 1, "executions": 1})
        self.assertRegex(done.stderr, r"assay: fake_pjrt \(fake, PJRT 0.114\) beside the reference, profile xla, share once\n"
                                      r"programs  executions  EXACT .*\n +1 +1 +1 +0 +0 +0 +0 +0 ")  # fmt: skip

    def test_a_wrong_result_is_the_programs_and_becomes_a_finding(self):
        done = self.on_shadow(ADD, *INPUTS, behaviour="wrong@add", code=0)
        self.assertEqual(done.stdout, "{-1.5, 2.25}\n")
        self.assertIn("FAIL sums, execution 1: ", done.stderr)
        finding = self.folder / "assay-shadow/FAIL-add.f32"
        self.assertEqual(json.loads((finding / "inputs.json").read_text())["inputs_per_device"][0][0]["data_hex"],
                         "0000803f00000040")  # fmt: skip
        listed = self.run_in_folder(ASSAY, "findings", "assay-shadow")
        self.assertIn("execution 1 of sums\n  assay diff assay-shadow/FAIL-add.f32/module.hlo", listed.stdout)
        self.assertTrue(listed.stdout.endswith("1 findings\n"))
        command = (finding / "command.txt").read_text().split()
        self.assertEqual(command[0], "assay")
        self.assertEqual(self.run_in_folder(ASSAY, *command[1:], code=1).stdout[:5], "FAIL:")
        shown = self.run_in_folder(ASSAY, "shadow", "assay-shadow", "--report", "report", code=1)
        self.assertIn("FAIL sums, execution 1: ", shown.stdout)
        report = json.loads((self.folder / "report/results.json").read_text())
        self.assertEqual([(model["name"], model["verdict"]) for model in report["models"]], [("sums, execution 1", "FAIL")])
        self.assertEqual((report["backend"]["name"], report["profile"]), ("fake_pjrt", "xla"))
        self.assertIn("sums, execution 1", (self.folder / "report/report.html").read_text())

    def test_the_command_shadow_refuses_a_file_that_is_not_a_journal(self):
        self.run_in_folder(ASSAY, "shadow", "nowhere", code=2)
        self.file("journal.jsonl", '{"run": 1}\n')
        done = self.run_in_folder(ASSAY, "shadow", ".", code=2)
        self.assertIn("./journal.jsonl:1: not a line of a shadow's journal", done.stderr)
        self.file("journal.jsonl", '{"programs": 1, "executions": 2}\n{"half a li')
        self.run_in_folder(ASSAY, "shadow", ".", code=0)

    @each((("xla", "LEGAL"), ("exact", "FAIL")))
    def test_a_lawful_difference_depends_on_the_profile(self, profile, verdict):
        """XLA may be wrong by some ULP in an exponential; an exact backend may not."""
        self.on_shadow(EXP, "--seed", "1", plugin=f"{PLUGIN}:profile=lawful:xla:1",
                       options=f"profile={profile};folder={profile}")  # fmt: skip
        self.assertEqual(self.verdicts(profile), [verdict])

    def test_without_pieces_the_plugin_is_not_opened_again(self):
        self.on_shadow(ADD, *INPUTS, behaviour="wrong@add", options="pieces=false")
        self.assertEqual(self.verdicts(), ["FAIL"])

    def test_a_plugin_can_be_named_in_backends_json(self):
        (self.folder / "backends.json").write_text(json.dumps(
            {"mine": {"plugin": FAKE, "options": "behaviour=wrong@add", "profile": "ieee"},
             "program": {"command": ["mine"]}}))  # fmt: skip
        done = self.on_shadow(ADD, *INPUTS, plugin="mine")
        self.assertEqual(done.stdout, "{-1.5, 2.25}\n", done.stderr)
        self.assertEqual(self.journal()[0]["run"]["profile"], "ieee")
        self.assertIn("program is not a PJRT plugin: backends.json gives it a command", self.on_shadow(ADD, *INPUTS, plugin="program").stderr)

    def test_an_error_of_the_plugin_is_the_programs(self):
        done = self.on_shadow(ADD, *INPUTS, behaviour="code-3@add")
        self.assertIn("PJRT_Client_Compile: INVALID_ARGUMENT: as it was told", done.stderr)
        self.assertEqual(self.journal()[-1], {"programs": 0, "executions": 0})

    def test_a_client_that_cannot_be_made(self):
        done = self.on_shadow(ADD, *INPUTS, plugin=f"{FAKE}:unknown=1")
        self.assertIn("no option unknown", done.stderr)
        self.assertNotIn("beside the reference", done.stderr)

    def test_several_programs_share_a_journal(self):
        for _ in range(2):
            self.on_shadow(ADD, *INPUTS)
        self.assertEqual(self.verdicts(), ["EXACT", "EXACT"])
        shown = self.run_in_folder(ASSAY, "shadow", "assay-shadow", "--format", "json", code=0)
        self.assertEqual(json.loads(shown.stdout)["totals"]["EXACT"], 2)

    def test_an_execution_larger_than_max_bytes_is_not_judged(self):
        self.on_shadow(ADD, *INPUTS, options="max_bytes=24;folder=enough")
        self.assertEqual(self.verdicts("enough"), ["EXACT"])
        self.on_shadow(ADD, *INPUTS, options="max_bytes=23;folder=results")
        self.on_shadow(ADD, *INPUTS, options="max_bytes=15;folder=arguments")
        for folder, most in (("results", 23), ("arguments", 15)):
            reason = f"the arguments and results have more bytes than max_bytes, {most}"
            self.assertEqual(self.verdicts(folder), [reason])

    def test_the_option_wait(self):
        """If `wait` is 0, each execution is judged, or named as not judged."""
        self.assertEqual(self.on_shadow(ADD, *INPUTS, options="wait=0").stdout, "{1.5, 2.25}\n")
        self.assertLessEqual(set(self.verdicts()), {"EXACT", "the program ended, and the option wait allows no more time"})

    def test_the_program_survives_a_judging_process_that_dies(self):
        """The process dies at its first request."""
        judge = self.file("judge", f"#!/bin/sh\nexec 3<&0\nread hello\necho \"$hello\" | {ASSAY} serve --judge\n"
                                   "read request\necho the end >&2\nexit 5\n")
        os.chmod(judge, 0o755)
        done = self.on_shadow(ADD, *INPUTS, ASSAY_PROGRAM=judge)
        self.assertEqual(done.stdout, "{1.5, 2.25}\n", done.stderr)
        (reason,) = self.verdicts()
        self.assertRegex(reason, r"^the judging process: the backend ended with exit code 5(?s:.*)the end$")

    def test_the_library_exports_one_function(self):
        listing = ran("nm", "-D", "--defined-only", SHADOW, check=True)
        self.assertEqual([line.split()[-1] for line in listing.stdout.splitlines()], ["GetPjrtApi"])

    def test_wrong_requests_to_judge_are_errors(self):
        """The judging process answers a client that is no shadow."""
        self.file("text", "a text")
        module = "module { func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> } }"
        self.file("program", f"assay executable 1\n4\nmlir0\n{len(module)}\n{module}")
        ones = {"shape": "f32[2]", "data_hex": "0000803f0000803f"}
        requests = [
            ({"judge_execution": "nowhere"}, "nowhere"),
            ({"judge_execution": "text"}, "the bytes must be an executable that assay has serialized"),
            ({"judge_execution": "program"}, "inputs must have a list for each of 1 devices, each with 1 values"),
            ({"judge_execution": "program", "inputs": [[ones]], "outputs": [[]]},
             "outputs must have a list for each of 1 devices, each with 1 values"),
            ({"judge_execution": "program", "inputs": [[ones]], "outputs": [[ones]], "result_shardings": 1},
             "result_shardings must be a list of texts"),
        ]  # fmt: skip
        right = {"judge_execution": "program", "inputs": [[ones]], "outputs": [[ones]], "profile": "ieee"}
        lines = "".join(json.dumps({"id": i, **request}) + "\n" for i, (request, _) in enumerate([*requests, (right, "")]))
        done = self.assay("serve", "--judge", cwd=self.folder, stdin=lines, code=0)
        *errors, reply = map(json.loads, done.stdout.splitlines())
        for found, (request, message) in zip(errors, requests, strict=True):
            self.assertIn(message, found["message"], request)
        self.assertEqual((reply["status"], reply["report"]["verdict"], reply["profile"]), ("ok", "EXACT", "ieee"))

    def test_parts_and_copies_of_several_devices(self):
        """An argument is in two parts, and each device has a copy of the result: both copies are judged."""
        module = """module @m attributes {mhlo.num_partitions = 2 : i32} {
  func.func public @main(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> (tensor<4xf32> {mhlo.sharding = "{replicated}"}) {
    %b = stablehlo.add %a, %a : tensor<4xf32>
    return %b : tensor<4xf32>
  }
}
"""
        options = "\x1a\x02\x28\x02"  # executable_build_options, with num_partitions = 2
        self.file("program", f"assay executable 1\n4\nmlir4\n{options}{len(module)}\n{module}")

        def array(*values):
            return {"shape": f"f32[{len(values)}]", "data_hex": struct.pack(f"<{len(values)}f", *values).hex()}

        right, wrong = array(2, 4, 6, 8), array(2, 4, 6, 9)
        for of_devices, verdict in ((("right", "right"), "EXACT"), (("wrong", "right"), "FAIL"), (("right", "wrong"), "FAIL")):
            with self.subTest(of_devices):
                outputs = [[right if word == "right" else wrong] for word in of_devices]
                request = {"id": 1, "judge_execution": "program", "inputs": [[array(1, 2)], [array(3, 4)]],
                           "outputs": outputs}  # fmt: skip
                done = self.assay("serve", "--judge", cwd=self.folder, stdin=json.dumps(request) + "\n", code=0)
                self.assertEqual(json.loads(done.stdout).get("report", {}).get("verdict"), verdict, done.stdout)


@unittest.skipUnless(HAS_JAX, "needs jax")
class WithJax(ShadowTest):
    """Programs of JAX on assay's own plugin."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        # The entry point of the wheel.
        metadata = pathlib.Path(folder, "assay_hlo-0.dist-info")
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: assay-hlo\nVersion: 0\n")
        (metadata / "entry_points.txt").write_text("[jax_plugins]\nassay_shadow = assay.shadow\n")
        cls.variables = {"PYTHONPATH": os.pathsep.join([folder, str(ROOT / "python")]), "JAX_PLATFORMS": "assay_shadow"}
        warm = WarmPython("jax", "jax.numpy", environment={**os.environ, **cls.variables})
        cls.executable = cls.enterClassContext(warm).executable

    def python(self, program, options="", plugin=f"{PLUGIN}:profile=lawful:xla:1", **variables):
        return self.run_in_folder(self.executable, "-c", "import jax, jax.numpy as jnp\n" + program,
                                  ASSAY_SHADOW_LIBRARY=SHADOW, ASSAY_SHADOW=plugin, ASSAY_SHADOW_OPTIONS=options,
                                  **self.variables, **variables)  # fmt: skip

    def judged(self, program, expected="", **settings):
        """Runs a program, which prints what is expected, and returns its verdicts."""
        self.assertEqual(self.python(program, code=0, **settings).stdout, expected)
        return self.verdicts()

    LOOP = "f = jax.jit(lambda x: x * 3)\nx = jnp.float32(2)\nfor _ in range(5): x = f(x)\nprint(x)\n"

    @each((("once", 1), ("all", 5), ("2", 3), ("5", 1)))
    def test_the_share(self, share, count):
        done = self.python(self.LOOP, options=f"share={share};folder={share}", code=0)
        self.assertEqual(done.stdout, "486.0\n")
        of_loop = [line for line in self.journal(share) if line.get("program", "").startswith("jit__lambda")]
        self.assertEqual([line["verdict"] for line in of_loop], ["EXACT"] * count)
        self.assertGreaterEqual(self.journal(share)[-1]["executions"], 5)

    def test_an_unknown_program_is_named_once(self):
        code = "from jax.experimental import serialize_executable as s\n"
        code += "x = jnp.float32(2)\nf = s.deserialize_and_load(*s.serialize(jax.jit(lambda x: x * 3).lower(x).compile()))\n"
        found = self.judged(code + "for _ in range(5): x = f(x)\nprint(x)\n", "486.0\n")
        self.assertEqual(sum(reason.startswith("the program is not known") for reason in found), 1)

    def test_donated_arguments(self):
        code = "from jax._src.interpreters import mlir\nmlir._platforms_with_donation.append('assay')\n"
        code += "f = jax.jit(lambda x: x + 1, donate_argnums=0)\nx = jnp.arange(4.)\nprint(f(x), x.is_deleted())\n"
        self.assertIn("EXACT", self.judged(code, "[1. 2. 3. 4.] True\n"))

    def test_lawful_results(self):
        found = self.judged("print(jnp.isfinite(jax.nn.softmax(jnp.linspace(-3, 3, 64)) @ jnp.linspace(0, 1, 64)))\n", "True\n")
        self.assertIn("LEGAL", found)
        self.assertLessEqual(set(found), {"EXACT", "LEGAL"})

    DEVICES = """
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
a = jax.device_put(jnp.arange(64.).reshape(8, 8), NamedSharding(mesh, P("x", "y")))
print(jax.pmap(lambda x: jax.lax.psum(jnp.exp(x), "i") > 0, axis_name="i")(jnp.arange(4.)))
print(jax.jit(lambda a: a @ a.T, out_shardings=NamedSharding(mesh, P("x", None)))(a)[0, 0])
print(jax.jit(lambda a: a.sum(1), out_shardings=NamedSharding(mesh, P()))(a)[0])
print(jax.jit(jax.shard_map(lambda b: jax.lax.psum(b, "x"), mesh=mesh, in_specs=P("x", "y"), out_specs=P(None, "y")))(a)[0, 0])
"""

    def test_several_devices(self):
        found = self.judged(self.DEVICES, "[ True  True  True  True]\n140.0\n28.0\n32.0\n",
                            plugin=f"{PLUGIN}:profile=lawful:xla:1;num_devices=4")  # fmt: skip
        self.assertLessEqual(set(found), {"EXACT", "LEGAL"})
        programs = {line["program"] for line in self.journal() if "program" in line}
        self.assertLessEqual({"jit__lambda"}, {name.rstrip("_") for name in programs}, programs)

    def test_threads(self):
        code = """
import concurrent.futures
f = jax.jit(lambda x: jnp.sum(jnp.sin(x) > 2))
with concurrent.futures.ThreadPoolExecutor(16) as pool:
    print(sum(int(n) for n in pool.map(lambda i: f(jnp.full(8, float(i))), range(64))))
"""
        for limit in ("queue=3", "queue_bytes=40"):  # one execution has 36 bytes
            done = self.python(code, options=f"share=all;full=wait;{limit};folder={limit}", code=0)
            self.assertEqual(done.stdout, "0\n")
            self.assertGreaterEqual(len(self.verdicts(limit)), 64)
            self.assertLessEqual(set(self.verdicts(limit)), {"EXACT", "LEGAL"})

    def test_a_full_queue(self):
        code = "f = jax.jit(lambda x: x + 1)\nx = jnp.zeros(1)\nfor _ in range(300): x = f(x)\nprint(x)\n"
        self.assertLessEqual(set(self.judged(code, "[300.]\n", options="share=all;queue=1")), {"EXACT", "the queue was full"})
        counted = [line for line in self.journal() if "program" in line]
        self.assertEqual(sum(line.get("times", 1) for line in counted), self.journal()[-1]["executions"])

    def test_a_forked_process_is_not_judged(self):
        code = """
import os
f = jax.jit(lambda x: x + 1)
f(jnp.zeros(2))
if os.fork() == 0:
    print(f(jnp.ones(2)), flush=True)
    os._exit(0)
os.wait()
"""
        self.assertLessEqual(set(self.judged(code, "[2. 2.]\n", options="share=all")), {"EXACT"})
        self.assertEqual(sum("run" in line for line in self.journal()), 1)

    def test_a_program_that_ends_by_an_exception(self):
        self.assertIn("beside the reference", self.python("jnp.sin(1.)\nraise SystemExit(7)\n", code=7).stderr)

    def test_subnormal_numbers(self):
        """JAX compiles on a thread that flushes them."""
        code = "print(jax.jit(lambda x: x * jnp.float32(2e-45))(jnp.float32(2)).item().hex())\n"
        self.assertIn("EXACT", self.judged(code, "0x1.0000000000000p-148\n"))

    @each((({"options": "speed=1"}, "unknown option speed"), ({"plugin": ""}, "ASSAY_SHADOW: expected"),
                             ({"plugin": SHADOW}, "is the shadow itself"),
                             ({"plugin": f"{PLUGIN}:num_devices=0"}, "num_devices")))  # fmt: skip
    def test_wrong_settings(self, settings, reason):
        done = self.python("jax.devices()", **settings)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(reason, done.stderr)

    def test_nothing_is_registered_unless_the_platform_is_named(self):
        done = self.python("print(jax.devices()[0].platform)")
        self.assertEqual(done.stdout, "assay\n", done.stderr)
        done = self.run_in_folder(sys.executable, "-c", "import jax; print(jax.devices()[0].platform)",
                                  **{**self.variables, "JAX_PLATFORMS": "cpu"})  # fmt: skip
        self.assertEqual(done.stdout, "cpu\n")
