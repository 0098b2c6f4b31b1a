"""The reference interpreter on NumPy arrays."""

from __future__ import annotations

import numbers
import os
import pathlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._modules import Argument, Module, content, leaves_of, loaded
from ._session import STANDARD_MEMORY, Session, session
from ._values import Writer, decoded, fitted
from .errors import Error

SIZE = re.compile(r"(\d+) ?([KMGT]i?)?B?")


def bytes_of(memory: int | str | None) -> int:
    """Returns a limit on memory in bytes, from a number of bytes or a text such as "512MiB".

    >>> bytes_of("512MiB")
    536870912
    """
    if memory is None:
        return STANDARD_MEMORY
    if isinstance(memory, int) and memory > 0:
        return memory
    found = SIZE.fullmatch(str(memory))
    if not found or int(found[1]) == 0:
        raise Error("usage", f'memory must be a number of bytes or a text such as "512MiB", found {memory!r}')
    return int(found[1]) << (10 * " KMGT".index((found[2] or " ")[0]))


def positive(name: str, seconds: float) -> float:
    """Returns a number of seconds. Raises Error if it is not one."""
    if isinstance(seconds, numbers.Real) and not isinstance(seconds, bool) and 0 < seconds < float("inf"):
        return float(seconds)
    raise Error("usage", f"{name} must be a positive number of seconds, found {seconds!r}")


def limits(seconds: float | None, memory: int | str | None) -> dict[str, Any]:
    """Returns the field `limits` of a request."""
    allowed = 0 if seconds is None else positive("seconds", seconds)
    return {"limits": {"seconds": allowed, "array_bytes": bytes_of(memory)}}


def key_of(given: str | bytes | pathlib.Path, *further: Any) -> tuple[Any, ...]:
    """Returns a key that differs between modules. A file may change, so its key has its time and size."""
    if isinstance(given, pathlib.Path) and given.is_file():
        status = os.stat(given)
        return given.absolute(), status.st_mtime_ns, status.st_size, *further
    return given, *further


def sizes_of(inputs: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """Returns what the sizes of a module can depend on: the shapes of the inputs, and the values of integers."""
    arrays = [np.asarray(value) for values in inputs for value in values]
    return tuple((str(a.dtype), a.shape, a.tobytes() if a.dtype.kind in "iub" else b"") for a in arrays)


def compiled(child: Session, module: Any, replicas: int | None, partitions: int | None,
             inputs: Sequence[Sequence[Any]] = ()) -> tuple[str, Module]:  # fmt: skip
    """Returns the handle of the module in the child, and the module. The inputs determine the sizes that it leaves
    open."""
    given = content(module)
    key = key_of(given, replicas, partitions)
    if key in child.open_modules:
        key = (*key, sizes_of(inputs))
    known: tuple[str, Module] | None = child.recall(key)
    if known:
        return known
    read = loaded(child, given, replicas, partitions, inputs)
    if read.depends_on_inputs and key not in child.open_modules:
        child.open_modules.add(key)
        key = (*key, sizes_of(inputs))
    request = {"compile": read.hlo, "replicas": read.replicas, "partitions": read.partitions}
    return child.keep(key, child.ask(request, module=read.hlo)["executable"], read)


def arguments(module: Module, arrays: Sequence[Any], per_device: Sequence[Sequence[Any]] | None) -> list[list[Any]]:
    """Returns the arguments of each device as arrays. Raises Error if they do not match the module's parameters."""
    lists = [arrays] * module.devices if per_device is None else list(per_device)
    if per_device is not None and arrays:
        raise Error("usage", "expected arrays for all devices, or per_device, not both")
    if len(lists) != module.devices:
        raise Error("input", f"per_device must have a list for each of {module.devices} devices, found {len(lists)}")
    known: dict[int, list[Any]] = {}
    for values in lists:
        if id(values) in known:
            continue
        if len(values) != len(module.parameters):
            raise Error("input", f"expected {len(module.parameters)} arguments, found {len(values)}")
        known[id(values)] = [fitted(value, shape, Argument(module.hlo, i))
                             for i, (value, shape) in enumerate(zip(values, module.parameters))]  # fmt: skip
    return [known[id(values)] for values in lists]


def evaluate(module: Any, *arrays: Any, per_device: Sequence[Sequence[Any]] | None = None, replicas: int | None = None,
             partitions: int | None = None, seconds: float | None = None,
             memory: int | str | None = None) -> Any:  # fmt: skip
    """Evaluates a module on the reference interpreter: exact results, rounded once.

    `module` is HLO text, StableHLO text or bytecode, a serialized HloModuleProto, a path, the result of
    jax.jit(f).lower(...) or jax.export, or any object with as_text. `arrays` are its arguments: NumPy arrays (also of
    ml_dtypes), JAX arrays, or numbers. On a module for several devices every device gets them; `per_device` has a list
    for each device instead.

    Returns the array of the root; a tuple for a tuple; for several devices a list with the result of each. `seconds`
    and `memory` limit the evaluation. Raises Error.

    >>> evaluate("HloModule m\\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] exponential(x) }", [0, 1])
    array([1.       , 2.7182817], dtype=float32)
    """
    limited, arrays = limits(seconds, memory), tuple(leaves_of(module, arrays))
    with session() as child:
        handle, read = compiled(child, module, replicas, partitions, per_device or [arrays])
        values = arguments(read, arrays, per_device)
        with Writer(child.folder, child.spare) as writer:
            request = {"run": handle, "inputs": writer.devices(values), "folder": child.folder, **limited}
            outputs = [decoded(output) for output in child.ask(request, seconds, read.hlo)["outputs"]]
    return outputs[0] if len(outputs) == 1 else outputs
