"""A module that came as StableHLO reaches a peer of StableHLO as it came, and any other peer, or a part, as HLO."""

import importlib.util
import json
import re
import shlex
import sys

from spec_tests.tools.command_line import ADD, CliTest, each, peer, ran

# Writes all modules that it gets to a file, and returns zeros.
ZEROS = """
got.append([bytes.fromhex(message.get("stablehlo_hex", "")).decode("latin1"), message["hlo"]])
open(sys.argv[1], "w").write(json.dumps(got))
reply = {"status": "ok", "outputs": [{"shape": "f32[2]", "data_hex": "00" * 8} for device in message["inputs"]]}
"""
ACOS = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = chlo.acos %x : tensor<2xf32> -> tensor<2xf32>
  %z = stablehlo.negate %y : tensor<2xf32>
  return %z : tensor<2xf32>
}
"""
QUANTIZED = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %y = stablehlo.uniform_dequantize %q : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
# Negates its input if the module does, except if it gets StableHLO: then it returns the input.
NEGATES = peer("""
given = message["inputs"][0][0] if message["inputs"][0] else {"shape": "f32[2]", "data_hex": "0000003f0000803e"}
data = bytearray.fromhex(given["data_hex"])
for last in range(3, len(data), 4):
    data[last] ^= 0x80 if "negate(" in message["hlo"] and "stablehlo_hex" not in message else 0
