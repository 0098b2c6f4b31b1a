"""Tells JAX what it knows of its own platforms alone: lowerings, callbacks, donation, dlpack."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import inspect
import itertools
import pathlib
import traceback
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax._src import array as jax_array
from jax._src import callback as jax_callback
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lax.control_flow import conditionals
from jax.experimental import custom_partitioning

PLATFORM = "assay"
TARGET = "assay_callback"
STATUS_RETURNING_UNIFIED = 3  # the version of the interface of custom calls


class HostCallback:
    """A function that a compiled program calls. The program keeps it alive."""

    def __init__(self, function: Callable[..., Any], operands: Sequence[Any], results: Sequence[Any]):
        self.function = function
        self.operands = operands
        self.results = results

    def call(self, operands: Any, results: Any) -> None:
        """Calls the function with copies of the arrays, and writes what it returns."""
        arguments = []
        for i, aval in enumerate(self.operands):
            if aval is not core.abstract_token:
                arguments.append(array_at(operands[i], aval).copy())
        values = iter(self.checked(self.function(*arguments)))
        for place, aval in zip(self.places(results), self.results):
            if aval is not core.abstract_token:
                write_at(place, aval, next(values))

    def places(self, results: Any) -> list[int | None]:
        """Returns the addresses of the results: a single one is not in a tuple."""
        if len(self.results) == 1:
            return [results]
        if not self.results:
            return []
        return list((ctypes.c_void_p * len(self.results)).from_address(results))

    def checked(self, values: Sequence[Any]) -> list[np.ndarray]:
        """Returns the values as arrays of the types that the program expects."""
        expected = [aval for aval in self.results if aval is not core.abstract_token]
        if len(values) != len(expected):
            raise RuntimeError(f"a callback must return {len(expected)} values, found {len(values)}")
        arrays = [array.astype(jax.dtypes.canonicalize_dtype(array.dtype), copy=False)
                  for array in map(np.asarray, values)]  # fmt: skip
        for i, (array, aval) in enumerate(zip(arrays, expected)):
            if (array.shape, array.dtype) != (aval.shape, aval.dtype):
                raise RuntimeError(f"result {i} of a callback must be {aval.dtype}{list(aval.shape)}, "
                                   f"found {array.dtype}{list(array.shape)}")  # fmt: skip
        return arrays


def array_at(address: Any, aval: Any) -> np.ndarray:
    """Returns the array of this type at an address."""
    size = int(np.prod(aval.shape)) * np.dtype(aval.dtype).itemsize
    if size == 0:
        return np.empty(aval.shape, aval.dtype)
    memory: Any = (ctypes.c_char * size).from_address(address)
    return np.frombuffer(memory, aval.dtype).reshape(aval.shape)


def write_at(address: Any, aval: Any, value: np.ndarray) -> None:
    """Writes an array. Integers of less than a byte have their sign in the rest of it, which ml_dtypes leaves open."""
    place = array_at(address, aval)
    if jax.numpy.issubdtype(aval.dtype, np.signedinteger) and place.itemsize == 1:
        place, value = place.view(np.int8), value.astype(np.int8)
    place[...] = value


CALLBACKS: weakref.WeakValueDictionary[int, HostCallback] = weakref.WeakValueDictionary()
NUMBERS = itertools.count()


def call_host(number: int, operands: Any, results: int | None, message: int, message_size: int) -> int:
    """Calls the function with this number. If it fails, writes the end of the traceback and returns 1."""
    try:
        CALLBACKS[number].call(operands, results)
        return 0
    except BaseException:  # no exception passes through the plugin
        text = traceback.format_exc().encode("ascii", "replace")[1 - message_size :] + b"\0"
        ctypes.memmove(message, text, len(text))
        return 1


CALL_HOST = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_long, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p,
                             ctypes.c_void_p, ctypes.c_size_t)(call_host)  # fmt: skip


def in_context(function: Callable[..., Any], ctx: Any, *args: Any) -> Any:
    """Calls a function of JAX, which takes the context of the module as its first argument in newer versions."""
    takes_context = len(inspect.signature(function).parameters) > len(args)
    return function(ctx.module_context, *args) if takes_context else function(*args)


def with_token(sharding: Any) -> Any:
    """Returns the shardings of a call's results with that of a token before them, if there is one for each result."""
    if not hasattr(sharding, "shardings"):  # one for all
        return sharding
    of_result = sharding.shardings[0]
    token = type(of_result)(mesh_shape=(), dim_shardings=(), logical_device_ids=of_result.logical_device_ids)
    return type(sharding)((token, *sharding.shardings))


