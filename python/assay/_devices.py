"""Functions of JAX on several devices: each device's part of the module's arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ._modules import loaded
from ._session import session
from .errors import Error
from .verdicts import Output


@dataclasses.dataclass(frozen=True)
class Devices:
    """The devices that run a lowered function.

    JAX's partitioner has not run on the module. So outside of a shard_map each device has the whole of every array, and
    a function with shardings but no shard_map has the same meaning on one device. jax.pmap before JAX 0.8 makes
    replicas instead, each with its slice along the mapped axis.
    """

    count: int = 1
    maps_arguments: tuple[int | None, ...] = ()  # jax.pmap: the mapped axis of each argument
    maps_results: tuple[int | None, ...] = ()

    def counts(self, hlo: str) -> tuple[int, int]:
        """Returns the replicas and partitions of the module."""
        if self.count == 1:
            return 1, 1
        with session() as child:
            read = loaded(child, hlo, self.count if self.maps_arguments else 1, 1 if self.maps_arguments else None)
        if read.devices not in (1, self.count):
            raise Error("unsupported", f"the module is one for {read.devices} devices, and JAX runs it on {self.count}")
        return read.replicas, read.partitions

    def arguments(self, arrays: Sequence[np.ndarray], count: int) -> list[list[np.ndarray]]:
        """Returns the arguments of each device."""
        if not self.maps_arguments:
            return [list(arrays)] * count
        return [[part(array, axis, i) for array, axis in zip(arrays, self.maps_arguments)] for i in range(count)]

    def results(self, results: Sequence[Any], arrays: Sequence[np.ndarray], count: int) -> list[list[np.ndarray]]:
        """Returns the results of each device; `arrays` are the whole results."""
        if self.maps_arguments:
            return [[part(array, axis, i) for array, axis in zip(arrays, self.maps_results)] for i in range(count)]
        copies = [own_copies(result, array, count) for result, array in zip(results, arrays)]
        return [[copy[i] for copy in copies] for i in range(count)]


def devices_of(lowered: Any) -> Devices:
    """Returns the devices of the result of jit(f).lower(...)."""
    compiled_by = getattr(getattr(lowered, "_lowering", None), "compile_args", {})
    if "pci" in compiled_by:
        pmapped = compiled_by["pci"]
        return Devices(pmapped.axis_size, tuple(pmapped.in_axes), tuple(pmapped.out_axes_thunk()))
    assigned = compiled_by.get("device_assignment") or ()
    return Devices(compiled_by.get("num_devices") or len(assigned) or 1)


def part(array: np.ndarray, axis: int | None, i: int) -> np.ndarray:
    """Returns replica i's slice along the mapped axis. The module has that axis with size 1, or not at all."""
    if axis is None:
        return array
    keeps_axis = getattr(jax.config, "jax_pmap_no_rank_reduction", False)
    return np.take(array, [i] if keeps_axis else i, axis)


def own_copies(result: Any, array: np.ndarray, count: int) -> list[np.ndarray]:
    """Returns the copies of a replicated result, one from each device; otherwise the whole array for each device."""
    sharding = getattr(result, "sharding", None)
    if count == 1 or sharding is None or not sharding.is_fully_replicated or len(sharding.device_set) != count:
        return [array] * count
    by_device = {shard.device: shard.data for shard in result.addressable_shards}
    return [np.asarray(by_device[device]) for device in sharding._device_assignment]


def once(outputs: tuple[Output, ...], count: int) -> tuple[Output, ...]:
    """Returns the outputs of the first device if all devices have the same outputs; otherwise all outputs."""
    size = len(outputs) // count

    def is_same(i: int) -> bool:
        first = outputs[i % size]
        return all(np.array_equal(bits(own), bits(of_first))
                   for own, of_first in ((outputs[i].got, first.got), (outputs[i].want, first.want)))  # fmt: skip

    return outputs[:size] if all(map(is_same, range(size, len(outputs)))) else outputs


def bits(array: np.ndarray) -> np.ndarray:
    """Returns the bytes of an array."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
