"""The line by which a prompt shows a result: its type, and its text without arrays, modules and lists."""

from __future__ import annotations

LONGEST_LINE = 160


class OneLine:
    """A result with a `repr` of one short line. `print` shows its text."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {shortened(self.summary())}>"

    def summary(self) -> str:
        """Returns the text of the line, of any length."""
        return str(self)


def printable(text: str) -> str:
    """Returns a text with escapes for characters that a terminal or a browser obeys: controls, and directions of
    writing."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def shortened(line: str, longest: int = LONGEST_LINE) -> str:
    """Returns a line without its middle if it is long, and without line breaks."""
    line = printable(" ".join(line.split("\n")))
    half = (longest - 5) // 2
    return line if len(line) <= longest else f"{line[:half]} ... {line[-half:]}"
