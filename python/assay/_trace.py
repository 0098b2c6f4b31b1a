"""Names the instructions that make a NaN, an infinity, a subnormal number, an overflow or a cancellation."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from ._diff import module_and_inputs
from ._evaluate import limits
from ._session import session
from ._short_text import OneLine
from ._sources import Sources
from ._values import Writer
from .errors import Error
from .verdicts import Source


@dataclasses.dataclass(frozen=True, repr=False)
class CallStep(OneLine):
    """A call that leads to an instruction. `iteration` counts from 0; None unless the caller is a loop."""

    instruction: str
    line: int
    computation: str
    iteration: int | None = None

    def __str__(self) -> str:
        turn = "" if self.iteration is None else f", iteration {self.iteration}"
        return f"{self.computation} of {self.instruction} (line {self.line}){turn}"


@dataclasses.dataclass(frozen=True, repr=False)
class Finding(OneLine):
    """An instruction that makes an event, or a parameter or constant that holds it: the first element that has it."""

    event: str  # "nan"
    text: str
    line: int  # in the module's text
    element: str  # "element [0,3]"
    value: str
    elements: int  # with the event
    operands: tuple[tuple[str, str], ...] = ()  # names and values of the elements that feed the element
    source: Source | None = None
    calls: tuple[CallStep, ...] = ()  # the entry's first
    index: int | None = None  # the number of instructions executed before; None: a parameter or constant
    executions: int = 0  # of the instruction, that make the event
    device: tuple[int, int] = (0, 0)  # replica, partition
    argument: str = ""  # a parameter's place in the arguments of a function of JAX
    largest_term: float | None = None  # of a cancellation
    exact_sum: float | None = None

    @property
    def iteration(self) -> int | None:
        """The iteration of the innermost loop, counted from 0; None outside of loops."""
        return next((step.iteration for step in reversed(self.calls) if step.iteration is not None), None)

    def __str__(self) -> str:
        what = "" if self.index is not None else " is held by"
        what += f" {self.argument}" if self.argument else ""
        lines = [f"{self.event}{what}: line {self.line}: {self.text}", f"  {self.element} = {self.value}"]
        if self.operands:
            lines.append("  operands: " + ", ".join(f"{name} = {value}" for name, value in self.operands))
        lines += [f"  in: {step}" for step in reversed(self.calls)]
        lines += [f"  source: {self.source}"] if self.source else []
        return "\n".join(lines)


@dataclasses.dataclass(frozen=True, repr=False)
class Trace(OneLine):
    """The findings of a trace."""

    findings: tuple[Finding, ...]  # in execution order; one for each event of an instruction
    sources: tuple[Finding, ...]  # parameters, constants and values of the host that hold an event
    executed: int
    results: dict[str, int]  # the elements of the results with each event, and all "elements"
    hlo: str = ""

    @property
    def first(self) -> Finding | None:
        """The first parameter that holds an event; otherwise the first instruction that makes it; otherwise the first
        constant that holds it; None if there is none."""
        given = [one for one in self.sources if " parameter(" in one.text]
        return next(iter((*given, *self.findings, *self.sources)), None)

    def __str__(self) -> str:
        held = f", {len(self.sources)} inputs and constants that hold one" if self.sources else ""
        first = f"; the first: {self.first}" if self.first else ""
        return f"{len(self.findings)} events in {self.executed} executed instructions{held}{first}"

    def _repr_html_(self) -> str:
        from ._html import of_trace

        return of_trace(self)


def trace(module: Any, *arrays: Any, events: Sequence[str] = ("nan",), seed: int | None = None,
          per_device: Sequence[Sequence[Any]] | None = None, replicas: int | None = None,
          partitions: int | None = None, seconds: float | None = None,
          memory: int | str | None = None) -> Trace:  # fmt: skip
    """Evaluates a module on the reference and finds the instructions that make an event, as `assay trace` does.

    `events` are names such as "nan", "inf", "subnormal", "overflow" and "cancellation>2^10". Without arrays the
    arguments are those recorded with the module, otherwise they are made from `seed` (0). The other arguments are those
    of `evaluate`.

    >>> root = "HloModule m\\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] sqrt(x) }"
    >>> print(trace(root, [1, -1]).first)
    nan: line 2: %r = f32[2]{0} sqrt(%x)
      element [1] = x7fc00000 (nan)
      operands: x[1] = xbf800000 (-1)
    """
    if isinstance(events, str):
        raise Error("usage", f"events must be a list of names, found {events!r}")
    limited = limits(seconds, memory)
    with session() as child:
        read, values = module_and_inputs(child, module, arrays, per_device, replicas, partitions, seed)
        with Writer(child.folder, child.spare) as writer:
            request = {"trace_events": read.hlo, "events": list(events), "replicas": read.replicas,
                       "partitions": read.partitions, "inputs": writer.devices(values), "folder": child.folder,
                       **limited}  # fmt: skip
            reply = child.ask(request, seconds, read.hlo)
    sources = Sources(read.hlo)
    made, held = (tuple(finding_of(one, sources) for one in reply[name]) for name in ("findings", "sources"))
    return Trace(made, held, reply["executed"], reply["results"], read.hlo)


def finding_of(found: dict[str, Any], sources: Sources) -> Finding:
    """Returns a finding, or a source of events, from its JSON."""
    source = found.get("source")
    device = found["device"]
    return Finding(
        event=found["event"], text=found["text"], line=found["line"], element=found["element"], value=found["value"],
        elements=found["elements"],
        operands=tuple((operand["element"], operand["value"]) for operand in found.get("operands", ())),
        source=Source(source["file"], source["line"], source["op_name"]) if source else None,
        calls=tuple(CallStep(**step) for step in found.get("calls", ())), index=found.get("index"),
        executions=found.get("executions", 0), device=(device["replica"], device["partition"]),
        argument=sources.argument(found["line"]) if " parameter(" in found["text"] else "",
        largest_term=found.get("largest_term"), exact_sum=found.get("exact_sum"),
    )  # fmt: skip
