"""Runs modules on several devices of the reference or of a backend, with numpy arrays in and out."""

import json
import os
import subprocess
import tempfile

import numpy as np

ASSAY = os.environ["ASSAY"]
ADD = """
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
add_f32 { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
maximum { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] maximum(a, b) }
"""
DTYPES = {"s32": np.int32, "f32": np.float32, "u32": np.uint32}


def run(text, *flags, inputs=None, replicas=1, partitions=1):
    command = [ASSAY, "run", "-", "--format", "json", "--replicas", str(replicas), "--partitions", str(partitions)]
    with tempfile.TemporaryDirectory() as folder:
        if inputs is not None:
            path = os.path.join(folder, "inputs.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"inputs_per_device": [[to_json(a) for a in device] for device in inputs]}, file)
            command += ["--inputs", path]
        return subprocess.run([*command, *flags], input=text, capture_output=True, text=True)


def to_json(array):
    name = {v: k for k, v in DTYPES.items()}[array.dtype.type]
    return {"shape": f"{name}[{','.join(map(str, array.shape))}]", "data_hex": array.tobytes().hex()}


def from_json(value):
    if "tuple" in value:
        return [from_json(element) for element in value["tuple"]]
    name, sizes = value["shape"].rstrip("]").split("[")
    array = np.frombuffer(bytes.fromhex(value["data_hex"]), DTYPES[name])
    return array.reshape([int(size) for size in sizes.split(",") if size])
