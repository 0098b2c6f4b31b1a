"""A peer of the process protocol whose element-wise functions of floats are right but for planted faults.

usage: faulty_peer.py OP=INPUT:OUTPUT... [die-after=N] [(die|hang|error)-at=OP.TYPE]; INPUT and OUTPUT are bit patterns in hex, of a binary
operation INPUT is two of them, lhs,rhs; of a complex number the imaginary part leads. OP is an operation or OP.TYPE.
After N requests the peer ends, and when it is asked for the OP of die-at; it does not answer that of hang-at, and answers
that of error-at with an error.
"""

import itertools
import re
import shlex
import sys
import time

import ml_dtypes
import numpy as np
from peer_loop import serve

TYPES = {
    "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "c64": np.complex64,
    "f8e5m2": ml_dtypes.float8_e5m2, "f8e4m3fn": ml_dtypes.float8_e4m3fn,
}  # fmt: skip
# In double: with more than twice the bits of the result, rounding twice does no harm to these operations.
FUNCTIONS = {
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "negate": np.negative,
    "add": np.add,
    "divide": np.divide,
    "multiply": np.multiply,
    "tanh": np.tanh,  # to an ULP of f64: no result of 16 bits is so near to a tie
}


def backend(*faults):
    """Returns the backend that is this peer."""
    return "process:exec " + shlex.join([sys.executable, __file__, *faults])


def main():
    faults, requests_left, special = {}, None, {}
    for argument in sys.argv[1:]:
        key, value = argument.split("=")
        if key == "die-after":
            requests_left = int(value)
        elif key.endswith("-at"):
            special[value] = key
        else:
            patterns, output = value.split(":")
            faults[key, tuple(int(p, 16) for p in patterns.split(","))] = int(output, 16)
    requests = itertools.count()

    def reply(request):
        if next(requests) == requests_left:
            sys.exit("enough")
        fault = special.get(f"{opcode(request)}.{element_type(request)}")
        if fault == "die-at":
            sys.exit("never that")
        if fault == "hang-at":
            time.sleep(1000)
        return {"status": "error", "message": "not that"} if fault == "error-at" else answer(request, faults)

    serve(reply, name="faulty", ops=None, types=None, max_devices=1)


def opcode(message):
    return re.search(r"ROOT \S+ = \S+ ([a-z-]+)\(", message["hlo"])[1]


def element_type(message):
    return message["inputs"][0][0]["shape"].split("[")[0]


def answer(message, faults):
    op, kind = opcode(message), element_type(message)
    shape = message["inputs"][0][0]["shape"]
    if kind not in TYPES or op not in FUNCTIONS:
        return {"status": "unsupported", "message": f"no {op} of {kind}"}
    dtype = np.dtype(TYPES[kind])
    codes = f"u{dtype.itemsize}"
    arrays = [np.frombuffer(bytes.fromhex(value["data_hex"]), dtype) for value in message["inputs"][0]]
    with np.errstate(all="ignore"):
        wide = np.complex128 if kind == "c64" else np.float64
        result = FUNCTIONS[op](*[array.astype(wide) for array in arrays]).astype(dtype).copy()
    for (faulty, patterns), output in faults.items():
        if faulty in (op, f"{op}.{kind}") and len(patterns) == len(arrays):
            places = np.logical_and.reduce([a.view(codes) == p for a, p in zip(arrays, patterns)])
            result.view(codes)[places] = output
    return {"status": "ok", "outputs": [{"shape": shape, "data_hex": result.tobytes().hex()}]}


if __name__ == "__main__":
    main()
