"""The adapters' interface to jaxlib. Its names and places change between versions; only this file knows them.

It supports 0.4.30 to 0.12.0.1.
"""

import dataclasses
import functools
import os
import re

import jaxlib.version
import numpy as np
from jaxlib import xla_client

try:
    from jaxlib import _jax
except ImportError:  # before 0.6
    from jaxlib import xla_extension as _jax
try:
    from jaxlib import _hlo
except ImportError:  # before 0.8
    _hlo = _jax

VERSION = jaxlib.version.__version__
HloModule, HloPrintOptions, XlaComputation = _hlo.HloModule, _hlo.HloPrintOptions, _hlo.XlaComputation
# Older versions end the process on an asynchronous collective.
CONVERTS_ASYNCHRONOUS = hasattr(_jax.mlir, "hlo_to_stablehlo")
CompileOptions, DeviceAssignment = xla_client.CompileOptions, xla_client.DeviceAssignment


class NotRead(Exception):
    """The parser of this version does not know an op, an element type, an attribute or a form in the text."""


# The tables of places in the program's source, and their use, which versions before 0.7 do not read.
STACK_TABLES = re.compile(r"^(?:FileNames|FunctionNames|FileLocations|StackFrames)\n(?:\d+ .*\n)*|(?<=[ {])stack_frame_id=\d+", re.M)


def hlo_module_from_text(text):
    """Parses HLO text to an HloModule."""
    try:
        return _hlo.hlo_module_from_text(text)
    except Exception as error:
        without_places = STACK_TABLES.sub("", text)
        if without_places != text:
            return hlo_module_from_text(without_places)
        younger = re.search(r"was parsing \d+:\d+: error: (.*(?:primitive type|attribute|opcode|single (?:async op|operand in the form)).*)", str(error))
        if younger:
            raise NotRead(f"jaxlib {VERSION} does not read it: {younger[1]}") from error
        raise


def hlo_to_stablehlo(proto):
    """Converts a serialized HloModuleProto to StableHLO, as text or bytecode. Ops that StableHLO lacks become
    MHLO."""
    if hasattr(_jax.mlir, "hlo_to_stablehlo"):
        return _jax.mlir.hlo_to_stablehlo(proto)
    try:
        return _jax.mlir.xla_computation_to_mlir_module(XlaComputation(proto))
    except Exception:  # one unsupported instruction suffices
        return _jax.mlir.xla_computation_to_mlir_module(XlaComputation(proto), emit_stable_hlo=False)


def stablehlo_to_hlo(module):
    """Converts a StableHLO module (text, bytecode or portable artifact) to an HloModule."""
    computation = _jax.mlir.mlir_module_to_xla_computation(module, use_tuple_args=False, return_tuple=False)
    return HloModule.from_serialized_hlo_module_proto(computation.as_serialized_hlo_module_proto())


def portable_artifact(module, version):
    """Serializes a StableHLO module (text or bytecode) for a version of StableHLO, as JAX's export does."""
    return _jax.mlir.serialize_portable_artifact(module, version, True)  # Shardy's dialect stays as it is


ARTIFACT = re.compile(rb"StableHLO_v([0-9.]+)")  # the producer, in a portable artifact


def numbers_of(version):
    """Returns the numbers of a version such as "1.9.0"."""
    return [int(number) for number in version.split(".")]


def module_of_artifact(artifact, context):
    """Returns the module of MLIR in a portable artifact. jaxlib before 0.5 ends the process on one of a newer version:
    NotRead. Later ones read it if they know all that is in it."""
    from jaxlib.mlir.dialects import stablehlo

    version = ARTIFACT.search(artifact)[1].decode()
    if numbers_of(VERSION) < [0, 5] and numbers_of(version) > numbers_of(stablehlo.get_current_version()):
        raise NotRead(f"jaxlib {VERSION} does not read StableHLO {version}")
    return stablehlo.deserialize_portable_artifact(context, artifact)


def load_dialects(context):
    """Loads the dialects that StableHLO modules may use into an MLIR context, and registers the passes of
    StableHLO."""
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import chlo, mhlo, stablehlo

    try:
        from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    except ImportError:
        from jaxlib.mlir._mlir_libs import register_jax_dialects as _jax_mlir_ext
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in (stablehlo, chlo):
        dialect.register_dialect(context)
    try:  # JAX's dialect for shardings
        from jaxlib.mlir.dialects import sdy

        sdy.register_dialect(context)
    except ImportError:  # before 0.5
        pass
    mhlo.register_mhlo_dialect(context)
    for name in ("register_interpreter_dialect", "register_stablehlo_passes"):
        if hasattr(stablehlo, name):
            getattr(stablehlo, name)(*[context] if name == "register_interpreter_dialect" else [])


