"""Shows on a terminal what a long call is doing."""

from __future__ import annotations

import contextlib
import pathlib
import sys
import time

TICK = 0.5  # seconds between two looks
SILENT = 3.0  # seconds before the first line
ERASE = "\r\x1b[K"


class ProgressLine:
    """A line on standard error that is rewritten in place, if that is a terminal. `file` has the present stage."""

    def __init__(self, file: str | None):
        self.file = file
        self.start = time.monotonic()
        self.has_shown = False

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self.has_shown:
            self.write(ERASE)

    def step(self) -> None:
        """Shows the line, if the call has taken long enough."""
        seconds = time.monotonic() - self.start
        if self.file is None or seconds < SILENT or not self.is_terminal():
            return
        stage = ""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            stage = pathlib.Path(self.file).read_text(encoding="utf-8").strip()
        text = f"assay: judging for {seconds:.0f} s" + (f": {stage}" if stage else "")
        self.write(f"{ERASE}{text[:79]}")
        self.has_shown = True

    def is_terminal(self) -> bool:
        """True if the line can be seen and rewritten."""
        return sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()

    def write(self, text: str) -> None:
        """Writes at once. A terminal that is gone is no error of the call."""
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()
