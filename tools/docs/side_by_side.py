"""Report cards of several backends side by side, as docs/measurements/accuracy.csv.

usage: side_by_side.py FOLDER... with folders that `assay accuracy --out FOLDER` wrote
"""

import json
import pathlib
import sys

TYPES = ["f32", "f64", "c64", "c128"]


def cells(row):
    """Returns the largest distance in ULP and the share of results that differ; empty if the backend lacks the op."""
    if row is None or "survey" not in row:
        return ["", ""]
    survey = row["survey"]
    distances = survey["classes"]["distance"]["count"]
    if not distances:
        return ["0", "0%"]
    most = survey["norm"]["ulps"] if "norm" in survey else survey["max_ulps"]
    return [f"{most:.3g}", f"{100 * distances / survey['elements']:.2g}%"]


def main():
    cards = [json.loads(pathlib.Path(folder, "accuracy.json").read_text()) for folder in sys.argv[1:]]
    names = [card["backend"].split()[0] for card in cards]
    found = [{(row["op"], row["type"]): row for row in card["rows"]} for card in cards]
    print(",".join(["op", "type", *(f"{name} {part}" for name in names for part in ("ULP", "share"))]))
    for op in sorted({op for rows in found for op, _ in rows}):
        for kind in TYPES:
            row = [cell for rows in found for cell in cells(rows.get((op, kind)))]
            if set(row) - {"", "0", "0%"}:
                print(",".join([op, kind, *row]))


if __name__ == "__main__":
    main()
