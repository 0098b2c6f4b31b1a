"""Times a module on XLA's HloEvaluator or on XLA:CPU: the other side of tools/bench/dots.cc.

    python dot_peer.py interpreter FOLDER   jaxlib 0.4.13, the last one that has the interpreter as a client
    python dot_peer.py cpu FOLDER           the jaxlib of .venv; PYTHONPATH is the repository's root

FOLDER has the module, dot.hlo, and the bytes of its operands, a and b. After the version, each line of input is
answered by the seconds of one run; copying the operands to the device is not counted.
"""

import pathlib
import re
import sys
import time

import jaxlib.version
import ml_dtypes
import numpy as np

DTYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16}


def interpreter(hlo, operands):
    from jaxlib import xla_client, xla_extension

    client = xla_client.make_interpreter_client()
    proto = xla_extension.hlo_module_from_text(hlo).as_serialized_hlo_module_proto()
    module = xla_extension.mlir.xla_computation_to_mlir_module(xla_client.XlaComputation(proto))
    executable = client.compile(module)
    buffers = [client.buffer_from_pyval(operand) for operand in operands]
    return lambda: executable.execute(buffers)[0]._single_device_array_to_np_array()


def cpu(hlo, operands):
    from jaxlib import xla_client

    from backends.adapters.xla_peers.stablehlo_module import Module
    from backends.adapters.xla_peers.xla_cpu import put

    client = xla_client.make_cpu_client()
    devices = client.devices()[:1]
    executable = client.compile_and_load(
        Module(hlo).bytecode(), xla_client.DeviceList(tuple(devices)), xla_client.CompileOptions()
    )
    arguments = [put([operand], devices) for operand in operands]

    def run():
        (result,) = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
        return result[0]._single_device_array_to_np_array_did_copy()[0]

    return run


def main():
    client, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    hlo = (folder / "dot.hlo").read_text()
    kind, rows, columns = re.search(r"ROOT r = (\w+)\[(\d+),(\d+)\]", hlo).groups()
    operands = [
        np.frombuffer((folder / name).read_bytes(), DTYPES[kind]).reshape(int(rows), int(columns)) for name in "ab"
    ]
    run = {"interpreter": interpreter, "cpu": cpu}[client](hlo, operands)
    expected = operands[0].astype(np.float64) @ operands[1].astype(np.float64)
    error = np.abs(np.asarray(run(), np.float64) - expected).max()
    assert error < 1e-2 * np.abs(expected).max(), f"no matrix product: off by {error}"
    print(f"jaxlib {jaxlib.version.__version__}", flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        run()
        print(time.perf_counter() - start, flush=True)


main()
