"""The pages of results in a notebook: HTML without scripts, for light and dark screens of any width."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ._short_text import printable, shortened
from ._sources import plain_text

if TYPE_CHECKING:
    from ._check import CheckReport
    from ._trace import Trace
    from .verdicts import Comparison, Instruction, Output

SHOWN_ROWS = 20
SHOWN_PLOTS = 3
SHOWN_CHARACTERS = 20_000  # of a module
COLUMNS = 120  # of a plot
# The colors of verdicts are those of the site (tools/site/templates/style.css). JupyterLab gives tables colors and
# alignments of its own, which the doubled class overrides.
STYLE = """<style>
.assay.assay{--page:#fff;--text:#1c2024;--line:#d5dae0;--soft:#f4f6f8;--bar:#0a58ca;--nan:#c2410c;
--good:#d3f2da;--fine:#e2f0fb;--open:#ece6fa;--weak:#fbeec0;--suspect:#fbdcb8;--bad:#fbd3d0;color-scheme:light;
background:var(--page);color:var(--text);font:14px/1.5 system-ui,sans-serif;padding:.7em 1em;max-width:70em;
overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){.assay.assay{--page:#14181d;--text:#e4e8ec;--line:#343c46;--soft:#1d232a;
--bar:#7db4ff;--nan:#fb923c;--good:#1d4a2b;--fine:#1d3f58;--open:#3a2f5c;--weak:#54460f;--suspect:#5e3a10;--bad:#6b2320;
color-scheme:dark}}
.assay.assay p{margin:.3em 0}.assay.assay .scroll{overflow-x:auto;margin:.6em 0}
.assay.assay table{border-collapse:collapse;font-size:13px;margin:0;color:inherit}
.assay.assay tr{background:none!important}
.assay.assay caption{text-align:left;font-weight:600;color:inherit;padding:.2em 0}
.assay.assay th,.assay.assay td{border:1px solid var(--line);padding:.2em .55em;text-align:left;vertical-align:top;
color:inherit;max-width:40em;overflow-wrap:break-word}
.assay.assay td:first-child{min-width:9em}
.assay.assay th{background:var(--soft);font-weight:500;white-space:nowrap}
.assay.assay :is(code,pre){font:12px/1.45 ui-monospace,monospace;color:inherit;background:var(--soft);padding:0 .2em}
.assay.assay pre{padding:.6em;overflow:auto;max-height:30em;white-space:pre}
.assay.assay summary{cursor:pointer}
.assay.assay .chip{border-radius:4px;padding:.05em .5em;font-weight:600;white-space:nowrap;background:var(--soft)}
.assay.assay .EXACT{background:var(--good)}.assay.assay .LEGAL{background:var(--fine)}
.assay.assay .SPEC-GAP{background:var(--open)}.assay.assay .WEAK{background:var(--weak)}
.assay.assay .SUSPECT{background:var(--suspect)}
.assay.assay :is(.FAIL,.ERROR,.TIMEOUT,.CRASH){background:var(--bad)}
.assay.assay svg{display:block;width:100%;max-width:34em;height:auto}
.assay.assay text{font:12px system-ui;fill:var(--text)}
.assay.assay .grid{stroke:var(--line)}.assay.assay .bar{stroke:var(--bar)}.assay.assay .nan{stroke:var(--nan)}
</style>"""
LEFT, TOP, WIDTH, HEIGHT = 44, 8, 360, 90  # of the field of a plot


class Html(str):
    """A text that is HTML already."""


def shown(cell: object) -> str:
    """Returns a cell as HTML."""
    return cell if isinstance(cell, Html) else html.escape(printable(str(cell)))


def code(text: str) -> Html:
    """Returns a part of a module: one line."""
    return Html(f"<code>{shown(shortened(text, 300))}</code>")


def chip(verdict: str) -> Html:
    """Returns a verdict on its color."""
    return Html(f'<span class="chip {shown(verdict)}">{shown(verdict)}</span>')


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table. Without heads the first cell of each row is its head."""
    lines = [f"<tr>{''.join(f'<th>{shown(head)}</th>' for head in heads)}</tr>"] if heads else []
    for first, *rest in rows:
        tag = "td" if heads else "th"
        lines.append(f"<tr><{tag}>{shown(first)}</{tag}>{''.join(f'<td>{shown(cell)}</td>' for cell in rest)}</tr>")
    return f'<div class="scroll"><table><caption>{shown(caption)}</caption>{"".join(lines)}</table></div>'


