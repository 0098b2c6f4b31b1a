"""The exception of assay. It has a code, a place and the violated rule."""

from __future__ import annotations

import dataclasses
from typing import Any

from ._short_text import LONGEST_LINE, OneLine


@dataclasses.dataclass(frozen=True, repr=False)
class Place(OneLine):
    """A place in the text of a module; lines and columns count from 1."""

    line: int
    column: int
    text: str = ""  # the line itself

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


class Error(OneLine, Exception):
    """An error of assay.

    `code` is one of usage, parse, illegal, input, unsupported, io, backend, limit, deadlock, check; `rule` is a
    sentence that says what is wrong; `place` is the place in the module's text, or None.
    """

    def __init__(self, code: str, rule: str, place: Place | None = None):
        super().__init__(code, rule, place)
        self.code = code
        self.rule = rule
        self.place = place

    def __str__(self) -> str:
        text = self.summary()
        if self.place and self.place.text:
            start = max(0, self.place.column - LONGEST_LINE // 2)  # a line with a constant may have megabytes
            text += f"\n  {self.place.text[start : start + LONGEST_LINE]}\n  {' ' * (self.place.column - 1 - start)}^"
        return text

    def summary(self) -> str:
        """Returns the text without the line of the module."""
        return f"{self.place or ''}{': ' if self.place else ''}{self.code}: {self.rule}"


def error_of(reply: dict[str, Any], module: str | None = None) -> Error:
    """Returns the exception for a reply of the program with the status error or unsupported."""
    place = None
    if "place" in reply:
        line, column = reply["place"]["line"], reply["place"]["column"]
        lines = module.splitlines() if module is not None else []
        place = Place(line, column, lines[line - 1] if line <= len(lines) else "")
    return Error(reply.get("code", "backend"), reply.get("message", "no reason given"), place)
