"""Judges what JAX runs in a process of pytest, and keeps what has failed until a report of pytest can carry it."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ._pytest_tally import NOT_JUDGED, Tally, key_of, record

# Every run of pytest loads this file: assay, NumPy and JAX are imported only when a test needs them.

OPTIONS = ("profile", "backend", "seconds", "memory", "budget", "timeout")
OUTSIDE = "outside of a test"
SETTINGS = {"--assay-profile": None, "--assay-report": "assay-failures", "--assay-unjudged": 0}  # with the defaults


class Place:
    """A test, a file that is being imported, or a fixture of several tests, with what has failed in it."""

    def __init__(self, name: str, node: pytest.Item | pytest.Collector | None):
        self.name = name
        self.node = node
        self.failures: list[str] = []
        self.told: set[str] = set()  # failures that a report has carried
        self.numbers = itertools.count(1)  # of executables that are not judged

    def options(self) -> dict[str, Any]:
        """Returns the options of the markers; the nearest marker has precedence."""
        found: dict[str, Any] = {}
        for marker in self.node.iter_markers("assay") if self.node else ():
            if marker.args or set(marker.kwargs) - set(OPTIONS):
                wrong = [*map(repr, marker.args), *sorted(set(marker.kwargs) - set(OPTIONS))]
                raise pytest.UsageError(f"the marker assay of {self.name}: expected {', '.join(OPTIONS)} by their "
                                        f"names, found {', '.join(wrong)}")  # fmt: skip
            found = {**marker.kwargs, **found}
        return found


class Session:
    """The judge of one process."""

    def __init__(self, config: pytest.Config):
        self.config = config
        self.judges_all = config.getoption("--assay") == "all"
        self.limit: Any = config.getoption("--assay-unjudged")
        self.stack = contextlib.ExitStack()
        self.tally = Tally()  # of all processes
        self.outside = self.place = Place(OUTSIDE, None)
        self.of_fixtures: dict[Any, list[str]] = {}  # failures by the definition of a fixture of several tests
        self.records: list[dict[str, Any]] = []  # that no report has carried yet
        self.known: dict[str, tuple[dict[str, Any], str]] = {}  # the record and the text of a failure by the key
        self.tried: dict[str, str] = {}  # what is wrong with options, or ""
        self.reported: set[str] = set()  # names of the failures of the run as a whole
        self.watch: Any = None  # with --assay=all

    def start(self) -> None:
        """Checks the options, and watches what JAX compiles."""
        if self.judges_all or self.config.getoption("--assay-profile"):
            if error := self.wrong(Place("", None)):
                raise pytest.UsageError(error)
        if not self.judges_all:
            return
        try:
            from ._jax_hook import BEFORE, Watch, compiled_before
        except ImportError as error:
            raise pytest.UsageError(f"--assay=all needs jax: {error}") from error
        self.watch = self.stack.enter_context(Watch(self.take).installed())
        for name in compiled_before():
            self.unjudged(name, BEFORE)

    def options(self, place: Place) -> dict[str, Any]:
        """Returns the options of what a place runs."""
        profile = self.config.getoption("--assay-profile")
        return {**({"profile": profile} if profile else {}), **place.options()}

    def wrong(self, place: Place, tries: bool = True) -> str:
        """Returns what is wrong with the options of a place, or "". Their values are tried on a small module."""
        from ._diff import try_options
        from .errors import Error

        try:
            options = self.options(place)
        except pytest.UsageError as error:
            return str(error)
        if not tries:
            return ""
        if (key := repr(options)) not in self.tried:
            self.tried[key] = ""
            try:
                try_options(**options)
            except Error as error:
                self.tried[key] = str(error)
        return f"assay cannot judge {place.name}: {self.tried[key]}".replace(" : ", ": ") if self.tried[key] else ""

    def wrong_options(self, node: Any) -> str:
        """Returns what is wrong with the markers of a collected test, or ""."""
        if not isinstance(node, pytest.Item):
            return ""
        place = Place(node.nodeid, node)
        return self.wrong(place, self.judges_all or "assay_check" in getattr(node, "fixturenames", ()))

    @contextlib.contextmanager
    def at(self, name: str, node: Any) -> Iterator[Place]:
        """Judges in the block what a place runs, whatever has run before."""
        outer, self.place = self.place, Place(name, node)
        try:
            with self.watch.fresh() if self.watch else contextlib.nullcontext():
                yield self.place
        finally:
            self.place = outer

    def restart(self) -> None:
        """Begins the place again: each executable and each failure is new."""
        self.place.failures.clear()
        self.place.told.clear()
        if self.watch:
            self.watch.restart()

    def take(self, run: Any) -> None:
        """Judges a run of an executable. Equal runs have one verdict, and fail each test."""
        start = time.monotonic()
        try:
            options = self.options(self.place)
            if run.reason:
                return self.unjudged(run.name, run.reason)
            key = key_of(*run.parts(), repr(sorted(options.items())))
            if key in self.known:
                known, text = self.known[key]
                return self.keep({**known, "where": self.place.name}, text)
            found = run.judge(**options)
        except Exception as error:
            # No exception of assay may reach the test, and each is counted.
            return self.unjudged(run.name, (str(error) or type(error).__name__).splitlines()[0], start)
        self.count(found, key, start)

    def unjudged(self, name: str, reason: str, start: float | None = None) -> None:
        """Counts an executable without a verdict."""
        number = next(self.place.numbers)
        seconds = time.monotonic() - start if start else 0.0
        key = key_of(self.place.name, name, reason, str(number))
        self.keep(record(key, name, NOT_JUDGED, reason, self.place.name, seconds=seconds), "")

    def count(self, found: Any, key: str, start: float) -> str:
        """Counts a verdict, and writes a folder for a failure. Returns the text of a failure, or ""."""
        text = folder = ""
        seconds = time.monotonic() - start
        if found.verdict.is_failure:
            folder = self.write(found, key)
            text = "\n".join([*found.lines(times=False), f"  written to {folder}"])
        reason = found.reason.partition("\n")[0]
        made = record(key, found.name, str(found.verdict), reason, self.place.name, seconds=seconds, folder=folder)
        self.known[key] = made, text
        self.keep(made, text)
        return text

    def keep(self, made: dict[str, Any], text: str) -> None:
        """Keeps a record for the next report, and the text of a failure for the report of this place."""
        self.records.append(made)
        if text and text not in self.place.failures:
            self.place.failures.append(text)

    def drain(self) -> list[dict[str, Any]]:
        """Returns the records that no report has carried yet."""
        drained, self.records = self.records, []
        return drained

    def write(self, found: Any, key: str) -> str:
        """Writes a failure into its own folder, which is the same for an equal failure of another process."""
        from ._repro import repro_of_test

        return repro_of_test(found, str(self.config.getoption("--assay-report")), key)

    def failures_of(self, item: pytest.Item) -> list[str]:
        """Returns the failures that no report of the test has carried: its own, and those of its fixtures."""
        # Those that the test names, and those that it has asked for while it ran.
        named = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {}).values()
        asked = getattr(getattr(item, "_request", None), "_fixture_defs", {}).values()
        used = [*(one for several in named for one in several), *asked]
        found = [text for one in used for text in self.of_fixtures.get(one, [])]
        place = self.place
        fresh = [text for text in dict.fromkeys([*place.failures, *found]) if text not in place.told]
        place.told.update(fresh)
        return fresh

    def check_function(self, f: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, str]:
        """Returns the comparison of `assay.jax.check` and the text of a failure."""
        from . import jax as of_jax
        from ._diff import leaves
        from ._sources import plain_text
        from ._values import parts_of

        start = time.monotonic()
        chosen = {**self.options(self.place), **options}
        with self.watch.busy() if self.watch else contextlib.nullcontext():
            found = of_jax.check(f, *args, **chosen)
        arrays = [*leaves(found.inputs), *(output.got for output in found.outputs)]
        key = key_of("assay_check", plain_text(found.hlo), repr(sorted(chosen.items())), *parts_of(arrays))
        text = self.count(found, key, start)
        if text:
            self.place.failures.remove(text)  # the fixture raises it
        return found, text

    def problems(self, passes: bool) -> Iterator[tuple[str, str]]:
        """Yields each failure of the run as a whole once: a name and a text. `passes` is true if nothing has failed."""
        outside = "\n".join(dict.fromkeys(self.outside.failures))
        found = [("outside_of_tests", outside)] if outside else []
        for name, text in [*found, *self.tally.problems(self.limit, self.judges_all and passes)]:
            if name not in self.reported:
                self.reported.add(name)
                yield name, text

    def lines(self) -> list[str]:
        """Returns the lines of the summary: none if nothing was asked for."""
        if self.judges_all or self.tally.by_key:
            return list(self.tally.lines(self.judges_all, self.config.option.verbose > 0))
        given = [name for name, standard in SETTINGS.items() if self.config.getoption(name) != standard]
        if not given:
            return []
        return [f"{', '.join(given)} had no effect: nothing is judged without --assay=all or the fixture assay_check"]
