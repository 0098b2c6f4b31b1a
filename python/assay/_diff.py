"""Compares a backend with the reference on one module."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from ._evaluate import arguments, limits, positive
from ._modules import Module, content, leaves_of, loaded, loaded_with_inputs, output_places
from ._session import Session, session
from ._sources import Sources, without_metadata
from ._values import Writer, decoded, fitted
from .errors import Error
from .verdicts import Comparison, Element, Instruction, Metrics, Output, Region, Verdict


def diff(module: Any, *arrays: Any, backend: str | Sequence[str] = "xla-cpu", profile: str | None = None,
         seed: int | None = None, per_device: Sequence[Sequence[Any]] | None = None, replicas: int | None = None,
         partitions: int | None = None, seconds: float | None = None, memory: int | str | None = None,
         budget: float = 60, timeout: float = 600) -> Comparison:  # fmt: skip
    """Compares a backend with the reference on a module, and judges each difference, as `assay diff` does.

    `backend` is a name that `assay diff --backend` takes, or the words of a command that speaks the process protocol.
    Without arrays the arguments are those recorded with the module, otherwise they are made from `seed` (0). `profile`
    names the freedoms of the backend. `seconds` and `memory` limit the whole comparison; `budget` limits judging and
    `timeout` each request to the backend, in seconds. The other arguments are those of `evaluate`.

    >>> softmax = "HloModule m\\nENTRY e { x = f32[3] parameter(0) ROOT r = f32[3] tanh(x) }"
    >>> found = diff(softmax, [0.1, 0.2, 0.3], backend="lawful:xla:1")
    >>> found.verdict.name, found.outputs[0].reason, bool(found.outputs[0].ulp_errors.max() <= 5)
    ('LEGAL', 'approximation', True)
    """
    named = backend if isinstance(backend, str) else list(backend)
    request = {**judging(profile, seconds, memory, budget, timeout), "backend": named, "finds_region": True}
    with session() as child:
        read, values = module_and_inputs(child, module, arrays, per_device, replicas, partitions, seed)
        return with_places(compared(child, read, values, request, seconds), output_places(module))


def compare(before: Any, after: Any, *arrays: Any, profile: str | None = None, seed: int | None = None,
            backend: str | Sequence[str] | None = None, seconds: float | None = None, memory: int | str | None = None,
            budget: float = 60, timeout: float = 600) -> Comparison:  # fmt: skip
    """Compares a module with what a change made of it, as `assay diff BEFORE AFTER` does.

    Both are modules of any form with the same parameters and results. `after` runs on the reference, or on `backend`;
    its results must be results that `profile` allows for `before`. Either module may be partitioned: `arrays` are those
    of `before`. The other arguments are those of `diff`.

    >>> before = "HloModule m\\nENTRY e { x = f32[3] parameter(0) y = f32[3] floor(x) ROOT r = f32[3] negate(y) }"
    >>> after = "HloModule m\\nENTRY e { x = f32[3] parameter(0) y = f32[3] negate(x) ROOT r = f32[3] floor(y) }"
    >>> found = assay.compare(before, after, [0, 1, 0.5])
    >>> found.verdict.name, found.outputs[0].worst.index
    ('FAIL', (2,))
    """
    request: dict[str, Any] = {**judging(profile, seconds, memory, budget, timeout)}
    if backend is not None:
        request["backend"] = backend if isinstance(backend, str) else list(backend)
    with session() as child:
        read, values = module_and_inputs(child, before, arrays, None, None, None, seed)
        other = loaded(child, content(after), None, None, values)
        request["after"] = {"hlo": other.hlo, "replicas": other.replicas, "partitions": other.partitions}
        return with_places(compared(child, read, values, request, seconds), output_places(before))


def module_and_inputs(child: Session, module: Any, arrays: Sequence[Any], per_device: Sequence[Sequence[Any]] | None,
                      replicas: int | None, partitions: int | None,
                      seed: int | None) -> tuple[Module, Sequence[Sequence[Any]]]:  # fmt: skip
    """Returns a module with its arguments on each device: those given, recorded with it, or made from a seed."""
    given, arrays = content(module), leaves_of(module, arrays)
    if seed is None and (arrays or per_device is not None):
        read = loaded(child, given, replicas, partitions, per_device or [arrays])
        return read, arguments(read, arrays, per_device)
    if not arrays and per_device is None:
        return loaded_with_inputs(child, given, replicas, partitions, seed or 0)
    raise Error("usage", "expected arrays or a seed, not both")


def judge(module: Any, arrays: Sequence[Any], outputs: Sequence[Any], backend: str | Sequence[str] | None = None,
          name: str | None = None, per_device: Sequence[Sequence[Any]] | None = None, replicas: int | None = 1,
          partitions: int | None = 1, *, profile: str | None = None, seconds: float | None = None,
          memory: int | str | None = None, budget: float = 60, timeout: float = 600) -> Comparison:  # fmt: skip
    """Judges outputs that were computed elsewhere. `backend` runs parts of the module, if there is one.

    `outputs` has the array of the root, or one array for each element of its tuple. With `per_device`, which has a list
    of arguments for each device, it has such a list of outputs for each device. `name` is the backend's name in the
    comparison. The other arguments are those of `diff`.
    """
    request = {**judging(profile, seconds, memory, budget, timeout), "finds_region": backend is not None}
    if backend is not None:
        # A backend with a known name starts only if a part of the module has to run.
        request.update(backend=backend if isinstance(backend, str) else list(backend), opens_late=name is not None)
    with session() as child:
        read = loaded(child, content(module), replicas, partitions, per_device or [arrays])
        values = arguments(read, leaves_of(module, arrays), per_device)
        each = [outputs] if per_device is None else list(outputs)
        if len(each) != read.devices:
            raise Error("input", f"outputs must have a list for each of {read.devices} devices, found {len(each)}")
        return with_places(compared(child, read, values, request, seconds, each, name), output_places(module))


def with_places(found: Comparison, places: Sequence[str]) -> Comparison:
    """Returns the comparison with the outputs named by their places in a function's result. On several devices there
    may be an output for each device."""
    outputs, count = found.outputs, len(places)
    if not count or len(outputs) % count:
        return found
    devices = [f"device {i}: " if len(outputs) > count else "" for i in range(len(outputs) // count)]
    named = tuple(output.at(device + place) for output, (device, place) in zip(outputs, product(devices, places)))
    return dataclasses.replace(found, outputs=named)


def judging(profile: str | None, seconds: float | None, memory: int | str | None, budget: float,
            timeout: float) -> dict[str, Any]:  # fmt: skip
    """Returns the fields of a request `judge` for the options of judging. Raises Error for a wrong one."""
    if profile is not None and not isinstance(profile, str):
        raise Error("usage", f"profile must be a name or a file, found {profile!r}")
    return {"profile": profile or "", "budget": positive("budget", budget), "timeout": positive("timeout", timeout),
            "finds_all_offenders": True, **limits(seconds, memory)}  # fmt: skip


def try_options(backend: str | Sequence[str] | None = None, **options: Any) -> None:
    """Judges a constant with these options of `diff`. Raises Error if an option is wrong or nothing can be judged."""
    zero = "HloModule zero\nENTRY e { ROOT c = f32[] constant(0) }"
    if backend is not None:
        diff(zero, backend=backend, **options)
    else:
        judge(zero, [], [np.float32(0)], **options)


def compared(child: Session, module: Module, values: Sequence[Sequence[Any]], request: dict[str, Any],
             seconds: float | None, outputs: Sequence[Sequence[Any]] | None = None,
             name: str | None = None) -> Comparison:  # fmt: skip
    """Sends a request `judge` and returns the comparison. `outputs` are those of each device, if they are known."""
    with Writer(child.folder, child.spare) as writer:
        request = {"judge": module.hlo, "replicas": module.replicas, "partitions": module.partitions,
                   "inputs": writer.devices(values), "folder": child.folder,
                   "progress_file": os.path.join(child.folder, "progress"), **request}  # fmt: skip
        if outputs is not None:
            request["outputs"] = writer.devices([[root_of(module.result, of_device)] for of_device in outputs])
            request["outputs"] = [value for (value,) in request["outputs"]]
        reply = child.ask(request, seconds, module.hlo)
    peer = request.get("backend")
    want, got = (decoded(reply[side]) if side in reply else () for side in ("want", "got"))
    found = comparison_of(reply, module, values, want, leaves(got), name)
    return dataclasses.replace(found, peer=tuple(peer) if isinstance(peer, list) else peer)


def root_of(shape: str, outputs: Sequence[Any]) -> Any:
    """Returns the value of the root, assembled from its arrays."""
    given = tuple(outputs) if shape.startswith("(") else outputs[0] if len(outputs) == 1 else None
    if given is None:
        raise Error("input", f"expected one output, of {shape}, found {len(outputs)}")
    return fitted(given, shape, "the output")


def leaves(value: Any) -> list[Any]:
    """Returns the arrays of a value, in order, without tokens."""
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part)]
    return [] if value is None else [value]


def places(value: Any, index: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Returns the tuple index of each of the `leaves` of a value."""
    if isinstance(value, tuple):
        return [place for i, part in enumerate(value) for place in places(part, (*index, i))]
    return [] if value is None else [index]


