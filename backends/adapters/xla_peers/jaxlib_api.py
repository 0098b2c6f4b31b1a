"""What the adapters use of jaxlib. Its names and places change from version to version: this file alone knows them."""

import jaxlib.version

try:
    from jaxlib import _jax
except ImportError:
    from jaxlib import xla_extension as _jax
try:
    from jaxlib import _hlo
except ImportError:
    _hlo = _jax

VERSION = jaxlib.version.__version__
HloModule, HloPrintOptions, XlaComputation = _hlo.HloModule, _hlo.HloPrintOptions, _hlo.XlaComputation
hlo_module_from_text = _hlo.hlo_module_from_text


def hlo_to_stablehlo(proto):
    """A serialized HloModuleProto as a module in StableHLO, text or bytecode."""
    if hasattr(_jax.mlir, "hlo_to_stablehlo"):
        return _jax.mlir.hlo_to_stablehlo(proto)
    return _jax.mlir.mhlo_to_stablehlo(_jax.mlir.xla_computation_to_mlir_module(XlaComputation(proto)))


def stablehlo_to_hlo(module):
    """A module in StableHLO, text, bytecode or portable artifact, as an HloModule."""
    computation = _jax.mlir.mlir_module_to_xla_computation(module, use_tuple_args=False, return_tuple=False)
    return HloModule.from_serialized_hlo_module_proto(computation.as_serialized_hlo_module_proto())
