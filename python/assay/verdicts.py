"""The result of a comparison. docs/verdicts.md defines the verdicts."""

from __future__ import annotations

import dataclasses
import enum
import functools
from typing import Any

import numpy as np

from ._short_text import LONGEST_LINE, OneLine, shortened
from ._values import WITHIN_A_BYTE, element_type_of
from .errors import Error


class Verdict(str, enum.Enum):
    """A verdict; the members are ordered from good to bad."""

    EXACT = "EXACT"
    LEGAL = "LEGAL"
    SPEC_GAP = "SPEC-GAP"
    UNSUPPORTED = "UNSUPPORTED"
    WEAK = "WEAK"
    SUSPECT = "SUSPECT"
    FAIL = "FAIL"
    ERROR = "ERROR"
    TIMEOUT = "TIMEOUT"
    CRASH = "CRASH"

    def __str__(self) -> str:
        return self.value

    @property
    def rank(self) -> int:
        """The place in the order from good to bad."""
        return list(Verdict).index(self)

    @property
    def meaning(self) -> str:
        """The verdict in words: a clause without a full stop."""
        return MEANINGS[self]

    @property
    def is_failure(self) -> bool:
        """True for SUSPECT, FAIL, ERROR, TIMEOUT and CRASH: the verdicts with which `assay diff` exits with 1."""
        return self in (Verdict.SUSPECT, Verdict.FAIL, Verdict.ERROR, Verdict.TIMEOUT, Verdict.CRASH)


MEANINGS = {
    Verdict.EXACT: "every element has the bits of the reference",
    Verdict.LEGAL: "every other element is inside the set that the profile opens",
    Verdict.SPEC_GAP: "the specification does not decide the value",
    Verdict.UNSUPPORTED: "the backend declined",
    Verdict.WEAK: "no set is narrow enough to prove anything",
    Verdict.SUSPECT: "inside its set, yet lawful results hardly ever look like this",
    Verdict.FAIL: "outside every value that the profile allows",
    Verdict.ERROR: "the backend reported a failure",
    Verdict.TIMEOUT: "no answer in time",
    Verdict.CRASH: "the backend died, or its answer was not a value of the module's shape",
}


@dataclasses.dataclass(frozen=True, repr=False)
class Element(OneLine):
    """The worst element of an array. Numbers are texts with their bits and their decimal value."""

    name: str  # "element (1)[0,3]"
    index: tuple[int, ...]  # in its array
    got: str
    want: str
    exact: str = ""  # the value before rounding, if it is known
    operands: tuple[str, ...] = ()  # of an element-wise instruction
    ulps: float | None = None
    share: float | None = None  # of the allowance

    def __str__(self) -> str:
        text = self.name + (f" of {', '.join(self.operands)}" if self.operands else "")
        text += f": got {self.got}, want {self.want}"
        if self.exact:
            text += f", exact value {self.exact}"
        if self.ulps is not None:
            text += f", {self.ulps:g} ULP"
        if self.share:
            text += f", {self.share:.3g} of the allowance"
        return text


@dataclasses.dataclass(frozen=True, repr=False)
class Source(OneLine):
    """The place in Python that an instruction comes from."""

    file: str
    line: int
    name: str = ""  # of the operation in JAX: "jit(f)/tanh"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" ({self.name})" if self.name else "")


@dataclasses.dataclass(frozen=True, repr=False)
class Instruction(OneLine):
    """An instruction with a result that differs from the reference's, judged on its operands in the reference."""

    verdict: Verdict
    text: str
    line: int  # in the module's text
    reason: str
    elements: int
    not_exact: int
    worst: Element | None = None
    source: Source | None = None

    def summary(self) -> str:
        """Returns the verdict and the text."""
        return f"{self.verdict}: {self.text}"


@dataclasses.dataclass(frozen=True, repr=False)
class Region(OneLine):
    """The smallest part of a module that fails by itself."""

    verdict: Verdict
    reason: str
    instructions: tuple[str, ...]
    lines: tuple[int, ...]  # of these instructions, in the module's text
    sources: tuple[Source | None, ...]
    hlo: str  # a module with this part alone

    def summary(self) -> str:
        """Returns the verdict and the first instruction."""
        first, *rest = self.instructions
        return f"{self.verdict}: {first}" + (f" and {len(rest)} more" if rest else "")