reply = {"status": "ok", "outputs": [{"shape": given["shape"], "data_hex": data.hex()}]}
""", stablehlo=True)
NEGATE = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.negate %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
OTHER = ACOS.replace("@main", "@other")
UNKNOWN_SIZE = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}\n"
PARTITIONS = "module attributes {mhlo.num_partitions = 2 : i32} {\n" + ACOS + "}\n"


def artifact(text):
    """Returns the program as bytecode, by jaxlib; as text if there is none here."""
    if not importlib.util.find_spec("jaxlib"):
        return text.encode()
    from backends.adapters.xla_peers.stablehlo_module import mlir_context
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    with mlir_context(), ir.Location.unknown():
        return stablehlo.serialize_portable_artifact(ir.Module.parse(text), "1.0.0")


class StableHloPeersTest(CliTest):
    def received(self, module, *options, takes=True):
        """Returns what the peer got for a module: pairs of StableHLO and HLO."""
        (self.folder / "received.json").unlink(missing_ok=True)
        self.assay("diff", module, "--backend", self.zeros(takes=takes), "--inputs", self.inputs(), *options)
        return json.loads((self.folder / "received.json").read_text())

    def zeros(self, *, takes=True, answer=ZEROS):
        """Returns a backend that takes StableHLO or does not."""
        program = peer(answer, before="got = []", max_devices=2, stablehlo=takes)
        return self.backend_of(program, self.folder / "received.json")

    def inputs(self):
        return self.file("inputs.json", '{"inputs": [{"shape": "f32[2]", "data_hex": "0000003f0000803e"}]}')

    def test_the_whole_module_arrives_as_it_came_and_its_parts_as_hlo(self):
        whole, *parts = self.received(self.file("m.mlir", ACOS))
        self.assertEqual(whole[0], ACOS)
        self.assertIn("acos(", whole[1])
        self.assertTrue(parts)
        for stablehlo, hlo in parts:
            self.assertEqual(stablehlo, "", hlo)

    def test_quantized_types_arrive_as_they_came_and_in_hlo_as_storage_integers(self):
        stablehlo, hlo = self.received(self.file("m.mlir", QUANTIZED))[0]
        self.assertEqual(stablehlo, QUANTIZED)
        self.assertIn("s8[2]", hlo)

    def test_a_peer_that_does_not_say_so_gets_hlo_alone(self):
        for stablehlo, _ in self.received(self.file("m.mlir", ACOS), takes=False):
            self.assertEqual(stablehlo, "")

    @each({
        "a second program": (ACOS + "// -----\n" + OTHER, "--function", "other"),
        "an entry by name": (OTHER, "--function", "other"),
        "a size from the inputs": UNKNOWN_SIZE,
        "a program of several partitions": PARTITIONS,
    })
    def test_a_text_that_is_more_than_the_module_is_not_sent(self, text, *options):
        self.assertEqual(self.received(self.file("m.mlir", text), *options)[0][0], "")

    @each((("m.mlir", ACOS, True), ("m.hlo", ADD, False)))
    def test_a_death_names_the_form_that_the_peer_got(self, name, text, says):
        found = self.assay("diff", self.file(name, text), "--backend", self.zeros(answer="sys.exit(7)"))
        self.assertIn("CRASH", found.stdout, found.stderr)
        self.assertEqual("It got the module as StableHLO, as it came, and as HLO." in found.stdout, says, found.stdout)

    def test_hlo_is_sent_as_hlo(self):
        self.assay("diff", self.file("m.hlo", ADD), "--backend", self.zeros())
        self.assertEqual(json.loads((self.folder / "received.json").read_text())[0][0], "")

    def test_the_form_that_a_peer_got_is_saved_beside_the_failure(self):
        given = ["--backend", self.backend_of(NEGATES), "--inputs", self.inputs()]
        for name, program in (("m.mlir", NEGATE.encode()), ("m.mlirbc", artifact(NEGATE))):
            file = self.file(name, program)
            for command, option in (("diff", "--extract"), ("reduce", "--out"), ("repro", "--out")):
                with self.subTest(command, program=name):
                    folder = self.folder / (command + name)
                    self.assertIn("module.stablehlo", self.assay(command, file, *given, option, folder, code=1).stdout)
                    self.assertEqual((folder / "module.stablehlo").read_bytes(), program)
                    self.assertIn("negate(", (folder / "module.hlo").read_text())
                    if command == "repro":
                        again = ran(sys.executable, folder / "repro.py", "--runs", "2")
                        self.assertEqual((again.returncode, again.stdout.splitlines()[-1]), (1, "wrong in 2 of 2 runs"),
                                         again.stderr)  # fmt: skip
                        self.assertIn("`assay diff module.stablehlo ", (folder / "issue.md").read_text())
                    else:
                        again = (folder / "command.txt").read_text()
                        self.assertIn("module.stablehlo --backend ", again)
                        self.assertEqual(self.assay(*shlex.split(again)[1:]).returncode, 1)

    def test_a_finding_of_fuzzing_has_it_too(self):
        self.file("models/m.mlir", NEGATE)
        found = self.folder / "found"
        self.assay("fuzz", "--from", self.models, "--backend", self.backend_of(NEGATES), "--count", "1", "--out", found)
        files = [path.read_text() for path in found.glob("*/module.stablehlo")]
        self.assertEqual(files, [NEGATE])

    def test_quantized_programs_of_fuzzing_arrive_as_they_were_drawn(self):
        self.assay("fuzz", "--kind", "quantized", "--count", "6", "--budget", "0.1", "--jobs", "1", "--backend",
                   self.zeros(), "--out", self.folder / "found")
        texts = [stablehlo for stablehlo, _ in json.loads((self.folder / "received.json").read_text())]
        self.assertTrue(any(text.startswith("func.func") and "!quant.uniform" in text for text in texts), texts)

    def test_a_folder_with_both_forms_is_one_module(self):
        folder = self.folder / "own"
        self.assay("diff", self.file("m.mlir", NEGATE), "--backend", self.backend_of(NEGATES),
                   "--inputs", self.inputs(), "--extract", folder)
        done = self.assay("check", "--models", folder, "--filter", "name=model/*", "--backend", "reference",
                          "--report", self.folder / "report")  # fmt: skip
        self.assertEqual(re.findall(r"^EXACT +(\S+)", done.stdout, re.M), ["own"], done.stdout + done.stderr)
