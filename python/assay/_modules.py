"""Reads modules in every supported form."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import sys
from collections.abc import Sequence
from typing import Any

from ._session import Session
from ._sources import text_field
from ._values import Writer, as_array, decoded
from .errors import Error


@dataclasses.dataclass(frozen=True)
class Module:
    """A legal module as HLO text, with the shapes of its parameters and of its root."""

    hlo: str
    replicas: int
    partitions: int
    parameters: tuple[str, ...]
    result: str
    notes: tuple[str, ...]
    depends_on_inputs: bool = False  # the given module leaves sizes open, which are those of the inputs

    @property
    def devices(self) -> int:
        """The number of devices that run it."""
        return self.replicas * self.partitions


def content(module: Any) -> str | bytes | pathlib.Path:
    """Returns the text or the bytes of a module, or its path.

    A str is the text if it has a line break or begins like a module, otherwise a path.
    """
    if isinstance(module, os.PathLike):
        return pathlib.Path(module)
    if isinstance(module, str):
        is_text = "\n" in module or module.lstrip().startswith(("HloModule", "module"))
        return module if is_text else pathlib.Path(module)
    if isinstance(module, (bytes, bytearray, memoryview)):
        return bytes(module)
    if hasattr(module, "compiler_ir"):
        return text_of_lowered(module)
    if hasattr(module, "mlir_module_serialized"):  # jax.export
        return bytes(module.mlir_module_serialized)
    if hasattr(module, "as_text"):
        return str(module.as_text())
    if hasattr(module, "as_hlo_module"):
        return text_of_hlo_module(module.as_hlo_module())
    if hasattr(module, "to_string"):
        return text_of_hlo_module(module)
    remedy = "; assay.jax.check takes functions of JAX, and jax.jit(f).lower(...) makes a module" * callable(module)
    raise Error("usage", "a module must be text, bytes, a path, or an object with as_text, "
                         f"found {type(module).__name__}{remedy}")  # fmt: skip


def output_places(module: Any) -> list[str]:
    """Returns the place of each array in the result of a function of JAX, such as "out['w'][0]", from what lower(...)
    or jax.export returned; none for other modules."""
    tree = getattr(module, "out_tree", None)
    if tree is None:
        return []
    util = sys.modules["jax"].tree_util
    numbered = util.tree_unflatten(tree, range(tree.num_leaves))
    return [f"out{util.keystr(path)}" for path, _ in util.tree_flatten_with_path(numbered)[0]]


def leaves_of(module: Any, arguments: Sequence[Any]) -> Sequence[Any]:
    """Returns the arrays that a module takes for the arguments of its function in JAX; those of other modules as they
    are."""
    tree = getattr(module, "in_tree", None)
    if tree is None:
        return arguments
    leaves, found = sys.modules["jax"].tree_util.tree_flatten((tuple(arguments), {}))
    kept = getattr(module, "module_kept_var_idx", None)  # of jax.export
    if kept is None:
        kept = getattr(getattr(module, "_lowering", None), "compile_args", {}).get("kept_var_idx", range(len(leaves)))
    return [leaves[i] for i in sorted(kept)] if found == tree else arguments


@dataclasses.dataclass(frozen=True)
class Argument:
    """The name of an argument in messages: its number, and its place in the arguments of a function of JAX."""

    hlo: str
    number: int

    def __str__(self) -> str:
        entry = self.hlo.rpartition("\nENTRY ")[2]
        line = next((line for line in entry.splitlines() if f" parameter({self.number})" in line), "")
        place = text_field(line, "op_name")
        return f"argument {self.number}" + (f" ({place})" if place else "")


def text_of_lowered(lowered: Any) -> str:
    """Returns HLO with all constants and with places in the source, from the result of jax.jit(f).lower(...)."""
    return text_of_hlo_module(lowered.compiler_ir(dialect="hlo").as_hlo_module())


def text_of_hlo_module(module: Any) -> str:
    """Returns the text of jaxlib's HloModule."""
    options = sys.modules[type(module).__module__].HloPrintOptions()
    options.print_large_constants = True
    options.print_metadata = True
    return str(module.to_string(options))


def loaded(session: Session, given: str | bytes | pathlib.Path, replicas: int | None, partitions: int | None,
           inputs: Sequence[Sequence[Any]] = ()) -> Module:  # fmt: skip
    """Returns the module, read and verified by the program. Raises Error. If it leaves sizes open, they are those of
    the inputs: a list for all devices, or for each."""
    reply = load(session, given, replicas, partitions)
    if not inputs or "chosen_size" not in reply:
        return module_of(reply)
    arrays = [[as_array(value, shape, f"argument {i}")[0]
               for i, (value, shape) in enumerate(zip(values, reply["parameters"]))] for values in inputs]  # fmt: skip
    for values in inputs:
        if len(values) != len(reply["parameters"]):
            raise Error("input", f"expected {len(reply['parameters'])} arguments, found {len(values)}")
    with Writer(session.folder, session.spare) as writer:
        reply = load(session, given, replicas, partitions, inputs=writer.devices(arrays))
    return dataclasses.replace(module_of(reply), depends_on_inputs=True)


def loaded_with_inputs(session: Session, given: str | bytes | pathlib.Path, replicas: int | None,
                       partitions: int | None, seed: int) -> tuple[Module, list[tuple[Any, ...]]]:  # fmt: skip
    """Returns the module and the arguments of each device: those recorded with the module, otherwise made from the
    seed."""
    reply = load(session, given, replicas, partitions, makes_inputs=True, seed=seed)
    return module_of(reply), [tuple(map(decoded, values)) for values in reply["inputs"]]


def load(session: Session, given: str | bytes | pathlib.Path, replicas: int | None, partitions: int | None,
         **further: Any) -> dict[str, Any]:  # fmt: skip
    """Returns the reply to the request `load`."""
    request = {"folder": session.folder, "replicas": replicas, "partitions": partitions, **further}
    if isinstance(given, pathlib.Path):
        return session.ask({"load": str(given.absolute()), **request})
    path = pathlib.Path(session.folder, "module")
    text = given if isinstance(given, str) else None
    path.write_bytes(given.encode() if isinstance(given, str) else given)
    try:
        return session.ask({"load": str(path), **request}, module=text)
    except Error as error:
        rule = error.rule.replace(f"{path}: ", "").replace(str(path), "the module")
        raise Error(error.code, rule, error.place) from None
    finally:
        path.unlink(missing_ok=True)


def module_of(reply: dict[str, Any]) -> Module:
    """Returns the module of a reply to `load`."""
    return Module(reply["hlo"], reply["replicas"], reply["partitions"], tuple(reply["parameters"]),
                  reply["result"], tuple(reply["notes"]))  # fmt: skip
