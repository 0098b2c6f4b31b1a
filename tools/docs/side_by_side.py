"""Report cards of several backends side by side, as the table of docs/measurements/accuracy.md.

usage: side_by_side.py FOLDER... with folders that `assay accuracy --out FOLDER` wrote
"""

import json
import pathlib
import sys

TYPES = ["f32", "f64", "c64", "c128"]


def cell(row):
    if row is None or "survey" not in row:
        return "-"
    survey = row["survey"]
    distances = survey["classes"]["distance"]["count"]
    if not distances:
        return "0"
    most = survey["norm"]["ulps"] if "norm" in survey else survey["max_ulps"]
    return f"{most:.3g} / {100 * distances / survey['elements']:.2g}%"


def line(cells):
    return f"| {' | '.join(cells)} |"


def main():
    cards = [json.loads(pathlib.Path(folder, "accuracy.json").read_text()) for folder in sys.argv[1:]]
    names = [card["backend"].split()[0] for card in cards]
    found = [{(row["op"], row["type"]): row for row in card["rows"]} for card in cards]
    ops = sorted({op for rows in found for op, _ in rows})
    print(line(["op", "type", *names]))
    print(line(["---"] * (2 + len(names))))
    for op in ops:
        for kind in TYPES:
            cells = [cell(rows.get((op, kind))) for rows in found]
            if set(cells) - {"0", "-"}:
                print(line([op, kind, *cells]))


if __name__ == "__main__":
    main()
