"""assay diff on programs of some hundred instructions, as JAX writes them: which part fails, and that it fails alone."""

import pathlib
import sys

from command_line import CliTest

MODELS = pathlib.Path(__file__).resolve().parents[1] / "models"
# The reference, except for modules that contain an operation: on these it has the fault of the second argument.
PEER = """
import json, os, subprocess, sys, tempfile
op, fault = sys.argv[1:]
for message in map(json.loads, sys.stdin):
    if "bye" in message:
        break
    if "hello" in message:
        reply = {"hello": 1, "name": "frail", "version": "1"}
    elif f" {op}(" in message["hlo"]:
        if fault == "die":
            sys.exit("never that")
        reply = {"id": message["id"], "status": "unsupported", "message": f"no {op} here"}
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as inputs:
            json.dump({"inputs_per_device": message["inputs"]}, inputs)
            inputs.flush()
            command = [os.environ["ASSAY"], "run", "-", "--inputs", inputs.name, "--format", "json"]
            run = subprocess.run(command, input=message["hlo"], capture_output=True, text=True)
        if run.returncode == 0:
            reply = {"id": message["id"], "status": "ok", "outputs": json.loads(run.stdout)["outputs"]}
        else:
            reply = {"id": message["id"], "status": "error", "message": run.stderr}
    print(json.dumps(reply), flush=True)
"""


class SmallestPartTest(CliTest):
    def part(self, model, backend, verdict):
        """Returns the instructions of the smallest part, whose folder comes to the verdict alone."""
        folder = self.folder / "part"
        text = self.assay("diff", MODELS / f"{model}.hlo", "--backend", backend, "--profile", "xla",
                          "--extract", folder, "--budget", 3600, timeout=3600).stdout  # fmt: skip
        self.assertTrue(text.startswith(f"{verdict}: "), text)
        alone = self.assay("diff", folder / "module.hlo", "--backend", backend, "--profile", "xla",
                           "--inputs", folder / "inputs.json")  # fmt: skip
        self.assertTrue(alone.stdout.startswith(f"{verdict}: "), alone.stdout)
        lines = text[text.index("smallest part that fails alone") :].splitlines()[1:]
        return [line.split(" = ")[1].split("(%")[0].split()[-1] for line in lines if line.startswith("    line ")]

    def frail(self, op, fault):
        return f"process:{sys.executable} {self.file('frail.py', PEER)} {op} {fault}"

    def test_one_instruction(self):
        self.assertEqual(self.part("random_philox", "mutant:operand_taken_for.xor.0_1", "FAIL"), ["xor"])
        self.assertEqual(self.part("resnet_block_train", "mutant:one_more_low.convolution.window", "FAIL"), ["convolution"])

    def test_one_instruction_of_a_computation_that_a_loop_calls(self):
        self.assertEqual(self.part("transformer_decode", "mutant:reduce_skips_last", "FAIL"), ["reduce"])

    def test_two_instructions(self):
        self.assertEqual(self.part("random_philox", "mutant:reshape_of_transpose", "FAIL"), ["transpose", "reshape"])

    def test_an_instruction_without_a_kernel(self):
        part = self.part("mlp_adam_step", "mutant:get_tuple_element_first_of_shape", "FAIL")
        self.assertEqual(part, ["get-tuple-element"])

    def test_modules_that_a_backend_declines(self):
        self.assertEqual(self.part("lstm_scan", self.frail("tanh", "decline"), "UNSUPPORTED"), ["tanh"])

    def test_modules_that_kill_a_backend(self):
        self.assertEqual(self.part("lstm_scan", self.frail("tanh", "die"), "CRASH"), ["tanh"])
