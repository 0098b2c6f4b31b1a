"""StableHLO's reference interpreter in jaxlib, as a backend of run_suite.py. It needs --fork: the interpreter ends the
process on an operation that it does not know."""

import re

import ml_dtypes
import numpy as np
from jax.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import func, stablehlo

CONTEXT = make_ir_context()
CONTEXT.enable_multithreading(False)  # before a fork
stablehlo.register_stablehlo_passes()
PASSES = "builtin.module(func.func(chlo-legalize-to-stablehlo,stablehlo-legalize-deprecated-ops))"


def numpy_type(element):
    """Returns the NumPy type of an element type: float8_e4m3fn of f8E4M3FN."""
    if isinstance(element, ir.ComplexType):
        return np.dtype(f"complex{2 * ir.FloatType(element.element_type).width}")
    kind, digits, rest = re.fullmatch(r"(bf|f|ui|i)(\d+)(.*)", str(element)).groups()
    letters = {"bf": "bfloat", "f": "float", "ui": "uint", "i": "int"}[kind]
    name = letters + digits + (rest and f"_{rest.lower()}") if str(element) != "i1" else "bool"
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def readable(value):
    """Returns values of types that Python can read: the parts of complex numbers, the bits of narrow floats."""
    kind = ir.RankedTensorType(value.type)
    element, of = kind.element_type, lambda new: ir.RankedTensorType.get(kind.shape, new)
    if isinstance(element, ir.ComplexType):
        return [stablehlo.real(value), stablehlo.imag(value)]
    is_float = isinstance(element, ir.FloatType)
    width = ir.FloatType(element).width if is_float else ir.IntegerType(element).width
    is_unsigned = is_float or ir.IntegerType(element).is_unsigned
    integer = ir.IntegerType.get_unsigned if is_unsigned else ir.IntegerType.get_signless
    if width == 6:
        raise NotImplementedError("StableHLO has no integers of 6 bits to read the type by")
    if is_float and width < 32:
        value = stablehlo.bitcast_convert(of(integer(width)), value)
    if 1 < width < 8:
        value = stablehlo.convert(of(integer(8)), value)
    return [value]


def make_readable(main):
    """Makes a function return readable values in place of its results."""
    end = list(main.body.blocks[0].operations)[-1]
    with ir.Location.unknown(), ir.InsertionPoint(end):
        values = [new for value in end.operands for new in readable(value)]
        func.ReturnOp(values)
        end.operation.erase()
        kind = ir.FunctionType.get(main.type.inputs, [value.type for value in values])
        main.attributes["function_type"] = ir.TypeAttr.get(kind)


def array_of(results, kind):
    """Returns the next result as an array of a type of the module."""
    dtype, shape = numpy_type(ir.RankedTensorType(kind).element_type), ir.RankedTensorType(kind).shape
    if dtype.kind == "c":
        array = np.empty(shape, dtype)
        array.real, array.imag = np.asarray(next(results)).reshape(shape), np.asarray(next(results)).reshape(shape)
        return array
    array = np.asarray(next(results)).reshape(shape)
    return array if array.dtype == dtype else array.view(dtype)


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
        kinds = main.type.results
        make_readable(main)
        arguments = [dense(array, kind) for array, kind in zip(inputs, main.type.inputs)]
        results = iter(stablehlo.eval_module(module, arguments))
        return [array_of(results, kind) for kind in kinds]
