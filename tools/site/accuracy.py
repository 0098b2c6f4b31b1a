"""The accuracy of backends: the rows of report cards, and their pictures."""

import csv
import html
import json
import math

TYPES = ["bf16", "f16", "f32", "f64", "c64", "c128"]
ROW, LEFT, WIDTH, TOP = 18, 170, 720, 28
# Each backend has a colour of the style sheet and a shape: a circle, a square, a diamond, a triangle.
SHAPES = ["M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0", "M-4,-4h8v8h-8z", "M0,-5l5,5l-5,5l-5,-5z", "M0,-5l5,9h-10z"]


def rows_of_card(path):
    """Returns the backend of an accuracy.json, and the largest distance by op and type."""
    card = json.loads(path.read_text())
    rows = {}
    for row in card["rows"]:
        if "survey" in row:
            survey = row["survey"]
            rows[row["op"], row["type"]] = survey["norm"]["ulps"] if "norm" in survey else survey["max_ulps"]
    return card["backend"], rows


def rows_of_csv(path):
    """Returns the largest distances by op and type for each backend of docs/measurements/accuracy.csv."""
    cards = {}
    with path.open(newline="") as lines:
        for row in csv.DictReader(lines):
            for column, value in row.items():
                name, _, part = column.rpartition(" ")
                if part == "ULP" and value:
                    cards.setdefault(name, {})[row["op"], row["type"]] = float(value)
    return cards


def picture(cards, kind):
    """Returns an SVG picture of one type: the largest distance of each op on a logarithmic scale, in ULP."""
    ops = sorted({op for rows in cards.values() for op, of in rows if of == kind})
    if not ops:
        return ""
    most = max(max(rows.get((op, kind), 0) for op in ops) for rows in cards.values())
    decades = max(1, math.ceil(math.log10(max(most, 1) + 1)))
    step = max(1, decades // 8)

    def across(value):
        return LEFT + (math.log10(1 + value) / math.log10(1 + 10**decades)) * (WIDTH - LEFT - 20)

    parts = []
    for power in range(0, decades + 1, step):
        x = across(10**power)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{TOP + ROW * len(ops)}"/>'
                     f'<text x="{x:.1f}" y="14" text-anchor="middle">{f"1e{power}" if power > 3 else 10**power}</text>')
    for place, op in enumerate(ops):
        y = TOP + ROW * place + ROW / 2
        parts.append(f'<text x="{LEFT - 14}" y="{y + 4:.1f}" text-anchor="end">{html.escape(op)}</text>')
        for number, (name, rows) in enumerate(cards.items()):
            if (op, kind) in rows:
                title = html.escape(f"{op} {kind} on {name}: {rows[op, kind]:.3g} ULP")
                parts.append(f'<path class="mark{number % 4}" d="{SHAPES[number % 4]}" '
                             f'transform="translate({across(rows[op, kind]):.1f},{y:.1f})"><title>{title}</title></path>')
    height = TOP + ROW * len(ops) + 8
    return (f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="largest distances of {kind}">'
            + "".join(parts) + "</svg>")  # fmt: skip


def legend(cards):
    """Returns the names of the backends with their marks."""
    return "".join(f'<span class="key"><svg viewBox="-7 -7 14 14" width="14" height="14"><path class="mark{number % 4}" '
                   f'd="{SHAPES[number % 4]}"/></svg> {html.escape(name)}</span>' for number, name in enumerate(cards))  # fmt: skip
