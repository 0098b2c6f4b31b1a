"""Compares two HLO modules by meaning, although names, layouts and the nesting of tuples differ.

The way through StableHLO drops and simplifies. Both modules become graphs in one table of nodes, in a normal form, so
that equal graphs are one node. Graphs that no rule here proves equal count as different.
"""

import dataclasses
import re
import sys

from .module_text import (
    array, computations, element_type, flat, in_order, leaf_shapes, listed_groups, nested, order_in_memory, sizes, split,
    without_layout,
)  # fmt: skip

# Functions of complex numbers that XLA's way from StableHLO to HLO spells out as formulas, and what those are made of.
SPELLED_OUT = {"exponential", "log", "log-plus-one", "sqrt"}
FORMULA = {
    "abs", "add", "and", "atan2", "broadcast", "compare", "complex", "constant", "convert", "cosine", "divide",
    "exponential", "imag", "log", "log-plus-one", "maximum", "minimum", "multiply", "negate", "or", "real", "reshape",
    "select", "sine", "sqrt", "subtract",
}  # fmt: skip
DRAWS, EFFECTS = {"rng", "rng-get-and-update-state"}, {"infeed", "outfeed", "recv", "send"}
COMMUTE = {"add", "and", "maximum", "minimum", "multiply", "or", "xor"}  # but NaN: on integers
# Attributes that say nothing about values.
NO_MEANING = ("sharding", "metadata", "origin", "statistics", "constrain_layout", "frontend_attributes")


@dataclasses.dataclass(frozen=True)
class Node:
    """One value, by how it is computed."""

    opcode: str
    shape: str
    text: str  # literal, number of a parameter, attributes
    operands: tuple  # numbers of nodes, called computations among them


class Graphs:
    """The nodes of both modules."""

    def __init__(self):
        self.nodes, self.numbers, self.lines = [], {}, {}

    def number(self, opcode, shape, text="", operands=()):
        """The number of the node that is like this."""
        node = Node(opcode, shape, text, tuple(operands))
        if node not in self.numbers:
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self.numbers[node]

    def leaf(self, opcode, shape, number, operands=()):
        """A node that no rule looks into; an array without elements is nothing else."""
        shape = without_layout(shape)
        if 0 in (sizes(shape) or []):
            return self.number("empty", shape)
        return self.number(opcode, shape, str(number), operands)

    # The normal forms. Each takes the numbers of operands and gives that of the result.

    def reshape(self, x, shape):
        """The last one of several in a row counts; a scalar in every element stays one."""
        while self.nodes[x].opcode == "reshape":
            (x,) = self.nodes[x].operands
        if self.nodes[x].opcode == "broadcast" and sizes(self.nodes[self.nodes[x].operands[0]].shape) == []:
            return self.broadcast(self.nodes[x].operands[0], shape, [])
        return x if self.nodes[x].shape == shape else self.number("reshape", shape, "", [x])

    def transpose(self, x, permutation):
        """A reshape, where only dimensions of size 1 move."""
        shape = self.nodes[x].shape
        old = sizes(shape)
        new = array(element_type(shape), [old[d] for d in permutation])
        moved = [d for d in permutation if old[d] != 1]
        if moved == sorted(moved):
            return self.reshape(x, new)
        return self.number("transpose", new, str(permutation), [x])

    def broadcast(self, x, shape, dimensions):
        """Two in a row are one; one that repeats nothing is a reshape."""
        inner = self.nodes[x]
        if inner.opcode == "broadcast":
            places = [dimensions[int(d)] for d in re.findall(r"\d+", inner.text)]
            return self.broadcast(inner.operands[0], shape, places)
        old, new = sizes(inner.shape), sizes(shape)
        kept = [(size, d) for size, d in zip(old, dimensions) if size != 1]
        if len(kept) < len(old):  # dimensions of size 1 say nothing
            return self.broadcast(
                self.reshape(x, array(element_type(shape), [size for size, _ in kept])), shape, [d for _, d in kept]
            )
        if all(size == 1 for d, size in enumerate(new) if d not in dimensions) and dimensions == sorted(dimensions):
            return self.reshape(x, shape)
        return self.number("broadcast", shape, str(dimensions), [x])

    def spread(self, x, dimensions):
        """A scalar in every element."""
        shape = self.nodes[x].shape
        return self.broadcast(x, array(element_type(shape), dimensions), []) if sizes(shape) == [] else x

    def bitcast(self, x, old, new):
        """By what it does to the elements: in the order of memory it is a reshape."""
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
        """One of equal elements is a broadcast."""
        elements = split(re.sub(r"[{}]|/\*.*?\*/", "", literal))
        element = element_type(shape)
        if sizes(shape) and len(set(elements)) == 1:
            return self.broadcast(self.constant(array(element, []), elements[0]), shape, [])
        return self.reshape(self.number("constant", array(element, [len(elements)]), ", ".join(elements)), shape)

    def false(self):
        """The constant."""
        return self.constant("pred[]", "false")

    def convert(self, x, shape):
        """To pred a comparison with zero; of a complex number its real part."""
        old = self.nodes[x].shape
        if old == shape:
            return x
        if old.startswith("c") and not shape.startswith(("c", "pred")):
            part = array({"c64": "f32", "c128": "f64"}[element_type(old)], sizes(old))
            return self.convert(self.number("real", part, "", [x]), shape)
        if element_type(shape) == "pred":
            zero = "(0, 0)" if old.startswith("c") else "0"
            zeros = self.broadcast(self.constant(array(element_type(old), []), zero), old, [])
            return self.number("compare", shape, "direction=NE", [x, zeros])
        return self.number("convert", shape, "", [x])

    def instruction(self, line, operands, called):
        """The number of what an instruction with one array or several as its result computes."""
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
        # Elsewhere it says how to compile an instruction.
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
        """The number of what an instruction is in a plainer form; None if it is in its plainest."""
        opcode, new = line.opcode, sizes(shape)
        if new is None:
            return None
        if 0 in new:
            return self.number("empty", shape)
        if opcode == "constant":
            return self.constant(shape, line.arguments)
        if opcode == "iota" and len(new) > 1:
            dimension = int(attributes["iota_dimension"])
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