def emit_callback(ctx: Any, callback: Callable[..., Any], token: Any, operands: Sequence[Any],
                  operand_avals: Sequence[Any], result_avals: Sequence[Any], *, has_side_effect: bool,
                  returns_token: bool = True, partitioned: bool = False,
                  sharding: Any = None) -> tuple[Any, ...]:  # fmt: skip
    """Emits a custom call that calls a Python function, with the signature of JAX's emit_python_callback."""
    operands, operand_avals, result_avals = list(operands), list(operand_avals), list(result_avals)
    if token:
        operands, operand_avals = [token, *operands], [core.abstract_token, *operand_avals]
        result_avals = [core.abstract_token, *result_avals]
    holder, number = HostCallback(callback, operand_avals, result_avals), next(NUMBERS)
    CALLBACKS[number] = holder
    ctx.module_context.add_keepalive(holder)
    types = [in_context(mlir.aval_to_ir_type, ctx, aval) for aval in result_avals]
    call = mlir.custom_call(TARGET, result_types=types, operands=operands, backend_config=str(number),
                            has_side_effect=has_side_effect, api_version=STATUS_RETURNING_UNIFIED)  # fmt: skip
    if sharding is not None:
        in_context(mlir.set_sharding, ctx, call, with_token(sharding) if token and result_avals[1:] else sharding)
    results = list(call.results)
    if token:
        token, *results = results
    return results, token, holder


def on_platform(ctx: Any) -> bool:
    """True if a module is lowered for assay alone."""
    return tuple(ctx.module_context.platforms) == (PLATFORM,)


def install_callbacks(library: pathlib.Path) -> None:
    """Lets programs for assay call Python functions."""
    ctypes.CDLL(str(library)).AssaySetCallback(CALL_HOST)
    emit_for_others = jax_callback.emit_python_callback

    def emit(ctx: Any, *args: Any, **named: Any) -> tuple[Any, ...]:
        return (emit_callback if on_platform(ctx) else emit_for_others)(ctx, *args, **named)

    jax_callback.emit_python_callback = emit


def for_platform(entry: Any) -> Any:
    """Returns a lowering rule of the CPU for assay. A rule that is told its platform refuses what XLA:CPU lacks: that
    of dot_general refuses algorithms."""
    rule = getattr(entry, "rule", entry)  # newer versions of JAX have more in an entry
    if getattr(rule, "keywords", {}).get("platform") != "cpu":
        return entry
    changed = functools.partial(rule, platform=PLATFORM)
    return dataclasses.replace(entry, rule=changed) if hasattr(entry, "rule") else changed


def lower_without_partitioning(ctx: Any, *values: Any, call: Any, **_: Any) -> Any:
    """Lowers a function that has a partitioning of its own: it is called with whole arrays."""
    return mlir.lower_fun(core.jaxpr_as_fun(call), multiple_results=True)(ctx, *values)


def with_platform(branches: Any) -> Any:
    """Returns the platforms of each branch of platform_dependent: the CPU's branch is assay's too, if it has none."""
    if branches is None or any(PLATFORM in (platforms or ()) for platforms in branches):
        return branches
    return tuple((*platforms, PLATFORM) if platforms and "cpu" in platforms else platforms for platforms in branches)


def install_branches(primitive: Any, parameter: str) -> None:
    """Lowers a primitive with the platforms of branches as a parameter."""
    entry: Any = mlir._lowerings[primitive]
    rule = getattr(entry, "rule", entry)

    def lower(ctx: Any, *args: Any, **named: Any) -> Any:
        return rule(ctx, *args, **{**named, parameter: with_platform(named.get(parameter))})

    mlir.register_lowering(primitive, lower, platform=PLATFORM)


def install_lowerings() -> None:
    """Lowers programs as for the CPU: LAPACK's calls are known to assay, and XLA:CPU gets the same program."""
    mlir.register_lowering(custom_partitioning.custom_partitioning_p, lower_without_partitioning, platform=PLATFORM)
    install_branches(conditionals.platform_index_p, "platforms")
    install_branches(conditionals.cond_p, "branches_platforms")
    for primitive, rule in list(mlir._platform_specific_lowerings["cpu"].items()):
        if primitive not in mlir._platform_specific_lowerings[PLATFORM]:
            mlir._platform_specific_lowerings[PLATFORM][primitive] = for_platform(rule)
    if PLATFORM not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(PLATFORM)


def is_ours(array: Any) -> bool:
    """True for an array on one device of assay."""
    devices = array.sharding.device_set
    return len(devices) == 1 and next(iter(devices)).platform == PLATFORM


def install_dlpack() -> None:
    """Exports arrays by dlpack as memory of the CPU, in which they are."""
    array: Any = jax_array.ArrayImpl
    export, device = array.__dlpack__, array.__dlpack_device__

    def __dlpack__(self: Any, *, stream: Any = None, max_version: tuple[int, int] | None = None,
                   dl_device: Any = None, copy: bool | None = None) -> Any:  # fmt: skip
        if not is_ours(self):
            return export(self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
        host = np.asarray(self)
        # An older version of dlpack cannot say that memory is read-only.
        if copy or max_version is None or tuple(max_version) < (1, 0):
            return host.copy().__dlpack__()
        return host.__dlpack__(max_version=max_version)

    def __dlpack_device__(self: Any) -> tuple[Any, ...]:
        return np.empty(0).__dlpack_device__() if is_ours(self) else device(self)

    array.__dlpack__ = __dlpack__
    array.__dlpack_device__ = __dlpack_device__


def install(library: pathlib.Path) -> None:
    """Installs everything, once."""
    if PLATFORM in mlir._platforms_with_donation:
        return
    install_callbacks(library)
    install_lowerings()
    install_dlpack()
