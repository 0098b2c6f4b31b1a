"""IREE for CPUs (llvm-cpu), as a peer of the process protocol (docs/process_protocol.md).

HLO text becomes StableHLO as it does for XLA:CPU (xla_adapter.py), and IREE compiles that for this machine. All
options have their defaults except the one that would turn f64 into f32. The compiler runs in a fork, the runtime in
this process. Programs are kept (iree_programs.py); iree_batches.py compiles those of a whole corpus beforehand.
"""

import os
import re

import numpy as np
from iree import runtime
from iree.compiler import version
from iree.compiler.api import Output, Session, Source
from iree_programs import Programs
from xla_peers.in_child import in_child
from xla_peers.module_text import flat
from xla_peers.session import serve
from xla_peers.stablehlo_module import mlir_context
from xla_peers.values import TOKEN, Unsupported

FLAGS = (
    "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host", "--iree-input-type=stablehlo", "--iree-input-demote-f64-to-f32=false",
)  # fmt: skip
# Phrases with which the compiler says that it lacks a rule.
LACKING = (
    "failed to legalize|unregistered|is unknown|not found for custom op"
    "|not supported|unsupported|unhandled|unimplemented"
)
FUNCTIONS = "acos|acosh|asin|asinh|atanh|cosh|erf|sinh"
# The runtime's element type for each type of XLA. The runtime does not distinguish signs.
ELEMENT_TYPES = {
    "pred": "BOOL_8", "s8": "INT_8", "s16": "INT_16", "s32": "INT_32", "s64": "INT_64", "u8": "INT_8", "u16": "INT_16",
    "u32": "INT_32", "u64": "INT_64", "f16": "FLOAT_16", "bf16": "BFLOAT_16", "f32": "FLOAT_32", "f64": "FLOAT_64",
    "c64": "COMPLEX_64", "c128": "COMPLEX_128", "f8e5m2": "FLOAT_8_E5M2", "f8e4m3fn": "FLOAT_8_E4M3_FN",
    "f8e5m2fnuz": "FLOAT_8_E5M2_FNUZ", "f8e4m3fnuz": "FLOAT_8_E4M3_FNUZ", "f8e8m0fnu": "FLOAT_8_E8M0_FNU",
}  # fmt: skip


class Iree:
    """IREE as a peer."""

    name, version = "iree-cpu", version.VERSION
    max_devices = 1

    def __init__(self):
        self.instance = runtime.VmInstance()
        self.device = runtime.get_device("local-sync")
        self.hal = runtime.create_hal_module(self.instance, self.device)
        self.programs = Programs(version.VERSION, FLAGS)

    def compile(self, module, replicas, partitions):
        """Returns a function from the arrays of the one device to its array results."""
        text, shapes = self.text(module), [shape for leaf in flat(module.parameters) for shape in leaf.arrays()]
        entry = self.programs.find(text)
        if entry is None:
            entry = in_child(compiled, text)
            self.programs.add(text, entry)
        if "error" in entry:
            raise (Unsupported if entry["is_lacking"] else RuntimeError)(entry["error"])
        context, function = self.loaded(entry["program"], entry["function"])
        return lambda inputs: [self.run(context, function, inputs[0], shapes, module.array_results())]

    def text(self, module):
        """Returns the text that the compiler receives for a module."""
        module.check_unchanged()
        for leaf in flat(module.parameters) + flat(module.result):
            if leaf == TOKEN:
                raise Unsupported("a token at the entry")
            if leaf.element_type not in ELEMENT_TYPES:
                raise Unsupported(f"element type {leaf.element_type} at the entry")
        with mlir_context():
            return text_for_iree(module.module)

    def loaded(self, program, function):
        """Loads a program, which runs its initializers. Returns its context and the function of that name."""
        module = runtime.VmModule.copy_buffer(self.instance, program)
        return runtime.VmContext(self.instance, [self.hal, module]), module.lookup_function(function)

    def run(self, context, function, arrays, shapes, results):
        """Returns the array results."""
        given, returned = runtime.VmVariantList(len(arrays)), runtime.VmVariantList(len(results))
        for array, shape in zip(arrays, shapes):
            given.push_ref(self.on_device(array, shape))
        context.invoke(function, given, returned)
        return [on_host(returned.get_as_object(i, runtime.HalBufferView), shape) for i, shape in enumerate(results)]

    def on_device(self, array, shape):
        """Returns the array as a buffer of the runtime."""
        raw = np.ascontiguousarray(array).reshape(array.shape)
        return self.device.allocator.allocate_buffer_copy(
            memory_type=runtime.MemoryType.DEVICE_LOCAL, allowed_usage=runtime.BufferUsage.DEFAULT,
            device=self.device, buffer=raw if raw.dtype.isbuiltin else raw.view(f"u{raw.dtype.itemsize}"),
            element_type=getattr(runtime.HalElementType, ELEMENT_TYPES[shape.element_type]),
        )  # fmt: skip


def on_host(view, shape):
    """Returns a result as an array of the declared shape."""
    if tuple(view.shape) != shape.dimensions:
        raise RuntimeError(f"the declared result is {shape}, the backend returned sizes {list(view.shape)}")
    plain = shape.dtype if shape.dtype.isbuiltin else np.dtype(f"u{shape.dtype.itemsize}")
    return np.array(view.map().asarray(list(view.shape), plain)).view(shape.dtype)


def compiled(text):
    """Returns the entry (iree_programs.py) of a module in StableHLO with one function, "main". The compiler's errors
    arrive on standard error, which is a file here."""
    program = program_of(text)
    if program is not None:
        return {"program": program, "function": "main"}
    said = os.pread(2, 1 << 16, 0).decode(errors="replace")
    first = re.search("error: (.*?)(?: that was explicitly marked illegal.*)?$", said, re.M)
    return {"error": first[1] if first else said, "is_lacking": bool(re.search(LACKING, said))}


def program_of(text):
    """Returns IREE's program for a module in StableHLO; None if it does not compile."""
    session = Session()
    session.set_flags(*FLAGS)
    invocation, source = session.invocation(), Source.wrap_buffer(session, text.encode() + b"\0")
    invocation.enable_console_diagnostics()
    if not (invocation.parse_source(source) and invocation.execute()):
        return None
    output = Output.open_membuffer()
    invocation.output_vm_bytecode(output)
    return bytes(output.map_memory())


def text_for_iree(module):
    """Returns a module as text, without XLA's own parts: its attributes, and its names for functions that CHLO has
    too."""
    from jaxlib.mlir import ir

    foreign = []

    def strip(operation):
        if operation.name.startswith("mhlo.") and not re.fullmatch(f"mhlo.({FUNCTIONS})", operation.name):
            foreign.append(operation.name)
        for name in list(operation.attributes):
            if name.startswith("mhlo.") or name in ("arg_attrs", "res_attrs"):
                del operation.attributes[name]
        return ir.WalkResult.ADVANCE

    module.operation.walk(strip)
    if foreign:
        raise Unsupported(f"StableHLO has no {foreign[0]}")
    # The generic form, because some ops cannot be parsed again in their own (a dynamic_slice of a scalar).
    text = module.operation.get_asm(large_elements_limit=None, print_generic_op_form=True)
    return re.sub(rf'"mhlo\.({FUNCTIONS})"', r'"chlo.\1"', text)


if __name__ == "__main__":
    serve(Iree)
