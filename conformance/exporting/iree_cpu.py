"""IREE for CPUs (llvm-cpu), as a backend of run_suite.py. It needs --fork, because some programs end the process, and
pip install iree-base-compiler iree-base-runtime."""

import re

import ml_dtypes
import numpy as np
from iree import runtime
from iree.compiler.tools import CompilerToolError, compile_str

# The last option keeps f64, which would become f32.
FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
         "--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"]  # fmt: skip
# Phrases with which the compiler says that it lacks a rule.
LACKS = (
    "failed to legalize|unregistered|is unknown|not found for custom op"
    "|not supported|unsupported|unhandled|unimplemented"
)
# The runtime's element types by the types of MLIR. The runtime does not distinguish signs.
ELEMENT_TYPES = {
    "i1": "BOOL_8", "i8": "INT_8", "i16": "INT_16", "i32": "INT_32", "i64": "INT_64", "ui8": "INT_8", "ui16": "INT_16",
    "ui32": "INT_32", "ui64": "INT_64", "f16": "FLOAT_16", "bf16": "BFLOAT_16", "f32": "FLOAT_32", "f64": "FLOAT_64",
    "complex<f32>": "COMPLEX_64", "complex<f64>": "COMPLEX_128", "f8E5M2": "FLOAT_8_E5M2",
    "f8E4M3FN": "FLOAT_8_E4M3_FN", "f8E5M2FNUZ": "FLOAT_8_E5M2_FNUZ", "f8E4M3FNUZ": "FLOAT_8_E4M3_FNUZ",
    "f8E8M0FNU": "FLOAT_8_E8M0_FNU",
}  # fmt: skip


def numpy_type(element):
    """Returns the NumPy type of a type of MLIR: float8_e4m3fn of f8E4M3FN."""
    if element.startswith("complex"):
        return np.dtype({"complex<f32>": "complex64", "complex<f64>": "complex128"}[element])
    kind, digits, rest = re.fullmatch(r"(bf|f|ui|i)(\d+)(.*)", element).groups()
    letters = {"bf": "bfloat", "f": "float", "ui": "uint", "i": "int"}[kind]
    name = "bool" if element == "i1" else letters + digits + (rest and f"_{rest.lower()}")
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def entry_types(module_text):
    """Returns the types of the arguments and of the results of main: lists of (sizes, element type)."""
    kind = re.search(r'function_type = (.*), sym_name = "main"', module_text)[1]
    return [re.findall(r"tensor<((?:\d+x)*)([^<>]+|complex<\w+>)>", side) for side in kind.split(" -> ")]


def compiled(module_text):
    """Returns IREE's program for a module."""
    try:
        return compile_str(module_text, input_type="stablehlo", extra_args=FLAGS)
    except CompilerToolError as error:
        said = re.search("error: (.*)", str(error))
        reason = said[1] if said else " ".join(str(error).splitlines()[:2])
        raise (NotImplementedError if re.search(LACKS, str(error)) else RuntimeError)(reason) from error


def on_device(device, array, element):
    """Returns an array as a buffer of the runtime."""
    plain = array if array.dtype.isbuiltin else array.view(f"u{array.dtype.itemsize}")
    return device.allocator.allocate_buffer_copy(
        memory_type=runtime.MemoryType.DEVICE_LOCAL, allowed_usage=runtime.BufferUsage.DEFAULT, device=device,
        buffer=np.ascontiguousarray(plain).reshape(array.shape),
        element_type=getattr(runtime.HalElementType, ELEMENT_TYPES[element]),
    )  # fmt: skip


def on_host(view, sizes, element):
    """Returns a buffer of the runtime as an array."""
    dtype, shape = numpy_type(element), [int(size) for size in sizes.split("x")[:-1]]
    if list(view.shape) != shape:
        raise RuntimeError(f"the declared result has the sizes {shape}, the result {list(view.shape)}")
    plain = dtype if dtype.isbuiltin else np.dtype(f"u{dtype.itemsize}")
    return np.array(view.map().asarray(shape, plain)).view(dtype)


def run(module_text, inputs):
    """Compiles and runs a module on one device."""
    takes, gives = entry_types(module_text)
    if "mhlo.num_replicas" in module_text or "mhlo.num_partitions" in module_text:
        raise NotImplementedError("several devices")
    for _, element in takes + gives:
        if element not in ELEMENT_TYPES:
            raise NotImplementedError(f"element type {element} at the entry")
    instance, device = runtime.VmInstance(), runtime.get_device("local-sync")
    module = runtime.VmModule.copy_buffer(instance, compiled(module_text))
    context = runtime.VmContext(instance, [runtime.create_hal_module(instance, device), module])
    arguments, results = runtime.VmVariantList(len(takes)), runtime.VmVariantList(len(gives))
    for array, (_, element) in zip(inputs, takes):
        arguments.push_ref(on_device(device, array, element))
    context.invoke(module.lookup_function("main"), arguments, results)
    return [on_host(results.get_as_object(i, runtime.HalBufferView), *kind) for i, kind in enumerate(gives)]
