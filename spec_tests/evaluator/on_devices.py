"""Runs modules on several devices of the reference or of a backend, with numpy arrays in and out."""

import json

import numpy as np

from spec_tests.tools.command_line import CliTest

ADD = """
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
maximum { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] maximum(a, b) }
"""
DTYPES = {"s32": np.int32, "f32": np.float32, "u32": np.uint32}


class DevicesTest(CliTest):
    def run_on(self, text, *flags, inputs=None, replicas=1, code=0):
        """Runs a module on replicas, each with its own arrays."""
        if inputs is not None:
            values = {"inputs_per_device": [[to_json(array) for array in device] for device in inputs]}
            flags = (*flags, "--inputs", self.file("inputs.json", json.dumps(values)))
        return self.assay("run", "-", "--format", "json", "--replicas", replicas, *flags, stdin=text, code=code)

    def values(self, text, *flags, **options):
        """Returns the value on each device as lists."""
        outputs = json.loads(self.run_on(text, *flags, **options).stdout)["outputs"]
        return [from_json(value).tolist() for value in outputs]


def to_json(array):
    name = {v: k for k, v in DTYPES.items()}[array.dtype.type]
    return {"shape": f"{name}[{','.join(map(str, array.shape))}]", "data_hex": array.tobytes().hex()}


def from_json(value):
    name, sizes = value["shape"].rstrip("]").split("[")
    array = np.frombuffer(bytes.fromhex(value["data_hex"]), DTYPES[name])
    return array.reshape([int(size) for size in sizes.split(",") if size])
