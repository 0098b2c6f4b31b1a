"""The text of a comparison that a prompt or a notebook shows: the verdict, the worst element and the instruction.

The arrays and the module stay out: they are the fields of the comparison.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .verdicts import Comparison

LONGEST_LINE = 160
SHOWN_OUTPUTS = 5


def short_lines(found: Comparison) -> list[str]:
    """Returns the lines of the short text: at most a screen."""
    differing = [output for output in found.outputs if output.worst]
    lines = found.head()
    for output in differing[:SHOWN_OUTPUTS]:
        lines += [f"  {line}" for line in output.lines()]
    if len(differing) > SHOWN_OUTPUTS:
        lines.append(f"  and {len(differing) - SHOWN_OUTPUTS} more outputs that differ")
    if exact := len(found.outputs) - len(differing):
        lines.append(f"  {exact} of {len(found.outputs)} outputs equal to the last bit")
    if first := found.first_divergent:
        lines.append(f"  first to diverge, {first.verdict}: line {first.line}: {first.text}")
        lines += [f"    {first.source}"] if first.source else []
    return [shortened(line) for line in lines]


def shortened(line: str) -> str:
    """Returns a line without its middle if it is long, and without line breaks."""
    line = " ".join(line.splitlines())
    half = (LONGEST_LINE - 5) // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} ... {line[-half:]}"


def short_text(found: Comparison) -> str:
    """Returns the short text, which ends with the way to the whole text."""
    return "\n".join([*short_lines(found), "  print(...) shows all"])


def html_of(found: Comparison) -> str:
    """Returns the short text for a notebook, and the whole text behind a fold."""
    first, *rest = map(html.escape, short_lines(found))
    whole = html.escape("\n".join(found.lines()))
    return (f"<div><b>{first}</b><pre>" + "\n".join(rest) + "</pre><details><summary>all</summary><pre>"
            f"{whole}</pre></details></div>")  # fmt: skip
