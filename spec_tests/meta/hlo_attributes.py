"""Attributes and shapes of HLO text in the form that the functions of the pages expect (docs/ops/numpy.md)."""

import re
import types

from page_goldens import DTYPES

WINDOW_FIELDS = {"stride": 1, "pad": "0_0", "lhs_dilate": 1, "rhs_dilate": 1, "rhs_reversal": 0}


def split(text):
    """Returns the parts between the commas that are outside of brackets and strings."""
    parts, depth, quoted = [""], 0, False
    for character in text:
        quoted ^= character == '"'
        depth += 0 if quoted else {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def shape(text):
    """Returns a shape, or a tuple of shapes; None for a token."""
    text = text.strip()
    if text.startswith("("):
        return tuple(shape(re.sub(r"/\*.*?\*/", "", part)) for part in split(text[1:-1]))
    if text.startswith("token"):
        return None
    kind, sizes, layout = re.fullmatch(r"(\w+)\[([\d,<=]*)\](?:\{([\d,]*).*\})?", text).groups()
    dimensions = tuple(int(size.removeprefix("<=")) for size in sizes.split(",") if size)
    minor_to_major = [int(d) for d in layout.split(",") if d] if layout else list(range(len(dimensions)))[::-1]
    is_dynamic = [size.startswith("<=") for size in sizes.split(",") if size]
    return types.SimpleNamespace(dimensions=dimensions, dtype=DTYPES[kind], minor_to_major=minor_to_major,
                                 is_dynamic=is_dynamic)


def window(text):
    parts = dict(part.split("=") for part in text.strip("{}").split())
    sizes = parts.get("size", "").split("x") if "size" in parts else []
    fields = {name: parts[name].split("x") if name in parts else [default] * len(sizes)
              for name, default in WINDOW_FIELDS.items()}
    dimensions = []
    for d, size in enumerate(sizes):
        low, high = (int(n) for n in str(fields["pad"][d]).split("_"))
        dimensions.append(types.SimpleNamespace(
            size=int(size), stride=int(fields["stride"][d]), pad_low=low, pad_high=high,
            lhs_dilate=int(fields["lhs_dilate"][d]), rhs_dilate=int(fields["rhs_dilate"][d]),
            reversal=bool(int(fields["rhs_reversal"][d]))))
    return dimensions


def padding(text):
    entries = [[int(n) for n in part.split("_")] for part in text.split("x") if part]
    return [(entry[0], entry[1], entry[2] if len(entry) > 2 else 0) for entry in entries]


def slices(text):
    entries = [[int(n) for n in part.strip("[] ").split(":")] for part in split(text[1:-1])]
    return [(entry[0], entry[1], entry[2] if len(entry) > 2 else 1) for entry in entries]


def dim_labels(text):
    lhs, rhs, output = re.fullmatch(r"(\w+)_(\w+)->(\w+)", text).groups()
    return types.SimpleNamespace(lhs=lhs, rhs=rhs, output=output)


def value(text, computations):
    """Returns an attribute's value by how it is written."""
    if text.startswith("{"):
        return [value(part, computations) for part in split(text[1:-1])]
    if text.startswith('"'):
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?[\d.]+(?:e[-+]?\d+)?", text):
        return float(text)
    return computations.get(text.removeprefix("%"), text)


SPECIAL = {"window": window, "padding": padding, "slice": slices, "dim_labels": dim_labels}


def attributes(text, computations):
    """Returns the attributes of an instruction by name. Called computations are looked up in `computations`."""
    found = {}
    for part in split(text):
        name, _, written = part.partition("=")
        found[name] = SPECIAL[name](written) if name in SPECIAL else value(written, computations)
    return found