class Reader:
    """Makes nodes of the instructions of one module."""

    def __init__(self, graphs, module):
        self.graphs = graphs
        self.lines, self.entry_name = computations(module)
        self.done = {}  # by name of a computation
        self.printed = {}  # an instruction for each node
        self.called = {}  # results by name of a computation and its arguments
        self.draws = 0

    def computation(self, name, arguments=None):
        """The node of a computation: its results and effects as functions of the leaves of its arguments."""
        key = name, arguments
        if key not in self.done:
            results, effects, leaves = self.body(name, arguments)
            # What a branch takes is part of what it gives.
            text = "branch" if arguments is not None else str(leaves)
            self.done[key] = self.graphs.number("computation", "", text, [*results, *sorted(effects)])
        return self.done[key]

    def body(self, name, arguments=None):
        """The results and effects of a computation, and how many leaves its arguments have."""
        values, results, effects, leaves = {}, [], [], 0
        lines = self.lines[name]
        parameters = [line for line in lines if line.opcode == "parameter"]
        for line in sorted(parameters, key=lambda line: int(line.arguments)):
            shapes = flat(leaf_shapes(line.shape))
            numbers = [self.graphs.leaf("parameter", shape, leaves + i) for i, shape in enumerate(shapes)]
            if arguments:
                numbers = arguments[leaves : leaves + len(shapes)]
            leaves += len(shapes)
            values[line.name] = nested(leaf_shapes(line.shape), iter(numbers)), line.shape
        for line in lines:
            if line.opcode != "parameter":
                values[line.name] = self.value(line, values, effects), line.shape
            if line.is_root:
                results = flat(values[line.name][0])
        return results, effects, leaves

    def call(self, line, operands, effects):
        """A call is the body of what it calls, and so is a fusion: its kind says how to compile it."""
        (name,) = (name for name in re.findall(r"%[\w.\-]+", " ".join(line.attributes)) if name in self.lines)
        key, draw = (name, tuple(flat(operands))), self.draws
        if key not in self.called:
            results, inner, _ = self.body(*key)
            effects += inner
            if inner or self.draws != draw:  # another time another value
                return nested(leaf_shapes(line.shape), iter(results))
            self.called[key] = results
        return nested(leaf_shapes(line.shape), iter(self.called[key]))

    def value(self, line, values, effects):
        """The nodes of an instruction's result, nested as its shape is."""
        names = [] if line.opcode == "constant" else [argument.split()[-1] for argument in split(line.arguments)]
        operands = [values[name][0] for name in names]
        if line.opcode == "tuple":
            return operands
        if line.opcode == "get-tuple-element":
            return operands[0][int(line.attributes[0].removeprefix("index="))]
        if line.opcode in ("call", "fusion"):
            return self.call(line, operands, effects)
        if line.opcode == "bitcast":
            result = self.graphs.bitcast(operands[0], values[names[0]][1], line.shape)
        else:
            named = [name for attribute in line.attributes for name in re.findall(r"%[\w.\-]+", attribute)]
            called = [name for name in named if name in self.lines]
            if line.opcode == "conditional":
                called = [self.computation(*pair) for pair in zip(called, map(tuple, map(flat, operands[1:])))]
                operands = operands[:1]
            else:
                called = [self.computation(name) for name in called]
            if line.opcode == "while" and self.graphs.nodes[called[0]].operands == (self.graphs.false(),):
                return operands[0]
            if line.opcode == "custom-call":  # it is told where one operand ends
                line.attributes.append(f"operands={' '.join(without_layout(values[name][1]) for name in names)}")
            if line.opcode in DRAWS:  # every time another
                line.attributes.append(f"draw={self.draws}")
                self.draws += 1
            result = self.graphs.instruction(line, flat(operands), called)
            if line.opcode in EFFECTS or "custom_call_has_side_effect=true" in line.attributes:
                effects.append(result)
        self.printed.setdefault(result, line.text)
        shapes = flat(leaf_shapes(line.shape))
        if len(shapes) == 1:
            return nested(leaf_shapes(line.shape), iter([result]))
        leaves = (self.graphs.leaf("element", shape, i, [result]) for i, shape in enumerate(shapes))
        if line.opcode == "while":
            leaves = self.loop_results(flat(operands), self.graphs.nodes[called[-1]].operands, list(leaves))
        value = nested(leaf_shapes(line.shape), leaves)
        # What is behind its operands and results is XLA's own.
        return value[:2] if line.opcode == "collective-permute-start" else value

    def loop_results(self, initial, body, leaves):
        """What the body of a loop hands on as it is stays what it was."""
        kept = [self.graphs.nodes[number] for number in body]
        is_kept = [node.opcode == "parameter" and node.text == str(i) for i, node in enumerate(kept)]
        return iter([first if same else leaf for first, same, leaf in zip(initial, is_kept, leaves)])


