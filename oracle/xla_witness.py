"""XLA:CPU as a witness of the audit, through the modules of its adapter."""

import functools
import json
import re

from backends.adapters.xla_peers import values
from backends.adapters.xla_peers.pjrt import Pjrt
from backends.adapters.xla_peers.stablehlo_module import Module
from oracle.arrays import Array
from oracle.hlo.module import by_device, grid_of
from oracle.program import GOLDEN, to_json


class Declined(Exception):
    """Raised for a module that XLA:CPU does not compile here."""


class XlaWitness:
    """A compiler of modules in this process; modules that would end the process are declined."""

    def __init__(self):
        self.peer = Pjrt()
        self.compiled = functools.lru_cache(maxsize=64)(self._compile)  # Cases of a file share modules.
        rows = json.loads((GOLDEN / "xla-cpu.json").read_text())["cases"]
        self.crashes = {row["name"] for row in rows if row["verdict"] == "CRASH"}

    def compile(self, name, text):
        """Returns a function from the arguments of this case to its results, of all devices, concatenated."""
        if self.ends_by(name):
            raise Declined("the process dies of the module")
        # Constants of other types end the process in XLA's parser.
        if lacking := set(re.findall(r"\b([suc]\d+|b?f\d\w*)\[", text)) - set(values.DTYPES):
            raise Declined(f"no element type {', '.join(sorted(lacking))}")
        return self.compiled(text)

    def ends_by(self, name):
        """True if the module of a case ends the process."""
        return name in self.crashes

    def check(self, text):
        """Compiles a module that may be illegal; a rejection is an exception."""
        module = Module(text)
        module.check_unchanged = lambda: None  # XLA's own changes to the module are not an error here.
        self.peer.compile(module, *grid_of(text))

    def _compile(self, text):
        module = Module(text)
        run = self.peer.compile(module, *grid_of(text))
        parameters, results = values.leaves(module.parameters), module.array_results()

        def evaluate(arguments):
            inputs = [[values.decode(to_json(a), shape)[0] for a, shape in zip(device, parameters)]
                      for device in by_device(text, arguments)]
            return [Array.from_bytes(str(shape), values.array_bytes(array, shape))
                    for arrays in run(inputs) for array, shape in zip(arrays, results)]

        return evaluate
