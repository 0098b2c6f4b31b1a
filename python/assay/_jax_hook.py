"""Watches what JAX compiles and judges the first run of each executable."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import jax
from jax._src import compiler
from jax._src.interpreters import mlir, pxla

from ._devices import Devices
from ._modules import text_of_hlo_module
from .errors import Error
from .jax import as_numpy, judge_results
from .verdicts import Comparison


@dataclasses.dataclass(frozen=True)
class Judged:
    """The verdict on one executable, or the reason for not judging it."""

    name: str
    seconds: float  # for judging
    comparison: Comparison | None
    reason: str = ""  # for not judging


@dataclasses.dataclass
class Waiting:
    """An executable that has not run yet."""

    executable: Any  # kept alive, so that its number stays its own
    stablehlo: bytes


def hlo_of(stablehlo: bytes) -> str:
    """Returns HLO text with the places in the source."""
    converter = jax._src.lib.xla_client._xla if not hasattr(jax._src.lib, "_jax") else jax._src.lib._jax
    computation = converter.mlir.mlir_module_to_xla_computation(stablehlo, use_tuple_args=False, return_tuple=False)
    return text_of_hlo_module(computation.as_hlo_module())


class Watch:
    """Judges each executable of this process when it runs for the first time, and calls `tell` with the result.

    `options` is called for each executable and returns the options of `assay.judge`. Executables with the same text and
    options are judged once.
    """

    def __init__(self, tell: Callable[[Judged], None], options: Callable[[], dict]):
        self.tell = tell
        self.options = options
        self.waiting: dict[int, Waiting] = {}
        self.seen: set[tuple[str, str]] = set()
        self.own = threading.local()  # executables that judging itself compiles are not watched

    @contextlib.contextmanager
    def installed(self) -> Iterator[Watch]:
        """Watches until the end of the block."""
        compile_or_get, execute = compiler.compile_or_get_cached, pxla.ExecuteReplicated.__call__

        def compile_and_note(backend: Any, computation: Any, *rest: Any, **named: Any) -> Any:
            # The compiler may change the module.
            stablehlo = None if self.is_busy() else mlir.module_to_bytecode(computation)
            executable = compile_or_get(backend, computation, *rest, **named)
            if stablehlo is not None:
                self.waiting[id(executable)] = Waiting(executable, stablehlo)
            return executable

        def execute_and_judge(program: Any, *args: Any) -> Any:
            waiting = None if self.is_busy() else self.waiting.pop(id(program.xla_executable), None)
            if waiting is None:
                return execute(program, *args)
            with self.busy():
                kept = [arg for i, arg in enumerate(args) if i in program.kept_var_idx]
                devices = Devices(len(program.xla_executable.local_devices()))
                reason = reason_against(program)
                values = [] if reason else [as_numpy(arg) for arg in kept]  # before they are donated
            results = execute(program, *args)
            with self.busy():
                self.judge(program.name, waiting, devices, values, results, reason)
            return results

        compiler.compile_or_get_cached = compile_and_note
        pxla.ExecuteReplicated.__call__ = execute_and_judge
        try:
            yield self
        finally:
            compiler.compile_or_get_cached = compile_or_get
            pxla.ExecuteReplicated.__call__ = execute

    def is_busy(self) -> bool:
        """True if this thread is judging."""
        return getattr(self.own, "busy", False)

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Ignores what this thread compiles in the block."""
        self.own.busy = True
        try:
            yield
        finally:
            self.own.busy = False

    def judge(self, name: str, waiting: Waiting, devices: Devices, values: list, results: Any,
              reason: str) -> None:  # fmt: skip
        """Judges the first run of an executable."""
        start = time.monotonic()
        try:
            if reason:
                raise Error("unsupported", reason)
            hlo = hlo_of(waiting.stablehlo)
            options = {"profile": "xla-cpu" if jax.default_backend() == "cpu" else "xla", **self.options()}
            if (hlo, str(options)) in self.seen:
                return
            self.seen.add((hlo, str(options)))
            described = f"JAX {jax.__version__} on {jax.default_backend()}"
            found = judge_results(hlo, devices, values, jax.tree_util.tree_leaves(results), described, **options)
            self.tell(Judged(name, time.monotonic() - start, dataclasses.replace(found, name=name)))
        except Error as error:
            self.tell(Judged(name, time.monotonic() - start, None, str(error)))


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