def fold(summary: str, content: str) -> str:
    """Returns content that opens by a click."""
    return f"<details><summary>{shown(summary)}</summary>{content}</details>"


def page(*parts: str) -> str:
    """Returns the parts as one block."""
    return f'{STYLE}<div class="assay">{"".join(parts)}</div>'


def module(hlo: str) -> str:
    """Returns the text of a module, folded, without metadata; the start of a long one."""
    lines = [shortened(line) for line in plain_text(hlo).strip().split("\n")]
    text = "\n".join(lines)
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS].rpartition("\n")[0]
        text += f"\n... and {len(lines) - text.count(chr(10)) - 1} more lines, in the field hlo"
    return fold(f"HLO module, {len(lines)} lines", f"<pre>{shown(text)}</pre>")


def of_comparison(found: Comparison) -> str:
    """Returns the verdict in words, the outputs, their errors, the first divergence, and the module."""
    head = (f"<p>{chip(found.verdict)} <b>{shown(shortened(found.name))}</b> on {shown(shortened(found.backend))}, "
            f"profile {shown(found.profile)}: {shown(found.verdict.meaning)}</p>")  # fmt: skip
    head += f"<p>{shown(shortened(found.reason, 600))}</p>" if found.reason else ""
    head += "".join(f"<p>warning: {shown(text)}</p>" for text in found.warnings)
    parts = [head, *of_outputs(found.outputs)]
    if first := found.first_divergent:
        what = "The instruction to blame" if found.verdict.is_failure else "The first instruction that differs"
        parts.append(of_instruction(what, first))
    if len(found.instructions) > 1:
        rows = [(one.line, chip(one.verdict), code(one.text), one.source or "", f"{one.not_exact} of {one.elements}")
                for one in found.instructions[:SHOWN_ROWS]]  # fmt: skip
        listed = table("In the order of execution", ("line", "verdict", "instruction", "Python", "not exact"), rows)
        parts.append(fold(f"{len(found.instructions)} instructions differ", listed))
    if found.region:
        parts.append(fold("The smallest part that fails alone", f"<pre>{shown(plain_text(found.region.hlo))}</pre>"))
    return page(*parts, module(found.hlo) if found.hlo else "")


def of_outputs(outputs: Sequence[Output]) -> list[str]:
    """Returns the outputs that differ as a table, the number of the others, and plots of the first ones."""
    differing = sorted((one for one in outputs if one.worst), key=lambda one: one.verdict.rank, reverse=True)
    rows = []
    for one in differing[:SHOWN_ROWS]:
        assert one.worst
        ulps = "" if one.worst.ulps is None else f"{one.worst.ulps:.6g}"
        place = f"[{','.join(map(str, one.worst.index))}]"
        rows.append((shortened(one.name), chip(one.verdict), f"{one.not_exact} of {one.elements}", place,
                     one.worst.got, one.worst.want, ulps))  # fmt: skip
    heads = ("output", "verdict", "not exact", "worst element", "got", "expected", "ULP")
    parts = [table("Outputs that differ", heads, rows)] if rows else []
    if len(differing) > SHOWN_ROWS:
        parts.append(f"<p>and {len(differing) - SHOWN_ROWS} more outputs that differ</p>")
    if exact := len(outputs) - len(differing):
        parts.append(f"<p>{exact} of {len(outputs)} outputs equal to the last bit</p>")
    return [*parts, *(plot(one) for one in differing[:SHOWN_PLOTS] if one.elements > 1)]


def of_instruction(caption: str, one: Instruction) -> str:
    """Returns what an instruction got, and should have got."""
    rows: list[tuple[object, ...]] = [("instruction", code(one.text)), ("line", one.line)]
    rows += [("Python", one.source)] if one.source else []
    rows += [("verdict", Html(f"{chip(one.verdict)} {shown(one.reason)}")),
             ("not exact", f"{one.not_exact} of {one.elements}")]  # fmt: skip
    if worst := one.worst:
        rows += [("worst", shortened(worst.name)), ("operands", shortened(", ".join(worst.operands)))]
        rows += [("got", worst.got), ("expected", worst.want), ("exact value", worst.exact)]
        rows += [("ULP", f"{worst.ulps:.6g}")] if worst.ulps is not None else []
    return table(caption, (), [row for row in rows if row[1] != ""])


