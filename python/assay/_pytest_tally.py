"""The verdicts of a run of pytest: counted, as the lines of its summary, and the failures of the run as a whole.

Under xdist the workers judge, and the controller counts: records are dictionaries of texts and numbers.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
from collections.abc import Iterator
from typing import Any

NOT_JUDGED = "not judged"
SHOWN_VERDICTS = ("EXACT", "LEGAL", "SPEC-GAP", "WEAK", "SUSPECT", "FAIL")
FAILURES = ("SUSPECT", "FAIL", "ERROR", "TIMEOUT", "CRASH")
UNJUDGED = ("UNSUPPORTED", NOT_JUDGED)
SHOWN_REASONS = 10
SHOWN_OPEN = 50  # executables that are WEAK or have no verdict
ANY = "any"  # --assay-unjudged: no limit


def limit_of(text: str) -> int | str:
    """Returns the value of --assay-unjudged: a number, not negative, or "any"."""
    if text == ANY:
        return ANY
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"expected a number or {ANY}, found {text!r}")
    return int(text)


def record(key: str, name: str, verdict: str, reason: str, where: str, **further: Any) -> dict[str, Any]:
    """Returns a record of one judged run of an executable. Records with one key are counted once."""
    return {"key": key, "name": name, "verdict": verdict, "reason": reason, "where": where, "seconds": 0.0,
            "folder": "", **further}  # fmt: skip


def text_of(one: dict[str, Any]) -> str:
    """Returns the executable and the reason of a record."""
    return f"{one['name']}: {one['reason']}" if one["reason"] else str(one["name"])


def key_of(*parts: str | bytes) -> str:
    """Returns a key that differs between different parts."""
    digest = hashlib.sha256()
    for part in parts:
        part = part.encode() if isinstance(part, str) else part
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


class Tally:
    """The records of a run."""

    def __init__(self) -> None:
        self.by_key: dict[str, dict[str, Any]] = {}
        self.by_place: dict[tuple[str, str], dict[str, Any]] = {}  # by the test and the key

    def add(self, records: list[dict[str, Any]]) -> None:
        """Counts records."""
        for one in records:
            self.by_key.setdefault(one["key"], one)
            self.by_place.setdefault((one["where"], one["key"]), one)

    def counts(self) -> collections.Counter[str]:
        """Returns the number of executables of each verdict."""
        return collections.Counter(one["verdict"] for one in self.by_key.values())

    def unjudged(self) -> list[dict[str, Any]]:
        """Returns the records of executables without a verdict."""
        return [one for one in self.by_key.values() if one["verdict"] in UNJUDGED]

    def places(self, *verdicts: str) -> list[dict[str, Any]]:
        """Returns the records of these verdicts, or all, one for each test, in an order that does not depend on
        workers."""
        chosen = [one for one in self.by_place.values() if not verdicts or one["verdict"] in verdicts]
        return sorted(chosen, key=lambda one: (one["where"], one["name"], one["key"]))

    def table(self) -> list[str]:
        """Returns the table of verdicts: two lines."""
        counts, total = self.counts(), len(self.by_key)
        others = total - sum(counts[name] for name in (*SHOWN_VERDICTS, NOT_JUDGED))
        seconds = sum(one["seconds"] for one in self.by_key.values())
        cells = [("executables", total), *((name, counts[name]) for name in SHOWN_VERDICTS), ("others", others),
                 (NOT_JUDGED, counts[NOT_JUDGED]), ("time", f"{seconds:.1f} s")]  # fmt: skip
        widths = [max(len(name), len(str(value))) for name, value in cells]
        return ["  ".join(name.rjust(width) for (name, _), width in zip(cells, widths)),
                "  ".join(str(value).rjust(width) for (_, value), width in zip(cells, widths))]  # fmt: skip

    def reasons(self) -> Iterator[str]:
        """Yields a line for each reason for not judging, the commonest first."""
        names: dict[str, list[str]] = {}
        for one in self.unjudged():
            names.setdefault(one["reason"], []).append(one["name"])
        ordered = sorted(names.items(), key=lambda item: (-len(item[1]), item[0]))
        for reason, listed in ordered[:SHOWN_REASONS]:
            yield f"not judged, {len(listed)} times, as {min(listed)}: {reason}"
        if rest := ordered[SHOWN_REASONS:]:
            yield f"not judged, {sum(len(listed) for _, listed in rest)} times for {len(rest)} more reasons"

    def nothing_judged(self) -> str:
        """Returns a sentence if no executable has a verdict, else ""."""
        if len(self.by_key) > len(self.unjudged()):
            return ""
        if self.by_key:
            return f"no executable was judged, of {len(self.by_key)} that ran"
        return "no executable was judged: JAX ran none in the processes of the tests"

    def lines(self, judges_all: bool, shows_all: bool) -> Iterator[str]:
        """Yields the lines of the summary. With `shows_all` each verdict has a line with its test."""
        yield from self.table()
        yield from [self.nothing_judged()] if judges_all and self.nothing_judged() else []
        yield from self.reasons()
        still_open = self.places("WEAK", *UNJUDGED)
        for one in self.places() if shows_all else [*still_open[:SHOWN_OPEN], *self.places(*FAILURES)]:
            yield f"{one['verdict']} {one['where']}: {text_of(one)}"
            if one["folder"]:
                yield f"  {one['folder']}"
        if len(still_open) > SHOWN_OPEN and not shows_all:
            yield f"and {len(still_open) - SHOWN_OPEN} more that are WEAK or not judged; -v shows all"

    def problems(self, limit: int | str, must_judge: bool) -> Iterator[tuple[str, str]]:
        """Yields what fails the run as a whole: a name and a text. `limit` is the value of --assay-unjudged; with
        `must_judge` at least one executable must have a verdict."""
        unjudged = self.unjudged()
        if isinstance(limit, int) and len(unjudged) > limit:
            reasons = "\n".join(self.reasons())
            yield "unjudged", (f"{len(unjudged)} of {len(self.by_key)} executables were not judged: expected at most "
                               f"{limit} (--assay-unjudged)\n{reasons}")  # fmt: skip
        elif limit != ANY and must_judge and (nothing := self.nothing_judged()):
            yield "nothing_judged", f"{nothing}; --assay-unjudged any accepts a run without a verdict"
