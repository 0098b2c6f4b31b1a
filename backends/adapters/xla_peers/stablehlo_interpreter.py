"""StableHLO's reference interpreter."""

import os
import pickle
import re
import sys
import tempfile

import numpy as np

from .stablehlo_module import mlir_context
from .values import Unsupported


class StableHlo:
    """The peer."""

    name, version = "stablehlo", ""  # that of jaxlib says it
    max_devices = 1

    def compile(self, module, replicas, partitions):
        """A function from the arrays of the one device to its array results."""
        from jaxlib.mlir import ir, passmanager
        from jaxlib.mlir.dialects import stablehlo

        with mlir_context() as context:
            # The interpreter has no rule for what has a plainer form: dot, broadcast, chlo's functions.
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


def in_child(function, argument):
    """function(argument), run in a fork: the interpreter ends the process over an op that it does not know."""
    read, write = os.pipe()
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            os.close(read)
            os.dup2(errors.fileno(), 2)
            try:
                reply = (True, function(argument))
            except Exception as error:
                reply = (False, f"{type(error).__name__}: {error}")
            with os.fdopen(write, "wb") as file:
                pickle.dump(reply, file)
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as file:
            reply = file.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    if status == 0:
        worked, value = pickle.loads(reply)
        if worked:
            return value
        raise RuntimeError(value)
    fatal = re.search("LLVM ERROR: (.*)", said)
    if not fatal:  # A true crash is shown as one.
        sys.stderr.write(said)
        os.kill(os.getpid(), -status)
    lacking = re.search("[Uu]nsupported|only supported", fatal.group(1))
    raise (Unsupported if lacking else RuntimeError)(fatal.group(1))


def readable(value):
    """What to return in place of a value whose elements Python cannot read out of an MLIR attribute."""
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
    """An array as an MLIR attribute of this type."""
    from jaxlib.mlir import ir

    element = kind.element_type
    # Types of numpy's own go in as they are, those of ml_dtypes as their bits.
    raw = array if array.dtype.isbuiltin else array.view(f"u{array.dtype.itemsize}")
    return ir.DenseElementsAttr.get(np.ascontiguousarray(raw), type=element, shape=array.shape)


def from_dense(results, shape):
    """The next result, as an array of this shape."""
    if shape.dtype.kind == "c":
        parts = np.asarray(next(results)), np.asarray(next(results))
        array = np.empty(shape.dimensions, shape.dtype)
        array.real, array.imag = parts
        return array
    return np.asarray(next(results)).reshape(shape.dimensions)
