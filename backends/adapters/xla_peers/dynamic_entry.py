"""Rewrites a module whose entry has dynamic dimensions to one without: PJRT passes arrays of static shapes only.

An array of run-time sizes becomes the array of its bounds and a number for each dynamic dimension, which
set-dimension-size combines. A result becomes the same: set-dimension-size with the bound makes it static, and
get-dimension-size returns its sizes.
"""

import itertools
import re

from .module_text import flat, leaf_shapes, parse_line, print_options, split

SCALAR = "s32[]"


def dynamic_dimensions(shape):
    """Returns the numbers and bounds of the dynamic dimensions of a printed shape."""
    sizes = re.search(r"\[([^\]]*)\]", shape)
    listed = enumerate(sizes.group(1).split(",")) if sizes else ()
    return [(number, int(size[2:])) for number, size in listed if size.startswith("<=")]


class Writer:
    """The lines of the new entry."""

    def __init__(self):
        self.lines, self.names, self.parameters = [], itertools.count(), itertools.count()

    def add(self, shape, operation, name=None):
        """Adds a line that computes a value. Returns the value's name."""
        name = name or f"%static_entry.{next(self.names)}"
        self.lines.append(f"  {name} = {shape} {operation}")
        return name

    def parameter(self, shape):
        """Adds the next parameter. Returns its name."""
        return self.add(shape, f"parameter({next(self.parameters)})")

    def array_in(self, shape):
        """Adds a parameter and restores its dynamic dimensions. Returns the name of the dynamic array."""
        name = self.parameter(shape.replace("<=", ""))
        sizes = [(number, self.parameter(SCALAR)) for number, _ in dynamic_dimensions(shape)]
        for i, (number, size) in enumerate(sizes):
            # Dimensions become dynamic one by one.
            dynamic = [n for n, _ in sizes[: i + 1]]
            operation = f"set-dimension-size({name}, {size}), dimensions={{{number}}}"
            name = self.add(with_dynamic(shape, dynamic), operation)
        return name

    def value(self, shape, tree, leaves):
        """Builds a value of this shape from its leaves. Returns its name."""
        if not isinstance(tree, list):
            return next(leaves)
        elements = [self.value(element, subtree, leaves) for element, subtree in zip(element_shapes(shape), tree)]
        return self.add(shape, f"tuple({', '.join(elements)})")

    def leaves_out(self, name, shape):
        """Returns the names and shapes of the new entry's results for a value."""
        if shape.startswith("("):
            return [leaf for i, element in enumerate(element_shapes(shape)) for leaf in
                    self.leaves_out(self.add(element, f"get-tuple-element({name}), index={i}"), element)]  # fmt: skip
        dynamic = dynamic_dimensions(shape)
        sizes = [self.add(SCALAR, f"get-dimension-size({name}), dimensions={{{number}}}") for number, _ in dynamic]
        for i, (number, bound) in enumerate(dynamic):
            size = self.add(SCALAR, f"constant({bound})")
            left = with_dynamic(shape, [n for n, _ in dynamic[i + 1 :]])
            name = self.add(left, f"set-dimension-size({name}, {size}), dimensions={{{number}}}")
        return [(name, shape.replace("<=", "")), *((size, SCALAR) for size in sizes)]


def element_shapes(shape):
    """Returns the shapes of a tuple's elements."""
    return split(shape[1:-1])


def with_dynamic(shape, numbers):
    """Returns the shape with exactly these dimensions dynamic."""
    head, sizes, rest = re.fullmatch(r"(\w+\[)([^\]]*)(\].*)", shape).groups()
    marked = [("<=" if n in numbers else "") + size.removeprefix("<=") for n, size in enumerate(sizes.split(","))]
    return head + ",".join(marked) + rest


def with_static_entry(module):
    """Returns the text of a module that takes and returns leaves: each array, then its run-time sizes.

    Returns None if the header names parameters, whose numbers would change.
    """
    text = re.sub(r"/\*index=\d+\*/", "", module.to_string(print_options()))
    header, rest = text.split("\n", 1)
    if "_alias=" in header or "buffer_donor=" in header:
        return None
    header = re.match(r"HloModule [^\s,]+", header).group() + "".join(re.findall(r", (?:replica|num)_\w+=\d+", header))
    before, entry = rest.split("ENTRY ", 1)
    entry, after = entry.split("\n}", 1)
    lines = [parse_line(line) for line in entry.splitlines()[1:]]
    writer, inputs = Writer(), {}
    parameters = [line for line in lines if line.opcode == "parameter"]
    for line in sorted(parameters, key=lambda line: int(line.arguments)):
        tree = leaf_shapes(line.shape)
        leaves = [writer.array_in(shape) for shape in flat(tree)]
        inputs[line.name] = writer.value(line.shape, tree, iter(leaves))
    for line in lines:
        if line.opcode != "parameter":
            text = line.text.removeprefix("ROOT ")
            writer.lines.append("  " + re.sub(r"%[\w.\-]+", lambda name: inputs.get(name.group(), name.group()), text))
    root = next(line for line in lines if line.is_root)
    results = writer.leaves_out(inputs.get(root.name, root.name), root.shape)
    shape = f"({', '.join(shape for _, shape in results)})"
    writer.lines.append(f"  ROOT %static_entry = {shape} tuple({', '.join(name for name, _ in results)})")
    return "\n".join([header, before, "ENTRY %static_entry {", *writer.lines, "}" + after])
