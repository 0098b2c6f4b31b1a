"""Batch invariance of a function of JAX: the result of each element of a batch, in the batch and alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._progress import ProgressLine
from ._short_text import OneLine
from .errors import Error
from .verdicts import Comparison, Verdict


@dataclasses.dataclass(frozen=True, repr=False)
class BatchInvariance(OneLine):
    """The elements of a batch whose results alone have other bits, and the verdict. True if there are none."""

    verdict: Verdict  # EXACT: all bits are equal. Otherwise the worse one of both results, and at least LEGAL
    size: int
    differing: tuple[int, ...]  # places in the batch
    in_batch: Comparison | None = None  # the judgement of the whole batch, if an element differs
    alone: Comparison | None = None  # that of the first element that differs
    outputs: tuple[str, ...] = ()  # the places of the arrays that differ in that element, such as "out['w']"

    def __bool__(self) -> bool:
        return not self.differing

    def __str__(self) -> str:
        if not self.differing:
            return f"{self.verdict}: each of {self.size} elements has the same bits in the batch and alone"
        places = ", ".join(map(str, self.differing[:8])) + (", ..." if len(self.differing) > 8 else "")
        which = f", first in {', '.join(self.outputs)}" if self.outputs else ""
        return f"{self.verdict}: {len(self.differing)} of {self.size} elements have other bits alone: {places}{which}"


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """True if two arrays have equal bits; any NaN equals any other."""

    def without_nan(array: np.ndarray) -> bytes:
        return np.where(array != array, np.zeros_like(array), array).tobytes()

    alike = a.shape == b.shape and a.dtype == b.dtype
    return alike and bool(np.array_equal(a != a, b != b)) and without_nan(a) == without_nan(b)


def batch_invariance(arrays_of: Callable[[Any], list[np.ndarray]], exact_of: Callable[[Any], list[np.ndarray]],
                     check: Callable[[Any], Comparison], x: Any, axis: int,
                     places: Sequence[str]) -> BatchInvariance:  # fmt: skip
    """Compares the arrays of a batch with those of its elements. `exact_of` gives the same arrays without errors;
    `places` are the arrays' names."""
    size = np.shape(x)[axis]
    one = [np.s_[(slice(None),) * axis + (slice(i, i + 1),)] for i in range(size)]

    def parts(arrays: list[np.ndarray], i: int) -> list[np.ndarray]:
        for array, place in zip(arrays, places):
            if array.ndim <= axis or array.shape[axis] != size:
                raise Error("usage", f"{place} must have axis {axis} of size {size}, found shape {array.shape}")
        return [array[one[i]] for array in arrays]

    def differs(whole: list[np.ndarray], arrays: list[np.ndarray], i: int) -> tuple[str, ...]:
        return tuple(place for a, b, place in zip(parts(whole, i), arrays, places) if not same_bits(a, b))

    whole = arrays_of(x)
    differing: tuple[int, ...] = ()
    outputs: tuple[str, ...] = ()
    with ProgressLine("comparing each element of the batch") as progress:
        for i in range(size):
            progress.step(f"{i} of {size}")
            if places_here := differs(whole, arrays_of(x[one[i]]), i):
                differing += (i,)
                outputs = outputs or places_here
    if not differing:
        return BatchInvariance(Verdict.EXACT, size, ())
    first = differing[0]
    if differs(exact_of(x), exact_of(x[one[first]]), first):
        raise Error("usage", f"the exact results differ too: axis {axis} is no batch of independent elements")
    in_batch, alone = check(x), check(x[one[first]])
    verdict = max(Verdict.LEGAL, in_batch.verdict, alone.verdict, key=lambda one: one.rank)
    return BatchInvariance(verdict, size, differing, in_batch, alone, outputs)
