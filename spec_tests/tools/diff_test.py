"""assay diff on programs of some hundred instructions, as JAX writes them: which part fails, and that it fails alone."""

import pathlib

from command_line import CliTest, peer

MODELS = pathlib.Path(__file__).resolve().parents[1] / "models"
# The reference, except for modules that contain an operation: on these it has the fault of the second argument.
PEER = peer("""
op, fault = sys.argv[1:]
if f" {op}(" in message["hlo"]:
    if fault == "die":
        sys.exit("never that")
    reply = {"status": "unsupported", "message": f"no {op} here"}
else:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as inputs:
        json.dump({"inputs_per_device": message["inputs"]}, inputs)
        inputs.flush()
        command = [os.environ["ASSAY"], "run", "-", "--inputs", inputs.name, "--format", "json"]
        run = subprocess.run(command, input=message["hlo"], capture_output=True, text=True)
    if run.returncode == 0:
        reply = {"status": "ok", "outputs": json.loads(run.stdout)["outputs"]}
    else:
        reply = {"status": "error", "message": run.stderr}
""", "frail", before="import os, subprocess, tempfile")


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

    def test_wrong_instructions(self):
        for model, mutant, *instructions in (
            ("random_philox", "operand_taken_for.xor.0_1", "xor"),
            ("resnet_block_train", "one_more_low.convolution.window", "convolution"),
            ("transformer_decode", "reduce_skips_last", "reduce"),  # of a computation that a loop calls
            ("random_philox", "reshape_of_transpose", "transpose", "reshape"),
            ("mlp_adam_step", "get_tuple_element_first_of_shape", "get-tuple-element"),  # without a kernel
        ):
            with self.subTest(mutant):
                self.assertEqual(self.part(model, f"mutant:{mutant}", "FAIL"), instructions)

    def test_modules_that_a_backend_declines_or_dies_of(self):
        for fault, verdict in (("decline", "UNSUPPORTED"), ("die", "CRASH")):
            self.assertEqual(self.part("lstm_scan", self.backend_of(PEER, "tanh", fault), verdict), ["tanh"])