class Comparison:
    """Two modules as nodes of one table."""

    def __init__(self, sent, received):
        self.graphs = Graphs()
        self.sent, self.received = Reader(self.graphs, sent), Reader(self.graphs, received)
        self.equal = {}

    def result(self):
        """None, or the first instruction in which the modules differ, as it was sent and as it was received."""
        pair = self.sent.computation(self.sent.entry_name), self.received.computation(self.received.entry_name)
        sent, received = (self.graphs.nodes[number].operands for number in pair)
        if len(sent) == len(received) and all(map(self.same_result, sent, received)):
            return None
        while True:
            a, b = (self.graphs.nodes[number] for number in pair)
            inner = None
            if a.opcode == b.opcode and len(a.operands) == len(b.operands):
                inner = next(((x, y) for x, y in zip(a.operands, b.operands) if not self.same(x, y)), None)
            if inner is None:
                break
            pair = inner
        return self.shown(self.sent, pair[0]), self.shown(self.received, pair[1])

    def same_result(self, x, y):
        """The builder of rng-bit-generator makes unsigned integers of all results; the adapter reads their bits."""
        a, b = self.graphs.nodes[x], self.graphs.nodes[y]
        if (a.opcode, b.opcode) != ("element", "element"):
            return self.same(x, y)
        generators = [self.graphs.nodes[node.operands[0]] for node in (a, b)]
        return self.same(x, y) or (
            generators[0].opcode == generators[1].opcode == "rng-bit-generator"
            and (a.text, generators[0].text) == (b.text, generators[1].text)
            and self.same(generators[0].operands[0], generators[1].operands[0])
            and re.sub(r"^\D+", "u", a.shape) == b.shape
        )

    def shown(self, reader, number):
        """A node as the instruction that it comes from, or as what it is."""
        node = self.graphs.nodes[number]
        return reader.printed.get(number, f"{node.opcode} {node.shape} {node.text}".strip())

    def same(self, x, y):
        """Whether a rule proves two nodes equal."""
        if x == y:
            return True
        if (x, y) not in self.equal:
            a, b = self.graphs.nodes[x], self.graphs.nodes[y]
            self.equal[x, y] = self.have_same_parts(a, b) or self.is_spelled_out(a, y)
        return self.equal[x, y]

    def have_same_parts(self, a, b):
        """Whether two nodes compute alike from equal operands."""
        if (a.opcode, a.shape, a.text, len(a.operands)) != (b.opcode, b.shape, b.text, len(b.operands)):
            return False
        for pair in zip(a.operands, b.operands):
            if not self.same(*pair):
                return False
        return True

    def is_spelled_out(self, function, number):
        """Whether the number is that of a formula in the operands of a function of complex numbers, and no more."""
        if function.opcode not in SPELLED_OUT or not re.match("c(64|128)", function.shape):
            return False
        pending, seen = [number], set()
        while pending:
            number = pending.pop()
            if number in seen or any(self.same(variable, number) for variable in function.operands):
                continue
            seen.add(number)
            if self.graphs.nodes[number].opcode not in FORMULA:
                return False
            pending += self.graphs.nodes[number].operands
        return True


def difference(sent, received):
    """What of the first module the second one has in another form: empty, or both instructions in words."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1 << 20)  # graphs are as deep as they are; these calls take nothing from the stack
    try:
        found = Comparison(sent, received).result()
    finally:
        sys.setrecursionlimit(limit)
    return "" if found is None else f'"{found[0]}" became "{found[1]}"'
