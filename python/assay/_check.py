"""The commands `check` and `explain`: grades a backend on the corpus, and derives accepted values."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import shlex
import tempfile
from collections.abc import Sequence
from typing import Any

from . import _program
from ._evaluate import arguments
from ._modules import content, loaded
from ._session import session
from ._short_text import OneLine
from ._values import Writer
from .errors import Error

# The exit codes of the program without a report.
CODES = {2: "usage", 3: "backend", 4: "limit"}


@dataclasses.dataclass(frozen=True, repr=False)
class Case(OneLine):
    """A case of the corpus, or a model."""

    name: str
    op: str
    verdict: str  # a Verdict, or UNJUDGED
    standing: str  # "ok", "failed", "expected", ...
    reason: str
    flips: dict[str, Any] | None = None  # of further runs with other bits: "runs", "differing", "settings", ...

    def __str__(self) -> str:
        return f"{self.verdict}: {self.name}" + (f": {self.reason}" if self.reason else "")


@dataclasses.dataclass(frozen=True, repr=False)
class CheckReport(OneLine):
    """The result of `assay check`: `text` is its output, `json` the contents of results.json (docs/formats.md)."""

    backend: str
    profile: str
    totals: dict[str, int]  # by verdict
    cases: tuple[Case, ...]
    exit_code: int
    text: str
    json: dict[str, Any]

    @property
    def failed(self) -> tuple[Case, ...]:
        """The cases that make the check fail."""
        return tuple(case for case in self.cases if case.standing in ("failed", "unexpected"))

    def __str__(self) -> str:
        return self.text

    def summary(self) -> str:
        """Returns the totals and the number of cases that fail the check."""
        totals = ", ".join(f"{count} {verdict}" for verdict, count in self.totals.items() if count)
        return f"of {self.backend}, profile {self.profile}: {totals}; {len(self.failed)} cases fail the check"

    def _repr_html_(self) -> str:
        from ._html import of_report

        return of_report(self)


def name_of(backend: str | Sequence[str]) -> str:
    """Returns a backend for the command line: its name, or `process:exec` and the words of a peer's command."""
    return backend if isinstance(backend, str) else f"process:exec {shlex.join(backend)}"


def failed(arguments: Sequence[str], code: int, said: str) -> Error:
    """Returns the error of a command that returned no report."""
    rule = said.strip().removeprefix("error: ") or f"assay {arguments[0]} ended with exit code {code}"
    return Error(CODES[code], rule) if code in CODES else Error(*_program.blamed(rule))


def check(backend: str | Sequence[str] = "xla-cpu", *, profile: str | None = None, filter: str | None = None,
          quick: bool = False, tags: Sequence[str] = (), jobs: int | None = None, repeat: int = 0,
          vary: Sequence[str] = (), report: str | os.PathLike[str] | None = None,
          options: Sequence[str] = ()) -> CheckReport:  # fmt: skip
    """Grades a backend by the corpus, as `assay check` does.

    `backend` is a name that `assay check` takes, or the words of a command that speaks the process protocol. `filter`
    keeps the cases that match an expression, `quick` those of level 1, `tags` those with a tag. `repeat` runs each case
    so many times more, and `vary` under further settings, each "threads=1,2", "devices=2" or "VARIABLE=value"; a case
    that then returns other bits has `flips`. The files of the report go to the folder `report`; without it none are
    written. `options` are further words of the command line.

    >>> found = check("mutant:floor_truncates", filter="floor/f32/")
    >>> bool(found.failed), "FAIL" in found.totals
    (True, True)
    """
    words = ["check", "--backend", name_of(backend)]
    words += ["--profile", profile] if profile else []
    words += ["--filter", filter] if filter else []
    words += ["--quick"] if quick else []
    words += [word for tag in tags for word in ("--tag", tag)]
    words += ["--jobs", str(jobs)] if jobs else []
    words += ["--repeat", str(repeat)] if repeat else []
    words += [word for setting in vary for word in ("--vary", setting)]
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        where = pathlib.Path(report or folder)
        done = _program.run([*words, "--report", str(where), *options])
        results = where / "results.json"
        if not results.is_file():
            raise failed(words, done.returncode, done.stderr)
        found = json.loads(results.read_text())
    cases = tuple(Case(case["name"], case.get("op", ""), case["verdict"], case["standing"], case.get("reason", ""),
                       case.get("flips"))
                  for case in found["cases"])  # fmt: skip
    described = f"{found['backend']['name']} {found['backend']['version']}"
    return CheckReport(described, found["profile"], found["totals"], cases, done.returncode, done.stdout, found)


def explain(case: Any, *arrays: Any, profile: str | None = None, backend: str | Sequence[str] | None = None,
            element: int | None = None, seconds: float | None = None) -> str:  # fmt: skip
    """Derives step by step which values a profile accepts for each element of a result, like `assay explain`.

    `case` is the name of a golden case, or a module as in `evaluate`, with its arguments. With `backend` the text also
    has the backend's result and verdict. `element` selects one element by its number.

    >>> text = explain("HloModule m\\nENTRY e { x = f32[] parameter(0) ROOT r = f32[] tanh(x) }", 0.5)
    >>> "ULP" in text
    True
    """
    words = ["--profile", profile] if profile else []
    words += ["--backend", name_of(backend)] if backend else []
    words += ["--element", str(element)] if element is not None else []
    words += ["--time-limit", str(seconds)] if seconds else []
    if isinstance(case, str) and "\n" not in case and not arrays and not pathlib.Path(case).exists():
        return explained(["explain", case, *words])
    with tempfile.TemporaryDirectory(prefix="assay-") as folder, session() as child:
        read = loaded(child, content(case), None, None)
        module = pathlib.Path(folder, "module.hlo")
        module.write_text(read.hlo)
        if not arrays:
            return explained(["explain", str(module), *words], folder)
        with Writer(folder) as writer:
            values = {"inputs_per_device": writer.devices(arguments(read, arrays, None))}
            pathlib.Path(folder, "arguments.json").write_text(json.dumps(values))
            return explained(["explain", str(module), "--inputs", f"{folder}/arguments.json", *words], folder)


def explained(words: Sequence[str], folder: str = "") -> str:
    """Returns the output of the command, without the path of its folder. A failure of the backend is not an error."""
    done = _program.run(words)
    if done.returncode in CODES or not done.stdout:
        raise failed(words, done.returncode, done.stderr)
    return done.stdout.replace(f"{folder}/", "") if folder else done.stdout


__all__ = ["Case", "CheckReport", "check", "explain"]
