"""assay diff on programs of some hundred instructions, as JAX writes them: which part fails, and that it fails alone."""

import pathlib

import partial_peer
from command_line import CliTest, each

MODELS = pathlib.Path(__file__).resolve().parents[1] / "models"


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

    @each((
        ("random_philox", "operand_taken_for.xor.0_1", "xor"),
        ("resnet_block_train", "one_more_low.convolution.window", "convolution"),
        ("transformer_decode", "reduce_skips_last", "reduce"),  # of a computation that a loop calls
        ("random_philox", "reshape_of_transpose", "transpose", "reshape"),
        ("mlp_adam_step", "get_tuple_element_first_of_shape", "get-tuple-element"),  # without a kernel
    ))
    def test_wrong_instructions(self, model, mutant, *instructions):
        self.assertEqual(self.part(model, f"mutant:{mutant}", "FAIL"), list(instructions))

    @each((("declines", "UNSUPPORTED"), ("dies", "CRASH")))
    def test_modules_that_a_backend_declines_or_dies_of(self, fault, verdict):
        self.assertEqual(self.part("lstm_scan", partial_peer.backend(fault, " tanh("), verdict), ["tanh"])