def metrics_of(report: dict[str, Any]) -> dict[tuple[int, ...], Metrics]:
    """Returns the metrics of the arrays that differ, by their tuple indices. JSON has null for NaN and infinity."""
    found: dict[tuple[int, ...], Metrics] = {}
    for one in report.get("metrics", ()):
        numbers: dict[str, Any] = {name: np.nan if one[name] is None else one[name]
                                   for name in ("pcc", "cosine", "relative_l2")}  # fmt: skip
        for name in ("max_ulps", "max_absolute", "max_relative"):
            numbers[name] = np.inf if one[name] is None else one[name]
        close = one["allclose"]
        found[tuple(one["tuple_index"])] = Metrics(**numbers, numpy_allclose=close["numpy"],
                                                   torch_assert_close=close["torch"])  # fmt: skip
    return found


def warnings_of(report: dict[str, Any]) -> tuple[str, ...]:
    """Returns the gates that decide otherwise than the judge, as texts."""
    return tuple(f"{one['gate']} {'passes' if one['passes'] else 'fails'} this, though it is {report['verdict']}"
                 for one in report.get("gate_errors", ()))  # fmt: skip


def comparison_of(reply: dict[str, Any], module: Module, values: Sequence[Sequence[Any]], wanted_value: Any,
                  got: list[Any], name: str | None) -> Comparison:  # fmt: skip
    """Returns the comparison of a reply to `judge`."""
    report, sources, want = reply["report"], Sources(module.hlo), leaves(wanted_value)
    metrics, indices = metrics_of(report), places(wanted_value)
    parts = report.get("elements", [])
    judgements = parts if len(parts) == len(want) and parts else [report["outputs"]] * len(want)
    backend = name or f"{reply['backend']['name']} {reply['backend']['version']}".strip()
    verdict, reason = Verdict(report["verdict"]), without_metadata(report["reason"])
    outputs = []
    for i, (judgement, wanted, given) in enumerate(zip(judgements, want, got)):
        own = Verdict(judgement["verdict"])
        of_whole = len(want) == 1 and own != Verdict.EXACT
        own_reason = without_metadata(judgement.get("reason", ""))
        outputs.append(Output(verdict if of_whole else own, reason if of_whole else own_reason, judgement["elements"],
                              judgement["not_exact"], element_of(judgement, wanted), given, wanted,
                              f"output {i}" if len(want) > 1 else "output", metrics.get(indices[i])))  # fmt: skip
    instructions = tuple(
        Instruction(Verdict(one["verdict"]), without_metadata(one["instruction"]), one["line"], one.get("reason", ""),
                    one["elements"], one["not_exact"], element_of(one), sources.of(one["line"]))
        for one in report["offenders"])  # fmt: skip
    return Comparison(verdict, reason, backend, reply["profile"], tuple(outputs), instructions, report["name"],
                      module.hlo, tuple(map(tuple, values)), module.notes, report["pieces"], report["pieces_exact"],
                      report["on_own_values"], report["reference_seconds"], report["backend_seconds"],
                      region_of(report["region"], sources) if "region" in report else None,
                      warnings=warnings_of(report))  # fmt: skip


def region_of(region: dict[str, Any], sources: Sources) -> Region:
    """Returns the smallest part of a failing module from a reply to `judge`."""
    lines = tuple(one["line"] for one in region["instructions"])
    texts = tuple(without_metadata(one["instruction"]) for one in region["instructions"])
    return Region(Verdict(region["verdict"]), region["reason"], texts, lines, tuple(map(sources.of, lines)),
                  region["module"])  # fmt: skip


def element_of(judgement: dict[str, Any], array: Any = None) -> Element | None:
    """Returns the worst element of a judgement; None if all are exact."""
    if "worst" not in judgement:
        return None
    worst = judgement["worst"]
    index: tuple[int, ...] = (worst["offset"],)
    if array is not None:
        index = tuple(int(i) for i in np.unravel_index(worst["offset"], array.shape)) if array.shape else ()
    return Element(worst["element"], index, worst["got"], worst["want"], worst.get("exact", ""),
                   tuple(worst.get("inputs", ())), worst.get("ulps"), worst.get("share"))  # fmt: skip
