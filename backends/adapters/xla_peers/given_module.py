"""Modules that came as StableHLO, and reach the compiler as they came."""

import itertools
import re

from . import jaxlib_api
from .stablehlo_module import Module, mlir_context, parsed
from .values import DTYPES, ArrayShape, Unsupported

BYTECODE = b"ML\xefR"
PLACES = re.compile(rb"^#loc.*\n| loc\((?:[^()\"]|\"[^\"]*\"|\((?:[^()\"]|\"[^\"]*\")*\))*\)", re.M)


class GivenModule(Module):
    """A module in StableHLO whose entry, @main, has arrays of fixed sizes."""

    def __init__(self, stablehlo):
        self.numbers = itertools.count()
        is_artifact = stablehlo.startswith(BYTECODE) and jaxlib_api.ARTIFACT.search(stablehlo)
        self.module = jaxlib_api.module_of_artifact(stablehlo, mlir_context()) if is_artifact else read(stablehlo)
        self.find_main()
        self.parameters = [array_of(kind) for kind in self.main.type.inputs]
        results = [array_of(kind) for kind in self.main.type.results]
        self.result = results[0] if len(results) == 1 else results

    def check_unchanged(self):
        """Nothing was converted."""


def read(stablehlo):
    """Parses text or bytecode; older versions read text without its places, whose forms are newer."""
    from jaxlib.mlir import ir

    try:
        return parsed(stablehlo)
    except ir.MLIRError:
        return parsed(PLACES.sub(b"", stablehlo))


def given_module(stablehlo):
    """Returns a module that came in these bytes; None if there are none, or this jaxlib does not read them."""
    from jaxlib.mlir import ir

    if not stablehlo:
        return None
    try:
        return GivenModule(stablehlo)
    except (Unsupported, jaxlib_api.NotRead, ir.MLIRError, RuntimeError, ValueError):  # too new, or without @main
        return None


def array_of(kind):
    """Returns the shape of a type of MLIR. Raises Unsupported for anything but an array of fixed sizes."""
    from jaxlib.mlir import ir

    if not isinstance(kind, ir.RankedTensorType):
        raise Unsupported(f"a value of type {kind} at the entry")
    array = ir.RankedTensorType(kind)
    if not array.has_static_shape or array.encoding is not None:
        raise Unsupported(f"a value of type {kind} at the entry")
    element = str(array.element_type).lower()
    names = {"i1": "pred", "complex<f32>": "c64", "complex<f64>": "c128"}
    name = names.get(element) or re.sub(r"^(u?)i(?=\d)", lambda sign: sign[1] or "s", element)
    if name not in DTYPES:
        raise Unsupported(f"element type {element}")
    return ArrayShape(name, tuple(array.shape))
