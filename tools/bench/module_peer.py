"""Runs a module on XLA:CPU, XLA:GPU, XLA's HloEvaluator, StableHLO's interpreter or oneDNN: the other side of
tools/bench/modules.py.

    python tools/bench/module_peer.py cpu|gpu|evaluator|stablehlo|onednn MODULE FOLDER

Uses the protocol of tools/bench/module.h. HloEvaluator needs jaxlib 0.4.13, the last one that has it as a client. The
others need the jaxlib of .venv and the repository's root in PYTHONPATH; XLA:GPU also needs jax and its CUDA plugin, and
oneDNN, which runs one product of two matrices of s8, Debian's libdnnl2. The times exclude copying the operands to the device and include copying the results from it.
"""

import ctypes
import json
import os
import pathlib
import re
import resource
import sys
import time

import jaxlib.version
import ml_dtypes
import numpy as np

EXECUTIONS = 20
DTYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "c64": np.complex64, "s32": np.int32,
          "s8": np.int8}  # fmt: skip


def read_inputs(folder):
    for i, shape in enumerate(json.loads((folder / "inputs.json").read_text())):
        kind, sizes = shape.rstrip("]").split("[")
        sizes = [int(size) for size in sizes.split(",") if size]
        yield np.frombuffer((folder / f"{i}.bin").read_bytes(), DTYPES[kind]).reshape(sizes)


def evaluator(hlo, inputs):
    from jaxlib import xla_client, xla_extension

    client = xla_client.make_interpreter_client()
    proto = xla_extension.hlo_module_from_text(hlo).as_serialized_hlo_module_proto()
    module = xla_extension.mlir.xla_computation_to_mlir_module(xla_client.XlaComputation(proto))
    executable = client.compile(module)
    buffers = [client.buffer_from_pyval(array) for array in inputs]
    return lambda: [result._single_device_array_to_np_array() for result in executable.execute(buffers)]


def cpu(hlo, inputs):
    from backends.adapters.xla_peers import jaxlib_api

    return compiled(jaxlib_api.cpu_client(1), hlo, inputs)


def gpu(hlo, inputs):
    import jax

    return compiled(jax.devices("gpu")[0].client, hlo, inputs)


def compiled(client, hlo, inputs):
    from backends.adapters.xla_peers import jaxlib_api
    from backends.adapters.xla_peers.stablehlo_module import Module

    devices = client.devices()[:1]
    executable = jaxlib_api.compile_module(client, Module(hlo).bytecode(), devices, jaxlib_api.CompileOptions())
    arguments = [jaxlib_api.put(client, [array], devices) for array in inputs]

    def execute():
        results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
        return [result[0] for result in results]

    def run():
        return [jaxlib_api.on_host(result) for result in execute()]

    run.execute = execute
    return run


def stablehlo(hlo, inputs):
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir.dialects import stablehlo as dialect

    from backends.adapters.xla_peers.stablehlo_interpreter import dense
    from backends.adapters.xla_peers.stablehlo_module import Module, mlir_context

    module = Module(hlo)
    with mlir_context():
        passes = "builtin.module(func.func(chlo-legalize-to-stablehlo,stablehlo-legalize-deprecated-ops))"
        passmanager.PassManager.parse(passes).run(module.module.operation)
        arguments = [dense(array, kind) for array, kind in zip(inputs, module.main.type.inputs)]

    def run():
        with mlir_context():
            return dialect.eval_module(module.module, arguments)

    return run


def onednn(hlo, inputs):
    if not re.search(r"ROOT \w+ = s32\[\d+,\d+\] dot\(\w+, \w+\), lhs_contracting_dims=\{1\}, rhs_contracting_dims=\{0\}\n", hlo):
        sys.exit("only a product of two matrices of s8")
    os.environ["OMP_WAIT_POLICY"] = "passive"  # threads that wait would count as processor time
    library, (a, b) = ctypes.CDLL("libdnnl.so.2"), inputs
    (m, k), n, result = a.shape, b.shape[1], np.empty((a.shape[0], b.shape[1]), np.int32)
    no, size, zero, one = ctypes.c_char(b"N"), ctypes.c_int64, ctypes.c_int8(0), ctypes.c_float(1)

    def run():
        status = library.dnnl_gemm_s8s8s32(
            no, no, ctypes.c_char(b"F"), size(m), size(n), size(k), one, a.ctypes, size(k), zero, b.ctypes, size(n), zero,
            ctypes.c_float(0), result.ctypes, size(n), ctypes.byref(ctypes.c_int32(0)))  # fmt: skip
        if status:
            sys.exit(f"dnnl_gemm_s8s8s32 returned {status}")
        return [result]

    return run


def seconds_of_executions(execute):
    """Returns the time of an execution among several that follow each other, whose results stay on the device. The
    first ones allocate the memory that later ones reuse."""
    for count in (3, EXECUTIONS):
        start = time.perf_counter()
        for _ in range(count):
            results = execute()
        for result in results:
            result.block_until_ready()
    return (time.perf_counter() - start) / EXECUTIONS


def main():
    client, hlo, folder = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(), pathlib.Path(sys.argv[3])
    inputs = list(read_inputs(folder))
    start = time.perf_counter()
    run = {"cpu": cpu, "gpu": gpu, "evaluator": evaluator, "stablehlo": stablehlo, "onednn": onednn}[client](hlo, inputs)
    print(f"jaxlib {jaxlib.version.__version__}\n{time.perf_counter() - start:.9f}", flush=True)
    for line in sys.stdin:
        if line.strip() == "memory":
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, flush=True)
            continue
        if line.strip() == "execute":
            print(f"{seconds_of_executions(run.execute):.9f}", flush=True)
            continue
        runs = int(line)
        start = time.perf_counter()
        for _ in range(runs):
            run()
        print(f"{(time.perf_counter() - start) / runs:.9f}", flush=True)


main()
