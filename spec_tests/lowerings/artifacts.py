"""Modules that `jax.export` wrote in past versions, which JAX's wheel keeps with their inputs as data of its tests."""

import dataclasses
import importlib
import json
import os
import pathlib
import pkgutil
import subprocess
import tempfile

import numpy
from assay._values import Writer
from jax._src.internal_test_util import export_back_compat_test_data as tests_data

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "tools" / "assay"))


@dataclasses.dataclass(frozen=True)
class Artifact:
    """A serialized module, and the values of its parameters."""

    name: str
    module: bytes
    values: tuple

    def hlo(self):
        """Returns the text that assay reads. Raises ValueError with assay's reason."""
        with tempfile.TemporaryDirectory() as folder:
            inputs = pathlib.Path(folder, "inputs.json")
            with Writer(folder, inline=True) as writer:
                inputs.write_text(json.dumps({"inputs_per_device": writer.devices([self.values])}))
            self.asked("verify", "--inputs", inputs)
            return self.asked("print", "--full-constants", "--inputs", inputs)

    def asked(self, command, *options):
        """Returns the output of a command of assay for the module."""
        command = [ASSAY, command, "-", *options]
        done = subprocess.run(command, input=self.module, capture_output=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.decode().splitlines() if not line.startswith("note:")]
            raise ValueError(lines[0])
        return done.stdout.decode()


def recorded(data):
    """Yields the records of JAX's data for the CPU, which nests them in dictionaries."""
    if isinstance(data, dict) and "mlir_module_serialized" in data:
        if data["platform"] == "cpu":
            yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from recorded(value)


def artifacts():
    """Returns the modules for the CPU."""
    found = []
    for info in pkgutil.walk_packages(tests_data.__path__, f"{tests_data.__name__}."):
        name = info.name.rpartition(".")[2]
        data = vars(importlib.import_module(info.name))
        rows = [row for key, value in data.items() if not key.startswith("_") for row in recorded(value)]
        for i, row in enumerate(rows):
            values = tuple(map(numpy.asarray, row["inputs"]))
            found.append(Artifact(f"exported.{name}_{i}", row["mlir_module_serialized"], values))
    return found
