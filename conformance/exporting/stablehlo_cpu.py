"""StableHLO's reference interpreter in jaxlib, as a backend of run_suite.py. It needs --fork: the interpreter ends the
process on an operation that it does not know."""

import numpy as np
from jax.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import stablehlo

CONTEXT = make_ir_context()
CONTEXT.enable_multithreading(False)  # before a fork
stablehlo.register_stablehlo_passes()
PASSES = "builtin.module(func.func(chlo-legalize-to-stablehlo,stablehlo-legalize-deprecated-ops))"


def unsupported(element):
    """Says why an element type cannot be read from a result in Python; None if it can."""
    plain = [ir.F32Type.get(), ir.F64Type.get()] + [ir.IntegerType.get_signless(bits) for bits in (1, 8, 16, 32, 64)]
    plain += [ir.IntegerType.get_unsigned(bits) for bits in (8, 16, 32, 64)]
    return None if element in plain else f"jaxlib reads no elements of type {element}"


def dense(array, kind):
    """Returns an array as an attribute."""
    raw = array if array.dtype.isbuiltin else array.view(f"u{array.dtype.itemsize}")
    return ir.DenseElementsAttr.get(np.ascontiguousarray(raw), type=ir.RankedTensorType(kind).element_type, shape=array.shape)


def run(module_text, inputs):
    """Interprets a module."""
    if "mhlo.num_replicas" in module_text or "mhlo.num_partitions" in module_text:
        raise NotImplementedError("several devices")
    with CONTEXT:
        module = ir.Module.parse(module_text)
        passmanager.PassManager.parse(PASSES).run(module.operation)
        (main,) = [op for op in module.body.operations if op.name.value == "main"]
        for kind in main.type.results:
            if why := unsupported(ir.RankedTensorType(kind).element_type):
                raise NotImplementedError(why)
        arguments = [dense(array, kind) for array, kind in zip(inputs, main.type.inputs)]
        results = stablehlo.eval_module(module, arguments)
        shapes = [ir.RankedTensorType(kind).shape for kind in main.type.results]
        return [np.asarray(result).reshape(shape) for result, shape in zip(results, shapes)]
