"""The plugin for pytest: the fixture `assay_check`, the marker `assay`, and `--assay=all` (docs/python.md)."""

from __future__ import annotations

import collections
import contextlib
import itertools
import pathlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

# Every run of pytest loads this file: assay, NumPy and JAX are imported only when a test needs them.

KEY = "assay_session"
OPTIONS = ("profile", "backend", "seconds", "memory", "budget", "timeout")
SHOWN_REASONS = 10
SHOWN_VERDICTS = ("EXACT", "LEGAL", "SPEC-GAP", "WEAK", "FAIL")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of the command line."""
    group = parser.getgroup("assay", "what JAX computes, judged by assay")
    group.addoption("--assay", choices=["all"], help="judge every function that the tests compile by JAX")
    group.addoption("--assay-profile", metavar="P", help="freedoms that JAX may use (xla-cpu on the CPU, else xla)")
    group.addoption("--assay-report", metavar="FOLDER", default="assay-failures", help="folder for what fails")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker and starts the watch."""
    names = ", ".join(f"{name}=..." for name in OPTIONS)
    config.addinivalue_line("markers", f"assay({names}): options of assay_check and of --assay=all in this test")
    session = Session(config)
    setattr(config, KEY, session)
    if config.getoption("--assay") == "all":
        session.start()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the watch."""
    if session := getattr(config, KEY, None):
        session.stack.close()


class Session:
    """The verdicts of a run of pytest."""

    def __init__(self, config: pytest.Config):
        self.config = config
        self.stack = contextlib.ExitStack()
        self.verdicts: collections.Counter[str] = collections.Counter()
        self.seconds = 0.0
        self.failures: list[tuple[str, str]] = []  # of all tests: a line and a folder
        self.item: pytest.Item | None = None
        self.of_item: list[str] = []  # failures of the running test, as texts
        self.not_judged: dict[str, list[str]] = {}  # names by the reason
        self.numbers = itertools.count(1)
        self.watch: Any = None  # with --assay=all

    def start(self) -> None:
        """Watches what JAX compiles."""
        try:
            from ._jax_hook import Watch
        except ImportError as error:
            raise pytest.UsageError(f"--assay=all needs jax: {error}") from error
        self.watch = self.stack.enter_context(Watch(self.take, self.options).installed())

    def options(self) -> dict[str, Any]:
        """Returns the options of the running test."""
        profile = self.config.getoption("--assay-profile")
        found = {"profile": profile} if profile else {}
        marker = self.item.get_closest_marker("assay") if self.item else None
        if marker and (marker.args or set(marker.kwargs) - set(OPTIONS)):
            raise pytest.UsageError(f"the marker assay takes {', '.join(OPTIONS)} by their names")
        return {**found, **(marker.kwargs if marker else {})}

    def take(self, judged: Any) -> None:
        """Counts the result of an executable."""
        self.seconds += judged.seconds
        self.count(judged.comparison, judged.name)
        if judged.comparison is None:
            self.not_judged.setdefault(judged.reason.splitlines()[0], []).append(judged.name)

    def count(self, comparison: Any, name: str) -> None:
        """Counts a verdict, and writes a folder for a failure. None means that it was not judged."""
        self.verdicts[str(comparison.verdict) if comparison else "not judged"] += 1
        if comparison is None or not comparison.verdict.is_failure:
            return
        test = self.item.nodeid if self.item else "outside of a test"
        folder = self.write(comparison, name)
        self.failures.append((f"{comparison.verdict} {test}: {name}: {comparison.reason}", folder))
        self.of_item.append(f"{comparison}\n  written to {folder}")

    def write(self, comparison: Any, name: str) -> str:
        """Writes a failure into its own folder."""
        from ._repro import repro
        from .errors import Error
        from .jax import parts_backend

        known = pathlib.Path(self.config.getoption("--assay-report"))
        folder = known / re.sub(r"[^\w.-]+", "_", f"{name}-{next(self.numbers)}")
        with contextlib.suppress(Error):  # the report has the comparison
            repro(comparison, folder, parts_backend(), comparison.profile)
        return str(folder)


@pytest.fixture
def assay_check(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Compares what JAX computes with the reference: assay_check(f, *args), with the options of `assay.jax.check`.

    Fails the test if the verdict is a failure. Returns the comparison.
    """
    session: Session = getattr(request.config, KEY)

    def check(f: Callable[..., Any], *args: Any, **options: Any) -> Any:
        import time

        from . import jax as of_jax

        start = time.monotonic()
        chosen = {**session.options(), **options}
        with session.watch.busy() if session.watch else contextlib.nullcontext():
            found = of_jax.check(f, *args, **chosen)
        session.seconds += time.monotonic() - start
        failures = len(session.of_item)
        session.count(found, found.name)
        if len(session.of_item) > failures:
            pytest.fail(session.of_item.pop(), pytrace=False)
        return found

    return check


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Records which test runs."""
    session: Session = getattr(item.config, KEY)
    session.item, session.of_item = item, []
    yield
    session.item = None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    """Fails a passed test if an executable that it compiled fails."""
    outcome: Any = yield
    session: Session = getattr(item.config, KEY)
    report = outcome.get_result()
    if call.when in ("setup", "call") and report.passed and session.of_item:
        report.outcome = "failed"
        report.longrepr = "\n".join(session.of_item)
        session.of_item = []


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints the table of verdicts."""
    session: Session = getattr(config, KEY)
    total = sum(session.verdicts.values())
    if not total:
        return
    others = total - sum(session.verdicts[name] for name in (*SHOWN_VERDICTS, "not judged"))
    cells = [("executables", total), *((name, session.verdicts[name]) for name in SHOWN_VERDICTS), ("others", others),
             ("not judged", session.verdicts["not judged"]), ("time", f"{session.seconds:.1f} s")]  # fmt: skip
    widths = [max(len(name), len(str(value))) for name, value in cells]
    terminalreporter.section("assay: what JAX computed, beside the reference")
    terminalreporter.write_line("  ".join(name.rjust(width) for (name, _), width in zip(cells, widths)))
    terminalreporter.write_line("  ".join(str(value).rjust(width) for (_, value), width in zip(cells, widths)))
    reasons = sorted(session.not_judged.items(), key=lambda item: -len(item[1]))
    for reason, names in reasons[:SHOWN_REASONS]:
        terminalreporter.write_line(f"not judged, {len(names)} times, as {names[0]}: {reason}")
    for line, folder in session.failures:
        terminalreporter.write_line(line)
        terminalreporter.write_line(f"  {folder}")