@dataclasses.dataclass(frozen=True, repr=False)
class Metrics(OneLine):
    """The numbers by which other tools compare an array with the reference's (docs/metrics.md)."""

    pcc: float  # Pearson's correlation coefficient; NaN where NumPy's is
    cosine: float
    relative_l2: float  # |got - want| / |want|
    max_ulps: float
    max_absolute: float
    max_relative: float
    numpy_allclose: bool  # with rtol=1e-5 and atol=1e-8
    torch_assert_close: bool  # with the tolerances of the element type

    def __str__(self) -> str:
        answers = {True: "yes", False: "no"}
        return (f"PCC {self.pcc:.9g}, cosine {self.cosine:.9g}, relative L2 {self.relative_l2:.3g}, largest error "
                f"{self.max_ulps:g} ULP, {self.max_absolute:.3g} absolute, {self.max_relative:.3g} relative; allclose: "
                f"numpy {answers[self.numpy_allclose]}, torch {answers[self.torch_assert_close]}")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Output(OneLine):
    """One array of the outputs: of the reference (`want`) and of the backend (`got`)."""

    verdict: Verdict
    reason: str
    elements: int
    not_exact: int
    worst: Element | None
    got: Any
    want: Any
    name: str = "output"  # "output 1" of several; of a function of JAX its place in the result, "out['w'][0]"
    metrics: Metrics | None = None  # None if the arrays are equal to the last bit

    def __str__(self) -> str:
        return "; ".join(self.lines())

    def lines(self) -> list[str]:
        """Returns the counts, and if the arrays differ the worst element and the metrics."""
        counts = f"{self.name}: {self.verdict}, {self.elements} elements, {self.not_exact} not equal to the last bit"
        lines = [counts, *([f"the worst: {self.worst}"] if self.worst else [])]
        return [*lines, f"metrics: {self.metrics}"] if self.metrics else lines

    def summary(self) -> str:
        """Returns the verdict, the reason and the counts."""
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.verdict}{reason}: {self.name}, {self.not_exact} of {self.elements} elements not exact"

    def at(self, name: str) -> Output:
        """Returns this output under another name. Elements then have their index in it."""
        worst = self.worst
        if worst:
            worst = dataclasses.replace(worst, name=f"element [{','.join(map(str, worst.index))}]")
        return dataclasses.replace(self, name=name, worst=worst)

    @functools.cached_property
    def ulp_errors(self) -> np.ndarray:
        """The distance of each element in units in the last place; infinite to a NaN."""
        return ulp_distance(self.got, self.want)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison(OneLine):
    """The comparison of a backend with the reference on a module. Its text is like the output of `assay diff`."""

    verdict: Verdict
    reason: str
    backend: str
    profile: str
    outputs: tuple[Output, ...]
    instructions: tuple[Instruction, ...]  # not exact, in execution order
    name: str = ""  # of the module
    hlo: str = ""  # its text
    inputs: tuple[Any, ...] = ()  # for each device, a value for each parameter
    notes: tuple[str, ...] = ()
    pieces: int = 0  # executed instructions that were judged alone
    pieces_exact: int = 0
    on_own_values: bool = False  # judged on the backend's own operands
    reference_seconds: float = 0
    backend_seconds: float = 0
    region: Region | None = None  # of a failure
    peer: str | tuple[str, ...] | None = None  # the backend's name, or its command; None: it cannot run again
    warnings: tuple[str, ...] = ()  # gates that pass what is FAIL, or fail what is LEGAL

    @property
    def first_divergent(self) -> Instruction | None:
        """The first instruction whose result differs from the reference's. For a failure, the first one that fails: the
        one to blame; None if no instruction fails alone."""
        return next((one for one in self.instructions if one.verdict.is_failure or not self.verdict.is_failure), None)

    def raise_if_failed(self) -> Comparison:
        """Raises AssertionError with the text of the comparison if the verdict is a failure; returns itself."""
        if self.verdict.is_failure:
            raise AssertionError(str(self))
        return self

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def summary(self) -> str:
        """Returns the verdict, the reason and the counts."""
        differing = sum(output.not_exact > 0 for output in self.outputs)
        counts = (f"{sum(output.not_exact for output in self.outputs)} of {sum(o.elements for o in self.outputs)} "
                  f"elements not exact, in {differing} of {len(self.outputs)} outputs")  # fmt: skip
        reason = shortened(f"{self.reason}; ", LONGEST_LINE // 2) if self.reason else ""
        return f"{self.verdict}: {reason}{counts}; {self.name} on {self.backend}"

    def _repr_html_(self) -> str:
        from ._html import of_comparison

        return of_comparison(self)

    def head(self) -> list[str]:
        """Returns the first lines of the text: the verdict, the reason, and the instruction to blame for a failure."""
        lines = [f"{self.verdict}: {self.name} on {self.backend}, profile {self.profile}"]
        lines += [f"  {self.reason}"] if self.reason else []
        if self.verdict not in (Verdict.SUSPECT, Verdict.FAIL):
            return lines
        first = self.first_divergent
        blamed = f"line {first.line}: {first.text}" if first else "no instruction fails alone"
        return [*lines, f"  to blame: {blamed}"]

    def lines(self, times: bool = True) -> list[str]:
        """Returns the lines of the text, if wanted without the times, which differ from run to run."""
        lines = [*self.head(), *(f"  {output}" for output in self.outputs)]
        lines += [f"  warning: {warning}" for warning in self.warnings]
        if times:
            lines.append(f"  time: reference {self.reference_seconds:.3f} s, backend {self.backend_seconds:.3f} s")
        if self.pieces:
            whose = "the backend itself" if self.on_own_values else "the reference"
            lines.append(f"  cut into {self.pieces} executed instructions, each on the operands that {whose} gave it: "
                         f"{self.pieces_exact} exact")  # fmt: skip
        if self.instructions:
            lines.append("  first to diverge:")
        for one in self.instructions[:SHOWN]:
            lines.append(f"    {one.verdict:<8} line {one.line}: {one.text}")
            if one.source:
                lines.append(f"             {one.source}")
            differ = f"; {one.not_exact} of {one.elements} elements differ, {one.worst}" if one.worst else ""
            lines.append(f"             {one.reason}{differ}")
        if len(self.instructions) > SHOWN:
            lines.append(f"    and {len(self.instructions) - SHOWN} more")
        if self.region:
            lines.append("  smallest part that fails alone:")
            parts = list(zip(self.region.lines, self.region.instructions, self.region.sources))
            for number, text, source in parts[:SHOWN]:
                lines.append(f"    line {number}: {text}" + (f"  {source}" if source else ""))
            if len(parts) > SHOWN:
                lines.append(f"    and {len(parts) - SHOWN} more")
            lines.append(f"    {self.region.verdict}: {self.region.reason}")
        return lines


SHOWN = 10


def ulp_distance(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """Returns for each element the number of steps of its type between the two; for a complex number the larger part.

    Integers count by their difference. Both zeros are one point, and so are all NaNs. The distance from a NaN to a
    number is infinite.

    >>> ulp_distance(np.float32([1, 0, np.nan]), np.float32([np.nextafter(np.float32(1), np.float32(2)), -0.0, 1]))
    array([ 1.,  0., inf])
    """
    got, want = np.asarray(got), np.asarray(want)
    distance: np.ndarray
    if got.shape != want.shape or got.dtype != want.dtype:
        raise Error("input", f"expected two arrays of one shape, found {got.dtype}{list(got.shape)} and "
                             f"{want.dtype}{list(want.shape)}")  # fmt: skip
    if got.dtype.kind == "c":
        distance = np.maximum(ulp_distance(np.real(got).copy(), np.real(want).copy()),
                              ulp_distance(np.imag(got).copy(), np.imag(want).copy()))  # fmt: skip
        return distance
    if got.dtype.kind == "b" or element_type_of(got.dtype)[0] in "su":
        wide = WITHIN_A_BYTE.get(element_type_of(got.dtype), got.dtype)
        return np.abs(got.astype(wide).astype(np.float64) - want.astype(wide).astype(np.float64))
    distance = np.abs(steps(got) - steps(want)).astype(np.float64)
    got_nan, want_nan = np.isnan(got), np.isnan(want)
    return np.where(got_nan & want_nan, 0, np.where(got_nan | want_nan, np.inf, distance))


def steps(array: np.ndarray) -> np.ndarray:
    """Returns the position of each float on the number line of its type, 0 at zero."""
    bits = array.view(np.dtype(f"u{array.dtype.itemsize}")).astype(np.int64)
    kind = element_type_of(array.dtype)
    if kind == "f8e8m0fnu":  # it has no sign
        return bits
    width = 4 if kind == "f4e2m1fn" else 8 * array.dtype.itemsize
    if width == 64:
        magnitude = bits & np.int64((1 << 63) - 1)
        # The difference of two positions may need 65 bits.
        return np.where(bits < 0, -magnitude, magnitude).astype(np.longdouble)
    magnitude = bits & ((1 << (width - 1)) - 1)
    return np.where(bits >> (width - 1) & 1, -magnitude, magnitude)
