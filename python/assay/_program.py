"""Finds and runs the program `assay`."""

from __future__ import annotations

import functools
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Sequence

from ._progress import TICK, ProgressLine
from .errors import Error

PACKAGE = pathlib.Path(__file__).resolve().parent


@functools.cache
def find() -> pathlib.Path:
    """Returns the path of the program: ASSAY_PROGRAM, the one in the wheel, or the one that a clone has built."""
    if named := os.environ.get("ASSAY_PROGRAM"):
        candidates = [pathlib.Path(named)]
    else:
        candidates = [PACKAGE / "_program/bin/assay", PACKAGE.parents[1] / "build/tools/assay"]
    for path in candidates:
        if path.is_file():
            return path
    raise Error(*blamed(f"the program assay was not found: expected {' or '.join(map(str, candidates))}"))


def blamed(rule: str) -> tuple[str, str]:
    """Returns the code and the rule of an error of the program itself: ASSAY_PROGRAM is to blame if it is set."""
    named = os.environ.get("ASSAY_PROGRAM")
    return ("usage", f"ASSAY_PROGRAM={named}: {rule}") if named else ("backend", rule)


@functools.cache
def adapters() -> pathlib.Path:
    """Returns the folder of the peers that are Python programs."""
    for path in (PACKAGE / "_program/share/assay/backends/adapters", PACKAGE.parents[1] / "backends/adapters"):
        if path.is_dir():
            return path
    raise Error("backend", "the peers of assay were not found beside the program")


def environment() -> dict[str, str]:
    """Returns the environment of the program. Peers that are Python programs run in this Python."""
    folder = str(pathlib.Path(sys.executable).parent)
    path = os.environ.get("PATH", "")
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{path}" if path else folder}


def run(arguments: Sequence[str], seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a command of the program and waits for its end. SIGINT ends it together with the caller."""
    command, start = [str(find()), *arguments], time.monotonic()
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, env=environment())  # fmt: skip
    except OSError as error:
        raise Error(*blamed(f"the program assay cannot be started: {error}")) from error
    with child, ProgressLine(arguments[0]) as progress:
        while True:
            try:
                output, said = child.communicate(timeout=TICK)
                return subprocess.CompletedProcess(command, child.returncode, output, said)
            except subprocess.TimeoutExpired:
                progress.step()
                if seconds is not None and time.monotonic() > start + seconds:
                    child.kill()
                    raise Error("limit", f"assay {arguments[0]} took longer than {seconds} s") from None
            except BaseException:
                child.kill()
                raise


def main() -> None:
    """Replaces this process by the program. The script `assay` calls it."""
    program = find()
    os.execve(program, [str(program), *sys.argv[1:]], environment())
