"""The plugin for pytest: the fixture `assay_check`, the marker `assay`, and `--assay=all` (docs/python.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ._pytest_session import OPTIONS, SETTINGS, Session
from ._pytest_tally import limit_of, text_of

KEY = "assay_session"
# The exit codes of a run that came to its end.
ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of the command line."""
    group = parser.getgroup("assay", "what JAX computes, judged by assay")
    group.addoption("--assay", choices=["all"], help="judge every function that the tests compile by JAX")
    group.addoption("--assay-profile", metavar="P", help="freedoms that JAX may use (xla-cpu on the CPU, else xla)")
    group.addoption("--assay-report", metavar="FOLDER", default=SETTINGS["--assay-report"],
                    help="folder for what fails")  # fmt: skip
    group.addoption("--assay-unjudged", metavar="N", type=limit_of, default=SETTINGS["--assay-unjudged"],
                    help="executables that may stay unjudged (0), or any: with more the run fails")  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker and starts the watch."""
    names = ", ".join(f"{name}=..." for name in OPTIONS)
    config.addinivalue_line("markers", f"assay({names}): options of assay_check and of --assay=all in this test")
    session = Session(config)
    setattr(config, KEY, session)
    config.pluginmanager.register(Hooks(session), KEY)
    session.start()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the watch."""
    if session := getattr(config, KEY, None):
        session.stack.close()


@pytest.fixture
def assay_check(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Compares what JAX computes with the reference: assay_check(f, *args), with the options of `assay.jax.check`.

    Fails the test if the verdict is a failure. Returns the comparison.
    """
    session: Session = getattr(request.config, KEY)

    def check(f: Callable[..., Any], *args: Any, **options: Any) -> Any:
        found, failure = session.check_function(f, *args, **options)
        if failure:
            pytest.fail(failure, pytrace=False)
        return found

    return check


class Hooks:
    """The hooks of pytest that need the session."""

    def __init__(self, session: Session):
        self.session = session
        self.is_uncollected = False  # a file was not collected

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        """Fails the collection of a file whose import ran a wrong executable, or whose markers are wrong."""
        with self.session.at(collector.nodeid or "collection", collector) as place:
            outcome: Any = yield
        report = outcome.get_result()
        wrong = map(self.session.wrong_options, report.result if report.passed else ())
        fail(report, [*place.failures, *filter(None, wrong)])

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Judges in the test what it runs."""
        with self.session.at(item.nodeid, item):
            yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begins the test, perhaps for another time: each executable and each failure is new."""
        self.session.restart()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[None]:
        """Judges what a fixture of several tests runs by itself: each of these tests fails with it."""
        if fixturedef.scope == "function":
            yield
            return
        name = f"{fixturedef.baseid or '.'}, fixture {fixturedef.argname}"
        outer = self.session.place
        with self.session.at(name, request.node) as place:
            yield
        self.session.of_fixtures[fixturedef] = place.failures
        outer.failures += place.failures

    def pytest_fixture_post_finalizer(self, fixturedef: Any) -> None:
        """Forgets the failures of a fixture that has ended."""
        self.session.of_fixtures.pop(fixturedef, None)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        """Fails a test that ran a wrong executable, whatever else its result is. The report carries the verdicts."""
        outcome: Any = yield
        report = outcome.get_result()
        fail(report, self.session.failures_of(item))
        report.assay_records = self.session.drain()
        # The properties of the test in JUnit's file.
        added = [(one["verdict"], text_of(one)) for one in report.assay_records]
        item.user_properties += added
        report.user_properties += added

    def pytest_collectreport(self, report: Any) -> None:
        """Notes a file that was not collected. Under xdist the report comes from a worker."""
        self.is_uncollected |= report.failed

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Counts the verdicts that a report carries. Under xdist it comes from a worker."""
        self.session.tally.add(getattr(report, "assay_records", []))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Counts the verdicts of a worker of xdist that no report has carried."""
        ended = getattr(node, "workeroutput", None) or {}
        self.session.tally.add(ended.get("assay_records", []))
        self.session.outside.failures += ended.get("assay_failures", [])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Iterator[None]:
        """Fails the run for what no test can fail for: before the hooks that write reports, and for what they run."""
        self.end(session)
        yield
        if self.end(session):
            for plugin in session.config.pluginmanager.get_plugins():
                if type(plugin).__name__ == "LogXML":
                    plugin.pytest_sessionfinish()  # it has written its file already

    def end(self, session: pytest.Session) -> bool:
        """Reports each failure of the run as a whole. A worker of xdist hands them to the controller. True if there
        are any."""
        own, config = self.session, session.config
        output: Any = getattr(config, "workeroutput", None)
        if output is not None:
            output["assay_records"] = output.get("assay_records", []) + own.drain()
            output["assay_failures"] = list(own.outside.failures)
            return False
        own.tally.add(own.drain())
        stops = self.is_uncollected and not config.option.continue_on_collection_errors
        if own.judges_all and stops and session.exitstatus == pytest.ExitCode.TESTS_FAILED:
            session.exitstatus = pytest.ExitCode.INTERRUPTED  # xdist says only that something failed
        is_over = session.exitstatus in ENDED and not config.option.collectonly
        problems = list(own.problems(session.exitstatus == pytest.ExitCode.OK)) if is_over else []
        for name, text in problems:
            report = pytest.TestReport(f"assay::{name}", ("assay", None, name), {}, "failed", text, "call")
            session.testscollected += 1
            config.hook.pytest_runtest_logreport(report=report)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return bool(problems)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Prints the table of verdicts."""
        if lines := self.session.lines():
            terminalreporter.section("assay: what JAX computed, beside the reference")
            for line in lines:
                terminalreporter.write_line(line)


def fail(report: Any, failures: list[str]) -> None:
    """Makes a report one of a failure. A test that is expected to fail (xfail) fails too."""
    if not failures:
        return
    text = "\n".join(failures)
    if report.failed and hasattr(report.longrepr, "addsection"):
        report.longrepr.addsection("assay", text)
    else:
        report.longrepr = f"{report.longrepr}\n{text}" if report.failed else text
    report.outcome = "failed"
    vars(report).pop("wasxfail", None)
