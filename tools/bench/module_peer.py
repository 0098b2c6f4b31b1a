"""Runs a module on XLA:CPU, XLA:GPU, XLA's HloEvaluator, StableHLO's interpreter or a function of a library: the other
side of tools/bench/modules.py.

    python tools/bench/module_peer.py cpu|gpu|evaluator|stablehlo|libraries MODULE FOLDER

Uses the protocol of tools/bench/module.h. HloEvaluator needs jaxlib 0.4.13, the last one that has it as a client. The
others need the jaxlib of .venv and the repository's root in PYTHONPATH; XLA:GPU also needs jax and its CUDA plugin. The
libraries are NumPy and SciPy, and oneDNN of Debian's libdnnl2 for the product of two matrices of s8. The times exclude
copying the operands to the device and include copying the results from it.
"""

import ctypes
import json
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


def product_by_onednn():
    library = ctypes.CDLL("libdnnl.so.2")
    no, size, zero, one = ctypes.c_char(b"N"), ctypes.c_int64, ctypes.c_int8(0), ctypes.c_float(1)

    def run(a, b):
        (m, k), n, result = a.shape, b.shape[1], np.empty((a.shape[0], b.shape[1]), np.int32)
        status = library.dnnl_gemm_s8s8s32(
            no, no, ctypes.c_char(b"F"), size(m), size(n), size(k), one, a.ctypes, size(k), zero, b.ctypes, size(n), zero,
            ctypes.c_float(0), result.ctypes, size(n), ctypes.byref(ctypes.c_int32(0)))  # fmt: skip
        if status:
            sys.exit(f"dnnl_gemm_s8s8s32 returned {status}")
        return result

    return run


def libraries(hlo, inputs):
    """Returns the function of a library that is the whole module, by the module's name."""
    import scipy.fft
    import scipy.special

    def top_k(x):
        first = np.argpartition(x, -8)[:, -8:]
        return np.take_along_axis(first, np.argsort(-np.take_along_axis(x, first, 1)), 1)

    functions = {
        "argsort": lambda x: np.argsort(x, kind="stable"), "batch_dot": np.matmul, "cumulative_sum": lambda x: np.cumsum(x, 1),
        "dot_f32": np.matmul, "dot_f64": np.matmul, "fft": scipy.fft.fft, "fft_long": scipy.fft.fft,
        "gather": lambda table, i: np.take(table, i[:, 0], 0, mode="clip"), "reduce_columns": lambda x: x.sum(0),
        "reduce_rows": lambda x: x.sum(1), "softmax": lambda x: scipy.special.softmax(x, 1), "sort": np.sort, "tanh": np.tanh,
        "top_k": top_k, "transpose": lambda x: np.ascontiguousarray(x.T)}  # fmt: skip
    name = re.search(r"HloModule (\w+)", hlo)[1]
    function = product_by_onednn() if name == "dot_s8" else functions.get(name)
    if function is None:
        sys.exit("no library has a function for it")
    return lambda: [function(*inputs)]


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
    run = {"cpu": cpu, "gpu": gpu, "evaluator": evaluator, "stablehlo": stablehlo, "libraries": libraries}[client](hlo, inputs)
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