def cpu_client(devices):
    """Returns a client of XLA:CPU with this number of devices."""
    flags = os.environ.get("XLA_FLAGS", "")
    os.environ["XLA_FLAGS"] = f"{flags} --xla_force_host_platform_device_count={devices}"
    if hasattr(_jax.jax_jit, "set_thread_local_state_initialization_callback"):  # as JAX does
        _jax.jax_jit.set_thread_local_state_initialization_callback(lambda: None)
        state = _jax.jax_jit.global_state()
        for name in ("enable_memories", "enable_x64"):
            if hasattr(state, name):
                setattr(state, name, name == "enable_x64")
    return xla_client.make_cpu_client()


def plugin_client(name, path):
    """Returns a client of a PJRT plugin, a shared object."""
    if not xla_client.pjrt_plugin_loaded(name):
        xla_client.load_pjrt_plugin_dynamically(name, path)
    if not xla_client.pjrt_plugin_initialized(name):
        xla_client.initialize_pjrt_plugin(name)
    return xla_client.make_c_api_client(name)


@functools.cache
def register_lapack():
    """Registers the custom call targets of JAX's linear algebra on the CPU, for which SciPy provides the LAPACK.

    This takes a quarter of a peer's start-up time.
    """
    from jaxlib import lapack

    if not hasattr(lapack, "registrations"):  # the import has registered them
        from jaxlib.cpu import _lapack

        _lapack.initialize()
        return
    lapack.prepare_lapack_call("potrf_ffi", np.dtype(np.float32))
    for platform, targets in lapack.registrations().items():
        for name, function, api_version in targets:
            xla_client.register_custom_call_target(name, function, platform=platform, api_version=api_version)


def compile_module(client, module, devices, options):
    """Compiles a module in the bytecode of StableHLO. Returns the executable."""
    if client.platform == "cpu" and b"custom_call" in module:
        register_lapack()
    if hasattr(client, "compile_and_load"):
        return client.compile_and_load(module, xla_client.DeviceList(tuple(devices)), options)
    return client.compile(module, options)


def execute(client, executable, inputs, devices):
    """Returns the array results of each device, for the arrays of each device."""
    arguments = [put(client, arrays, devices) for arrays in zip(*inputs)]
    results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
    hosts = [[on_host(shard) for shard in result] for result in results]
    return [[result[device] for result in hosts] for device in range(len(devices))]


def on_host(shard):
    """Returns the numpy array of an array on one device."""
    if hasattr(shard, "_single_device_array_to_np_array_did_copy"):
        return np.asarray(shard._single_device_array_to_np_array_did_copy()[0])
    return np.asarray(shard._single_device_array_to_np_array())


@functools.cache
def replicated_sharding():
    """Returns a replicated sharding, with the two attributes that jaxlib leaves to JAX."""

    class Replicated(xla_client.GSPMDSharding):
        memory_kind = None

        def _to_xla_hlo_sharding(self, rank):
            return xla_client.HloSharding.replicate()

    return lambda devices: Replicated(xla_client.DeviceList(tuple(devices)), xla_client.HloSharding.replicate())


@dataclasses.dataclass
class AbstractValue:
    """The attributes that jaxlib reads from JAX's type of the same name."""

    shape: tuple
    dtype: np.dtype
    weak_type: bool = False


def put(client, arrays, devices):
    """Returns one argument of an executable, from an array for each device."""
    if hasattr(client, "buffer_from_pyval"):
        return [client.buffer_from_pyval(array, device, force_copy=True) for array, device in zip(arrays, devices)]
    sharding = replicated_sharding()
    value = AbstractValue(arrays[0].shape, arrays[0].dtype)
    shards = [
        xla_client.batched_device_put(value, sharding([device]), [array], [device], force_copy=True, enable_x64=True)
        for array, device in zip(arrays, devices)
    ]
    if len(shards) == 1:
        return shards[0]
    return xla_client.ArrayImpl(value, sharding(devices), shards, True, _skip_checks=True)
