"""The texts of results that a prompt or a notebook shows: the verdict, the worst element and the instruction.

Arrays, modules and lists of cases stay out: they are fields of the results.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._check import CheckReport
    from .verdicts import Comparison, Instruction, Region

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
        # The head of a FAIL or SUSPECT has named it.
        if found.verdict not in ("SUSPECT", "FAIL"):
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


def short_report(found: CheckReport) -> str:
    """Returns a line for a report: the totals and the number of cases that fail it."""
    totals = ", ".join(f"{count} {verdict}" for verdict, count in found.totals.items() if count)
    failed = f"{len(found.failed)} cases fail the check"
    return f"<CheckReport of {found.backend}, profile {found.profile}: {totals}; {failed}>"


def short_part(found: Instruction | Region) -> str:
    """Returns a line for a part of a module: its verdict, and its first instruction."""
    texts = getattr(found, "instructions", None) or (getattr(found, "text", ""),)
    more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
    return shortened(f"<{type(found).__name__} {found.verdict}: {texts[0]}{more}>")
