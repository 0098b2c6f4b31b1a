"""Computations as graphs in one table of nodes, in a normal form, so that equal graphs are the same node."""

import dataclasses
import re

from .module_text import (
    array, element_type, flat, in_order, leaf_shapes, listed_groups, order_in_memory, sizes, split, without_layout,
)  # fmt: skip

COMMUTE = {"add", "and", "maximum", "minimum", "multiply", "or", "xor"}  # on integers only: floats may be NaN
# Attributes that do not affect values.
NO_MEANING = ("sharding", "metadata", "origin", "statistics", "constrain_layout", "frontend_attributes",
              "convolution_kind")  # but for dgrad, which is refused before (stablehlo_module.py)


@dataclasses.dataclass(frozen=True)
class Node:
    """One value, described by its computation."""

    opcode: str
    shape: str
    text: str  # literal, number of a parameter, attributes
    operands: tuple  # numbers of nodes, called computations among them


class Graphs:
    """The nodes of both modules."""

    def __init__(self):
        self.nodes, self.numbers, self.lines = [], {}, {}

    def number(self, opcode, shape, text="", operands=()):
        """Returns the number of this node, which it adds if it is new."""
        node = Node(opcode, shape, text, tuple(operands))
        if node not in self.numbers:
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self.numbers[node]

    def leaf(self, opcode, shape, number, operands=()):
        """Returns a node that no rule looks into. An array without elements is the node "empty"."""
        shape = without_layout(shape)
        if 0 in (sizes(shape) or []):
            return self.number("empty", shape)
        return self.number(opcode, shape, str(number), operands)

    # The normal forms. Each function takes the numbers of operands and returns the number of the result.

    def reshape(self, x, shape):
        """Returns a reshape. Only the last of consecutive reshapes counts, and a broadcast scalar stays one."""
        while self.nodes[x].opcode == "reshape":
            (x,) = self.nodes[x].operands
        if self.nodes[x].opcode == "broadcast" and sizes(self.nodes[self.nodes[x].operands[0]].shape) == []:
            return self.broadcast(self.nodes[x].operands[0], shape, [])
        return x if self.nodes[x].shape == shape else self.number("reshape", shape, "", [x])

    def transpose(self, x, permutation):
        """Returns a transpose; a reshape if only dimensions of size 1 move."""
        shape = self.nodes[x].shape
        old = sizes(shape)
        new = array(element_type(shape), [old[d] for d in permutation])
        moved = [d for d in permutation if old[d] != 1]
        if moved == sorted(moved):
            return self.reshape(x, new)
        return self.number("transpose", new, str(permutation), [x])

    def broadcast(self, x, shape, dimensions):
        """Returns a broadcast. Consecutive broadcasts are merged, and one that repeats nothing is a reshape."""
        inner = self.nodes[x]
        if inner.opcode == "broadcast":
            places = [dimensions[int(d)] for d in re.findall(r"\d+", inner.text)]
            return self.broadcast(inner.operands[0], shape, places)
        old, new = sizes(inner.shape), sizes(shape)
        kept = [(size, d) for size, d in zip(old, dimensions) if size != 1]
        if len(kept) < len(old):  # dimensions of size 1 are redundant
            smaller = self.reshape(x, array(element_type(shape), [size for size, _ in kept]))
            return self.broadcast(smaller, shape, [d for _, d in kept])
        if all(size == 1 for d, size in enumerate(new) if d not in dimensions) and dimensions == sorted(dimensions):
            return self.reshape(x, shape)
        return self.number("broadcast", shape, str(dimensions), [x])

    def spread(self, x, dimensions):
        """Returns a scalar as a broadcast to the dimensions."""
        shape = self.nodes[x].shape
        return self.broadcast(x, array(element_type(shape), dimensions), []) if sizes(shape) == [] else x

    def bitcast(self, x, old, new):
        """Returns a bitcast by its effect on the elements: a reshape, between transposes into and out of memory
        order."""
        orders = order_in_memory(old), order_in_memory(new)
        old_type, new_type = element_type(old), element_type(new)
        if None in orders or None in (sizes(old), sizes(new)):
            return self.number("bitcast", new, old, [x])
        x = self.transpose(x, orders[0])
        if old_type != new_type:
            x = self.number("bitcast", array(new_type, sizes(self.nodes[x].shape)), old_type, [x])
        x = self.reshape(x, array(new_type, [sizes(new)[d] for d in orders[1]]))
        return self.transpose(x, [orders[1].index(d) for d in range(len(orders[1]))])

    def constant(self, shape, literal):
        """Returns a constant; a broadcast if all its elements are equal."""
        elements = split(re.sub(r"[{}]|/\*.*?\*/", "", literal))
        element = element_type(shape)
        if sizes(shape) and len(set(elements)) == 1:
            return self.broadcast(self.constant(array(element, []), elements[0]), shape, [])
        return self.reshape(self.number("constant", array(element, [len(elements)]), ", ".join(elements)), shape)

    def kept(self, x):
        """Returns a value from outside of a loop as a node inside it. Constants are the same everywhere."""
        pending = [x]
        while pending:
            node = self.nodes[pending.pop()]
            if node.opcode not in ("broadcast", "constant", "empty", "iota", "reshape"):
                return self.number("kept", self.nodes[x].shape, "", [x])
            pending += node.operands
        return x

    def false(self):
        """Returns the constant false."""
        return self.constant("pred[]", "false")

    def zeros(self, shape):
        """Returns zeros of a shape."""
        zero = "(0, 0)" if shape.startswith("c") else "0"
        return self.broadcast(self.constant(array(element_type(shape), []), zero), shape, [])

    def convert(self, x, shape):
        """Returns a conversion. To pred it is a comparison with zero; a complex number loses its imaginary part
        first."""
        old = self.nodes[x].shape
        if old == shape:
            return x
        if old.startswith("c") and not shape.startswith(("c", "pred")):
            part = array({"c64": "f32", "c128": "f64"}[element_type(old)], sizes(old))
            return self.convert(self.number("real", part, "", [x]), shape)
        if element_type(shape) == "pred":
            return self.number("compare", shape, "direction=NE", [x, self.zeros(old)])
        return self.number("convert", shape, "", [x])

    def instruction(self, line, operands, called):
        """Returns the number of an instruction's result, of one array or several."""
        shapes = [without_layout(shape) for shape in flat(leaf_shapes(line.shape))]
        attributes = dict(attribute.partition("=")[::2] for attribute in line.attributes)
        opcode = line.opcode
        if len(shapes) == 1:
            if (number := self.simplified(line, shapes[0], attributes, operands)) is not None:
                return number
            if opcode == "concatenate":
                operands = [operand for operand in operands if self.nodes[operand].opcode != "empty"]
            if opcode in ("select", "clamp") and sizes(shapes[0]):
                operands = [self.spread(operand, sizes(shapes[0])) for operand in operands]
            if element_type(shapes[0]) == "pred":
                opcode = {"add": "or", "multiply": "and"}.get(opcode, opcode)
        if opcode == "collective-permute-start":
            shapes = shapes[: 2 * len(operands)]
        if opcode in COMMUTE and re.match("[su]\\d|pred", shapes[0]):
            operands = sorted(operands)
        # In other instructions, backend_config only controls how they are compiled.
        config = attributes.pop("backend_config", "") if opcode == "custom-call" else ""
        attributes["backend_config"] = in_order(config)
        if "replica_groups" in attributes:
            attributes["replica_groups"] = listed_groups(attributes["replica_groups"])
        told = ((key, value) for key, value in sorted(attributes.items()) if key not in NO_MEANING and value)
        text = ", ".join(f"{key}={value}" for key, value in told)
        if "operand_layout_constraints" in attributes:
            text += line.shape
        return self.number(opcode, " ".join(shapes), re.sub(r"%[\w.\-]+", "%", text), [*operands, *called])

    def simplified(self, line, shape, attributes, operands):
        """Returns the number of an instruction in a simpler form; None if it has none."""
        opcode, new = line.opcode, sizes(shape)
        if new is None:
            return None
        if 0 in new:
            return self.number("empty", shape)
        if opcode == "constant":
            return self.constant(shape, line.arguments)
        if opcode == "iota" and new[dimension := int(attributes["iota_dimension"])] == 1:
            return self.zeros(shape)
        if opcode == "iota" and len(new) > 1:
            counted = self.number("iota", array(element_type(shape), [new[dimension]]), "iota_dimension=0")
            return self.broadcast(counted, shape, [dimension])
        if not operands or sizes(self.nodes[operands[0]].shape) is None:
            return None
        x, full = operands[0], [number for number in operands if self.nodes[number].opcode != "empty"]
        dimensions = [int(d) for d in re.findall(r"\d+", attributes.get("dimensions", ""))]
        is_same = self.nodes[x].shape == shape
        if opcode in ("pad", "reduce") and x not in full:
            return self.broadcast(operands[1], shape, [])
        if opcode in ("reshape", "dynamic-reshape"):
            return self.reshape(x, shape)
        if opcode == "transpose":
            return self.transpose(x, dimensions)
        if opcode == "broadcast":
            return self.broadcast(x, shape, dimensions)
        if opcode == "convert":
            return self.convert(x, shape)
        if opcode == "get-dimension-size":
            return self.constant(shape, str(sizes(self.nodes[x].shape)[dimensions[0]]))
        if opcode == "dynamic-update-slice" and operands[1] not in full:
            return x
        if opcode == "dynamic-update-slice" and self.nodes[operands[1]].shape == shape:
            return operands[1]
        if opcode == "concatenate" and len(full) == 1:
            return full[0]
        if opcode == "compare" and attributes["direction"] == "EQ":
            true = self.spread(self.constant("pred[]", "true"), new)
            return next((number for number in operands if number != true), true) if true in operands else None
        if (
            opcode in ("slice", "dynamic-slice") and is_same
            or opcode == "reverse" and all(new[d] == 1 for d in dimensions)
            or opcode == "pad" and not re.search("[1-9]", attributes["padding"])
        ):  # fmt: skip
            return x
        return None
