"""Watches the executables that JAX runs in this process."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax._src import compiler, lib, pjit, xla_bridge
from jax._src.interpreters import mlir, pxla

from ._devices import Devices
from ._modules import text_of_hlo_module
from ._sources import plain_text
from ._values import parts_of
from .errors import Error
from .jax import as_numpy, diff_results, judge_results
from .verdicts import Comparison

BEFORE = ("its program is not known: it was deserialized, or compiled before --assay=all began, by a conftest.py that "
          "pytest reads first; compile it in a fixture")  # fmt: skip


class Source:
    """The program of an executable. The executable itself, until it has run: its number stays its own."""

    def __init__(self, stablehlo: bytes, executable: Any):
        self.stablehlo = stablehlo
        self.executable = executable

    @functools.cached_property
    def hlo(self) -> str:
        """HLO text with the places in the source."""
        convert = extension().mlir.mlir_module_to_xla_computation
        computation = convert(self.stablehlo, use_tuple_args=False, return_tuple=False)
        return text_of_hlo_module(computation.as_hlo_module())

    @functools.cached_property
    def plain(self) -> str:
        """HLO text that is equal for equal programs of different places."""
        return plain_text(self.hlo)


def extension() -> Any:
    """Returns jaxlib's extension module, under the name that this version has for it."""
    library: Any = lib
    return library._jax if hasattr(library, "_jax") else library.xla_client._xla


@dataclasses.dataclass(frozen=True)
class Run:
    """The first run of an executable in a block (`Watch.fresh`)."""

    name: str
    source: Source | None
    devices: Devices
    arguments: Sequence[np.ndarray]
    results: Sequence[Any]  # leaves of JAX
    reason: str  # for not judging; "" if it can be judged

    def parts(self) -> Iterator[str | bytes]:
        """Yields the program, the arguments and the results: equal runs have equal parts."""
        assert self.source
        yield self.source.plain
        shards = [shard.data for result in self.results for shard in getattr(result, "addressable_shards", [])]
        yield from parts_of([*self.arguments, *map(as_numpy, shards if self.devices.count > 1 else self.results)])

    def judge(self, **options: Any) -> Comparison:
        """Judges the results. Raises Error."""
        if self.reason or self.source is None:
            raise Error("unsupported", self.reason)
        if "backend" not in options:
            options.setdefault("profile", "xla-cpu" if jax.default_backend() == "cpu" else "xla")
        if "backend" in options:
            found = diff_results(self.source.hlo, self.devices, self.arguments, **options)
        else:
            described = f"JAX {jax.__version__} on {jax.default_backend()}"
            found = judge_results(self.source.hlo, self.devices, self.arguments, self.results, described, **options)
        return dataclasses.replace(found, name=self.name)


class Watch:
    """Calls `tell` with the first run of each executable in each block."""

    def __init__(self, tell: Callable[[Run], None]):
        self.tell = tell
        self.waiting: dict[int, Source] = {}  # executables that have not run, by their number
        # A source lives as long as one of the programs that run its executable.
        self.by_number: weakref.WeakValueDictionary[int, Source] = weakref.WeakValueDictionary()
        self.by_program: weakref.WeakKeyDictionary[Any, Source | None] = weakref.WeakKeyDictionary()
        self.seen: weakref.WeakSet[Any] = weakref.WeakSet()  # programs that have run in this block
        self.own = threading.local()

    @contextlib.contextmanager
    def installed(self) -> Iterator[Watch]:
        """Watches until the end of the block."""
        executed: Any = pxla.ExecuteReplicated
        compile_or_get, execute = compiler.compile_or_get_cached, executed.__call__

        def compile_and_note(backend: Any, computation: Any, *rest: Any, **named: Any) -> Any:
            stablehlo = mlir.module_to_bytecode(computation)  # before the compiler, which may change the module
            executable = compile_or_get(backend, computation, *rest, **named)
            self.waiting[id(executable)] = Source(stablehlo, executable)
            return executable

        def execute_and_tell(program: Any, *args: Any) -> Any:
            source = self.source_of(program)
            if self.is_busy() or program in self.seen:
                return execute(program, *args)
            self.seen.add(program)
            with self.busy():
                reason, arguments = arguments_of(program, source, args)  # before they are donated
            results = execute(program, *args)
            with self.busy():
                devices = Devices(len(program.xla_executable.local_devices()))
                self.tell(Run(program.name, source, devices, arguments, results, reason))
            return results

        compiler.compile_or_get_cached = compile_and_note
        executed.__call__ = execute_and_tell
        try:
            yield self
        finally:
            compiler.compile_or_get_cached = compile_or_get
            executed.__call__ = execute

    @contextlib.contextmanager
    def fresh(self) -> Iterator[None]:
        """Begins a block in which each executable is new, and returns to the block around it at its end."""
        outer = self.seen
        self.restart()
        try:
            yield
        finally:
            self.seen = outer
            forget_dispatch()

    def restart(self) -> None:
        """Begins the block again: each executable is new."""
        self.seen = weakref.WeakSet()
        forget_dispatch()

    def source_of(self, program: Any) -> Source | None:
        """Returns the source of a program; None if it was compiled elsewhere."""
        if program not in self.by_program:
            number = id(program.xla_executable)
            source = self.waiting.pop(number, None) or self.by_number.get(number)
            self.by_program[program] = source
            if source:
                source.executable = None
                self.by_number[number] = source
        return self.by_program[program]

    def is_busy(self) -> bool:
        """True if this thread is judging."""
        return getattr(self.own, "busy", False)

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Ignores what this thread runs in the block."""
        outer, self.own.busy = self.is_busy(), True
        try:
            yield
        finally:
            self.own.busy = outer


def forget_dispatch() -> None:
    """Makes the next call of each jitted function go through Python, where the watch sees it."""
    for name, cache in vars(pjit).items():
        if name.startswith("_cpp_pjit_cache"):
            cache.clear()
    extension().PjitFunctionCache.clear_all()


def compiled_before() -> list[str]:
    """Returns the names of the executables that JAX has compiled in this process so far."""
    clients = list(getattr(xla_bridge, "_backends", {}).values())  # asking JAX for its clients would make them
    return [one.hlo_modules()[0].name for client in clients for one in client.live_executables()]


def arguments_of(program: Any, source: Source | None, args: Sequence[Any]) -> tuple[str, list[np.ndarray]]:
    """Returns the reason for not judging, or "", and the arguments of the module."""
    if reason := BEFORE if source is None else reason_against(program):
        return reason, []
    try:
        return "", [as_numpy(arg) for i, arg in enumerate(args) if i in program.kept_var_idx]
    except Exception as error:  # a kind of argument that NumPy has no array for
        return f"its arguments cannot be read: {error}", []


def shardings_of(program: Any) -> list[Any]:
    """Returns the shardings of the arguments and results of an executable."""
    return [*program.in_handler.in_shardings, *getattr(program.out_handler, "out_shardings", ())]


def reason_against(program: Any) -> str:
    """Returns the reason for not judging an executable; "" if it is judged."""
    if any(type(sharding).__name__ == "PmapSharding" for sharding in shardings_of(program)):
        return "it is a pmap of JAX before 0.8"
    if program.ordered_effects or program.has_unordered_effects or program.has_host_callbacks:
        return "it has effects, or calls back to the host"
    if program.mut:
        return "it changes its arguments"
    return ""
