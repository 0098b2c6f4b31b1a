"""The instructions of jaxlib's HLO modules as parsed lines, and the shapes in them."""

import dataclasses
import math
import re

import numpy as np


def print_options():
    """Returns options that print everything except metadata."""
    from . import jaxlib_api

    options = jaxlib_api.HloPrintOptions()
    options.print_metadata = False
    options.print_percent = True
    options.print_large_constants = True
    options.print_operand_shape = False
    return options


def balanced_end(text, start):
    """Returns the index after the bracket that closes the one at `start`. Skips strings."""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[(){}\[\]]', text[start:]):
        if token.group() in "({[":
            depth += 1
        elif token.group() in ")}]":
            depth -= 1
            if depth == 0:
                return start + token.end()
    raise ValueError(f"no end in {text}")


def split(text):
    """Splits text at the commas outside of brackets and strings."""
    parts, depth, start = [], 0, 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[(){}\[\],]', text):
        if token.group() in "({[":
            depth += 1
        elif token.group() in ")}]":
            depth -= 1
        elif token.group() == "," and depth == 0:
            parts.append(text[start : token.start()].strip())
            start = token.end()
    last = text[start:].strip()
    return [*parts, last] if last else parts


@dataclasses.dataclass
class Line:
    """A printed instruction."""

    text: str
    is_root: bool
    name: str
    shape: str
    opcode: str
    arguments: str
    attributes: list[str]


def parse_line(text):
    """Parses a printed line; returns None if it has no instruction."""
    start = re.match(r"\s*(ROOT )?(%\S+) = ", text)
    if not start:
        return None
    at = start.end()
    shape_end = balanced_end(text, at) if text[at] == "(" else text.index(" ", at)
    arguments = text.index("(", shape_end + 1)
    end = balanced_end(text, arguments)
    return Line(
        text.strip(), bool(start.group(1)), start.group(2), text[at:shape_end], text[shape_end:arguments].strip(),
        text[arguments + 1 : end - 1], split(text[end:].lstrip(", ")),
    )  # fmt: skip


def computations(module):
    """Returns the computations of a module by name, each a list of lines, and the name of the entry."""
    text = re.sub(r"/\*index=\d+\*/", "", module.to_string(print_options()))
    found, entry, lines = {}, None, None
    for line in text.splitlines():
        # The header's origin_recovery_table contains modules, whose instructions are indented further.
        instruction = parse_line(line) if re.match(r"  \S", line) else None
        if instruction:
            lines.append(instruction)
        elif line.endswith("{") and (head := re.match(r"(ENTRY )?(%\S+) ", line)):
            lines = found.setdefault(head.group(2), [])
            entry = head.group(2) if head.group(1) else entry
    return found, entry


def leaf_shapes(shape):
    """Returns the shapes of the arrays, tokens and buffers of a printed shape, nested as the tuples are."""
    if shape.startswith("("):
        return [leaf_shapes(element) for element in split(shape[1:-1])]
    return shape


def flat(tree):
    """Returns the leaves of a nested list, in order."""
    return [leaf for element in tree for leaf in flat(element)] if isinstance(tree, list) else [tree]


def nested(tree, leaves):
    """Nests the leaves as in the tree."""
    return [nested(element, leaves) for element in tree] if isinstance(tree, list) else next(leaves)


def without_layout(shape):
    """Returns the shape without its layout."""
    return re.sub(r"\{[^{}]*\}", "", shape)


def element_type(shape):
    """Returns the element type of an array shape."""
    return shape[: shape.index("[")] if "[" in shape else shape


def sizes(shape):
    """Returns the dimensions of a static array; None for anything else."""
    match = re.match(r"\w+\[([\d,]*)\]", shape)
    return None if not match else [int(size) for size in match.group(1).split(",") if size]


def array(element, dimensions):
    """Returns the text of an array shape."""
    return f"{element}[{','.join(map(str, dimensions))}]"


def order_in_memory(shape):
    """Returns the dimensions from major to minor; None for a layout that is more than an order."""
    match = re.search(r"\]\{([\d,]*)\}$", shape)
    return None if not match else [int(d) for d in match.group(1).split(",") if d][::-1]


def in_order(config):
    """Returns a dictionary with its entries sorted. An empty one becomes empty text, like an absent one."""
    return ", ".join(sorted(split(config[1:-1]))) if config.startswith("{") else config


def listed_groups(groups):
    """Returns replica groups as lists; "[2,4]<=[4,2]T(1,0)" describes them as a reshaped, transposed iota."""
    count = re.fullmatch(r"\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?", groups)
    if not count:
        return groups
    shape, sizes, order = ([int(n) for n in (part or "").split(",") if n] for part in count.groups())
    ids = np.arange(math.prod(sizes)).reshape(sizes).transpose(order or None).reshape(shape)
    return "{" + ",".join("{" + ",".join(map(str, group)) + "}" for group in ids) + "}"
