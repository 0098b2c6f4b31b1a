"""Shows what a long call is doing: by tqdm if it is installed, otherwise as a line on a terminal."""

from __future__ import annotations

import contextlib
import importlib
import pathlib
import sys
import time
import warnings
from typing import Any

from ._short_text import printable

TICK = 0.5  # seconds between two looks
SILENT = 2.0  # seconds before the first line
ERASE = "\r\x1b[K"


def bar_of_tqdm(start: float) -> Any:
    """Returns a bar of tqdm that shows a text and the time since the start; None if tqdm is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # in a notebook without ipywidgets, where the bar is a text
            tqdm: Any = importlib.import_module("tqdm.auto")
            bar = tqdm.tqdm(bar_format="{desc} [{elapsed}]", leave=False, file=sys.stderr)
    except ImportError:
        return None
    bar.start_t -= time.monotonic() - start
    return bar


class ProgressLine:
    """A line on standard error that is rewritten in place, if that is a terminal or a notebook.

    `action` says what the call does, such as "judging"; `file`, if there is one, has the present stage.
    """

    def __init__(self, action: str, file: str | None = None):
        self.action, self.file = action, file
        self.start = self.last = time.monotonic()
        self.has_shown = False
        self.bar: Any = None

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.has_shown:
            self.write(ERASE)

    def step(self, stage: str = "") -> None:
        """Shows the line, if the call has taken long enough, with the stage or that of the file."""
        now = time.monotonic()
        seconds = now - self.start
        is_notebook = type(sys.stderr).__module__.startswith("ipykernel")
        if seconds < SILENT or (self.has_shown and now < self.last + TICK) or not (is_notebook or self.is_terminal()):
            return
        if self.file is not None:
            with contextlib.suppress(OSError, UnicodeDecodeError):
                stage = pathlib.Path(self.file).read_text(encoding="utf-8").strip()
        if not self.has_shown:
            self.bar = bar_of_tqdm(self.start)
        self.has_shown, self.last = True, now
        rest = f": {printable(stage)}" if stage else ""
        if self.bar is not None:
            self.bar.set_description_str(f"assay: {self.action}{rest}"[:70])
        elif not is_notebook:  # which does not erase lines
            self.write(f"{ERASE}{f'assay: {self.action} for {seconds:.0f} s{rest}'[:79]}")

    def is_terminal(self) -> bool:
        """True if the line can be seen and rewritten."""
        return sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()

    def write(self, text: str) -> None:
        """Writes at once. A terminal that is gone is no error of the call."""
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()