def largest_errors(one: Output) -> list[float]:
    """Returns the largest error in ULP of each column of a plot; infinite for a NaN beside a number."""
    from .verdicts import ulp_distance

    got, want = np.reshape(one.got, -1), np.reshape(one.want, -1)
    ends = np.linspace(0, got.size, min(COLUMNS, got.size) + 1).astype(int)
    return [float(ulp_distance(got[a:b], want[a:b]).max()) for a, b in zip(ends[:-1], ends[1:])]


def plot(one: Output) -> str:
    """Returns the errors over the elements, on a logarithmic scale."""
    errors = largest_errors(one)
    finite = [error for error in errors if math.isfinite(error)]
    top = max(1, math.ceil(math.log2(1 + max(finite, default=1))))
    step, width, bottom = max(1, math.ceil(top / 4)), WIDTH / len(errors), TOP + HEIGHT
    nan = "; the columns of full height have a NaN beside a number" if len(finite) < len(errors) else ""
    title = shown(f"Errors of {shortened(one.name)} in ULP, the largest of each column{nan}")
    parts = [f'<p>{title}</p><svg viewBox="0 0 {LEFT + WIDTH + 8} {bottom + 16}" role="img" aria-label="{title}">']
    for level in range(0, top + 1, step):
        y = bottom - HEIGHT * level / top
        parts.append(f'<path class="grid" d="M{LEFT},{y:.1f}h{WIDTH}"/><text x="{LEFT - 5}" y="{y + 4:.1f}" '
                     f'text-anchor="end">{2**level - 1 if level < 14 else f"2^{level}"}</text>')  # fmt: skip
    for name, chosen in (("bar", math.isfinite), ("nan", math.isinf)):
        bars = "".join(f"M{LEFT + width * (i + 0.5):.1f},{bottom}v-{height_of(error, top):.1f}"
                       for i, error in enumerate(errors) if error and chosen(error))  # fmt: skip
        parts.append(f'<path class="{name}" stroke-width="{min(8, width * 0.8):.2f}" d="{bars}"/>' if bars else "")
    parts.append(f'<text x="{LEFT}" y="{bottom + 14}">element 0</text><text x="{LEFT + WIDTH}" y="{bottom + 14}" '
                 f'text-anchor="end">{one.elements - 1}</text></svg>')  # fmt: skip
    return "".join(parts)


def height_of(error: float, top: int) -> float:
    """Returns the height of the bar of an error."""
    return HEIGHT * (math.log2(1 + error) / top if math.isfinite(error) else 1)


def of_trace(found: Trace) -> str:
    """Returns the findings of a trace as a table."""
    every = [*found.sources, *found.findings]
    rows = [(one.event, code(one.text), one.source or "", f"{one.element} = {one.value}",
             ", ".join(f"{name} = {value}" for name, value in one.operands),
             "" if one.iteration is None else one.iteration) for one in every[:SHOWN_ROWS]]  # fmt: skip
    heads = ("event", "instruction", "Python", "first element", "operands", "iteration")
    more = f"<p>and {len(every) - SHOWN_ROWS} more</p>" if len(every) > SHOWN_ROWS else ""
    return page(f"<p>{shown(found)}</p>", table("In the order of execution", heads, rows) if rows else "", more,
                module(found.hlo))  # fmt: skip


def of_report(found: CheckReport) -> str:
    """Returns the totals of a check and the cases that fail it."""
    totals = table("Cases", (), [(chip(verdict), count) for verdict, count in found.totals.items() if count])
    rows = [(case.name, chip(case.verdict), shortened(case.reason, 300)) for case in found.failed[:SHOWN_ROWS]]
    failed = table(f"{len(found.failed)} cases fail the check", ("case", "verdict", "reason"), rows) if rows else ""
    return page(f"<p><b>{shown(found.backend)}</b>, profile {shown(found.profile)}</p>", totals, failed,
                fold("the text of the report", f"<pre>{shown(found.text)}</pre>"))  # fmt: skip
