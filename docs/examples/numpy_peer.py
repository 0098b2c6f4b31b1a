"""A backend for assay: modules of a few operations, run by NumPy. docs/tutorial.md grades and fixes it."""

import json
import re
import sys

import numpy as np

TYPES = {"f32": np.float32, "s32": np.int32}
OPS = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "negate": np.negative,
    "abs": np.abs,
    "floor": np.floor,
    "remainder": np.remainder,
    "exponential": lambda x: np.exp(x, dtype=np.float64),
    "logistic": lambda x: 1 / (1 + np.exp(-x, dtype=np.float64).astype(x.dtype)),
}
INSTRUCTION = re.compile(r"  (ROOT )?(%\S+) = (\w+)\[([\d,]*)\]\S* ([\w-]+)\((.*?)\)")


def decode(value):
    """The array of a value of the protocol."""
    element_type, sizes = re.match(r"(\w+)\[([\d,]*)\]", value["shape"]).groups()
    array = np.frombuffer(bytes.fromhex(value["data_hex"]), TYPES[element_type])
    return array.reshape([int(size) for size in sizes.split(",") if size])


def run(hlo, inputs):
    """Walks the instructions of the only computation and returns the value of its root."""
    values = {}
    for line in filter(lambda line: line.startswith("  "), hlo.splitlines()):
        is_root, name, element_type, sizes, op, operands = INSTRUCTION.match(line).groups()
        if op == "parameter":
            values[name] = decode(inputs[int(operands)])
        else:
            arguments = [values[operand] for operand in operands.split(", ")]
            values[name] = OPS[op](*arguments).astype(TYPES[element_type])
        if is_root:
            return {"shape": f"{element_type}[{sizes}]", "data_hex": values[name].tobytes().hex()}


def answer(message):
    """The reply to a message of assay."""
    if "hello" in message:
        return {"hello": 1, "name": "numpy", "version": "1", "ops": list(OPS), "types": list(TYPES), "verifies": False}
    try:
        return {"id": message["id"], "status": "ok", "outputs": [run(message["hlo"], message["inputs"][0])]}
    except Exception as error:
        return {"id": message["id"], "status": "error", "message": f"{type(error).__name__}: {error}"}


np.seterr(all="ignore")
for line in sys.stdin:
    message = json.loads(line)
    if "bye" in message:
        break
    print(json.dumps(answer(message)), flush=True)
