"""The same texts, judged by XLA: its parser, its conversion to StableHLO and the verifiers of XLA:CPU's compiler.

What it sees in another way is marked in the texts, with the reason.
"""

import json
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile
import unittest


import legality_texts

from backends.adapters.xla_peers.pjrt import Pjrt
from backends.adapters.xla_peers.stablehlo_module import Module
from spec_tests.nightly import is_nightly

ADAPTERS = pathlib.Path(__file__).parents[2] / "backends" / "adapters"
# XLA's messages for unsupported modules, in contrast to illegal ones.
LACKING = "UNIMPLEMENTED|No registered implementation|Unknown opcode|unregistered operation|StableHLO does not carry"


def judge(cpu, text):
    """Returns an empty text, or XLA's reason for refusing the module."""
    counts = {name: re.search(rf"{name}=(\d+)", text) for name in ("replica_count", "num_partitions")}
    replicas, partitions = (int(count.group(1)) if count else 1 for count in counts.values())
    try:
        module = Module(text)
        module.check_unchanged = lambda: None  # XLA's view of what it gets counts here
        cpu.compile(module, replicas, partitions)
    except Exception as error:
        return str(error) or type(error).__name__
    return ""


def worker():
    """Reads a module a line, writes the verdict a line; whatever XLA prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    cpu = Pjrt()
    for line in sys.stdin:
        print(json.dumps(judge(cpu, json.loads(line))), file=replies, flush=True)


class Xla:
    """A child that is started again when a module ends it."""

    def __init__(self):
        self.child = None

    def why_refused(self, text):
        if self.child is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.child = subprocess.Popen([sys.executable, __file__, "--worker"], text=True, **pipes)
        self.child.stdin.write(json.dumps(text) + "\n")
        self.child.stdin.flush()
        answers = select.select([self.child.stdout], [], [], 600)[0]
        line = self.child.stdout.readline() if answers else ""
        if line:
            return json.loads(line)
        self.close()
        return "ends the process" if answers else "does not come to an end"

    def close(self):
        if self.child:
            self.child.kill()
            self.child.communicate()
            self.child = None


class XlaTest(unittest.TestCase):
    def test_xla_agrees_but_where_marked(self):
        xla = Xla()
        self.addCleanup(xla.close)
        texts = legality_texts.all_texts()
        if not is_nightly("XLA's verdict of five of six texts that it sees as we do"):
            texts = [text for number, text in enumerate(texts) if text.xla or number % 6 == 0]
        for text in texts:
            if text.flags:  # of the compiler's own stages, which jaxlib does not show
                continue
            with self.subTest(text.place):
                why = xla.why_refused(text.module)
                if text.errors:
                    self.assertNotIn("refuses", text.xla, "XLA refuses what is illegal in any case")
                    if "accepts" in text.xla:  # reading is enough: the compiler may lack the op
                        self.assertTrue(not why or re.search(LACKING, why), why)
                    else:
                        self.assertTrue(why, "accepted")
                elif not re.search(LACKING, why):
                    self.assertNotIn("accepts", text.xla, "XLA accepts what is legal in any case")
                    self.assertEqual(bool(why), "refuses" in text.xla, why or "accepted")

    def test_modules_that_xla_has_compiled_are_legal_with_their_layouts(self):
        models = sorted((ADAPTERS.parents[1] / "spec_tests" / "models").glob("*.hlo"))
        if not is_nightly("the layouts of most models"):
            models = [path for path in models if path.stem in ("experts", "mlp_adam_step", "top_k")]
        with tempfile.TemporaryDirectory() as folder:
            # Compiled before the inputs, which are missing, are looked at.
            requests = [json.dumps({"hlo": path.read_text(), "inputs": [[]]}) for path in models]
            environment = os.environ | {"XLA_FLAGS": f"--xla_dump_to={folder} --xla_dump_hlo_as_text"}
            subprocess.run([sys.executable, ADAPTERS / "xla_adapter.py"], input="\n".join(requests), text=True,
                           capture_output=True, env=environment)  # fmt: skip
            compiled = sorted(pathlib.Path(folder).glob("*cpu_after_optimizations.txt"))
            self.assertGreater(len(compiled), len(models) // 2)
            for path in compiled:
                with self.subTest(path.name):
                    text = path.read_text()
                    self.assertEqual(legality_texts.diagnostics(os.environ["ASSAY"], text, ["--layout-sensitive"]), [])


if __name__ == "__main__":
    worker()
