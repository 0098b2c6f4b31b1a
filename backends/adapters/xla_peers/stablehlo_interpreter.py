"""StableHLO's reference interpreter."""

import numpy as np

from . import jaxlib_api
from .in_child import in_child
from .stablehlo_module import mlir_context


class StableHlo:
    """StableHLO's interpreter as a peer."""

    name, version = "stablehlo", f"jaxlib {jaxlib_api.VERSION}"
    max_devices = 1

    def compile(self, module, replicas, partitions):
        """Returns a function from the arrays of the one device to its array results."""
        from jaxlib.mlir import ir, passmanager
        from jaxlib.mlir.dialects import stablehlo

        with mlir_context() as context:
            # The interpreter has no rules for ops with a simpler form: dot, broadcast, CHLO's functions.
            passes = "builtin.module(func.func(chlo-legalize-to-stablehlo,stablehlo-legalize-deprecated-ops))"
            passmanager.PassManager.parse(passes).run(module.module.operation)
        module.replace_results(readable)
        types = module.main.type.inputs

        def evaluate(arrays):
            with mlir_context():
                arguments = [dense(array, kind) for array, kind in zip(arrays, types)]
                results = iter(stablehlo.eval_module(module.module, arguments))
            return [[from_dense(results, shape) for shape in module.array_results()]]

        return lambda inputs: in_child(evaluate, inputs[0])


def readable(value):
    """Returns replacements of a value whose elements Python cannot read from an MLIR attribute."""
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    if not isinstance(value.type, ir.RankedTensorType):
        return []
    kind = ir.RankedTensorType(value.type)
    element = kind.element_type

    def of(new_element):
        return ir.RankedTensorType.get(kind.shape, new_element)

    def unsigned(bits):
        return ir.IntegerType.get_unsigned(bits)

    if isinstance(element, ir.ComplexType):
        return [stablehlo.real(value), stablehlo.imag(value)]
    if isinstance(element, ir.FloatType):
        bits = ir.FloatType(element).width
        if bits >= 32:
            return [value]
        value = stablehlo.bitcast_convert(of(unsigned(bits)), value)
        return [value if bits >= 8 else stablehlo.convert(of(unsigned(8)), value)]
    integer = ir.IntegerType(element)
    if integer.width in (2, 4):
        return [stablehlo.convert(of(unsigned(8) if integer.is_unsigned else ir.IntegerType.get_signless(8)), value)]
    return [value]


def dense(array, kind):
    """Returns an array as an MLIR attribute of this type."""
    from jaxlib.mlir import ir

    element = kind.element_type
    # Types of ml_dtypes are passed as their bits, numpy's own types as they are.
    raw = array if array.dtype.isbuiltin else array.view(f"u{array.dtype.itemsize}")
    return ir.DenseElementsAttr.get(np.ascontiguousarray(raw), type=element, shape=array.shape)


def from_dense(results, shape):
    """Returns the next result as an array of this shape."""
    if shape.dtype.kind == "c":
        parts = np.asarray(next(results)), np.asarray(next(results))
        array = np.empty(shape.dimensions, shape.dtype)
        array.real, array.imag = parts
        return array
    return np.asarray(next(results)).reshape(shape.dimensions)
