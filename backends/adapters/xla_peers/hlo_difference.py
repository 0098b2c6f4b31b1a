"""Compares two HLO modules by meaning, although names, layouts and the nesting of tuples differ.

The conversion through StableHLO drops and simplifies. Both modules become graphs in one table of nodes, in a normal
form, so that equal graphs are the same node. Graphs that no rule here proves equal count as different.
"""

import re
import sys

from .graphs import Graphs
from .module_text import computations, flat, leaf_shapes, nested, split, without_layout

# Functions of complex numbers that XLA's conversion from StableHLO to HLO expands to formulas, and the ops of those.
SPELLED_OUT = {"exponential", "log", "log-plus-one", "sqrt"}
FORMULA = {
    "abs", "add", "and", "atan2", "broadcast", "compare", "complex", "constant", "convert", "cosine", "divide",
    "exponential", "imag", "log", "log-plus-one", "maximum", "minimum", "multiply", "negate", "or", "real", "reshape",
    "select", "sine", "sqrt", "subtract",
}  # fmt: skip
DRAWS, EFFECTS = {"rng", "rng-get-and-update-state"}, {"infeed", "outfeed", "recv", "send"}


class Reader:
    """A reader of one module's instructions as nodes."""

    def __init__(self, graphs, module):
        self.graphs = graphs
        self.lines, self.entry_name = computations(module)
        self.done = {}  # by name of a computation
        self.printed = {}  # an instruction for each node
        self.called = {}  # results by name of a computation and its arguments
        self.draws = 0

    def computation(self, name, arguments=None):
        """Returns the node of a computation: its results and effects as functions of the leaves of its arguments."""
        key = name, arguments
        if key not in self.done:
            results, effects, leaves = self.body(name, arguments)
            # The parameters of a branch are already bound, so their number is no part of the node.
            text = "branch" if arguments is not None else str(leaves)
            self.done[key] = self.graphs.number("computation", "", text, [*results, *sorted(effects)])
        return self.done[key]

    def body(self, name, arguments=None):
        """Returns the results and effects of a computation, and the number of leaves of its arguments."""
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
        """Returns the results of a call or a fusion as those of its body: the kind of a fusion only controls
        compilation."""
        (name,) = (name for name in re.findall(r"%[\w.\-]+", " ".join(line.attributes)) if name in self.lines)
        key, draw = (name, tuple(flat(operands))), self.draws
        if key not in self.called:
            results, inner, _ = self.body(*key)
            effects += inner
            if inner or self.draws != draw:  # each call has its own value
                return nested(leaf_shapes(line.shape), iter(results))
            self.called[key] = results
        return nested(leaf_shapes(line.shape), iter(self.called[key]))

    def value(self, line, values, effects):
        """Returns the nodes of an instruction's result, nested as its shape is."""
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
            if line.opcode == "while":
                return self.loop(line, operands[0], *called)
            if line.opcode == "conditional":
                called = [self.computation(*pair) for pair in zip(called, map(tuple, map(flat, operands[1:])))]
                operands = operands[:1]
            else:
                called = [self.computation(name) for name in called]
            if line.opcode == "custom-call":  # the target receives the boundaries of its operands
                line.attributes.append(f"operands={' '.join(without_layout(values[name][1]) for name in names)}")
            if line.opcode in DRAWS:  # each draw differs
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
        value = nested(leaf_shapes(line.shape), leaves)
        # The elements after operands and results are internal to XLA.
        return value[:2] if line.opcode == "collective-permute-start" else value

    def loop(self, line, state, condition, body):
        """Returns the nodes of a loop's results.

        Elements that the body returns unchanged keep their initial value and are no part of the state: the conversion
        through StableHLO takes them out and appends them to the rest.
        """
        initial, shapes = flat([state]), flat(leaf_shapes(line.shape))
        parameters = [self.graphs.leaf("parameter", shape, i) for i, shape in enumerate(shapes)]
        is_kept = [result == parameter for result, parameter in zip(self.body(body)[0], parameters)]
        changing = [i for i, kept in enumerate(is_kept) if not kept]
        arguments = list(map(self.graphs.kept, initial))
        for place, i in enumerate(changing):
            arguments[i] = self.graphs.leaf("parameter", shapes[i], place)
        test = self.computation(condition, tuple(arguments))
        if self.graphs.nodes[test].operands == (self.graphs.false(),):
            return state
        results, effects, _ = self.body(body, arguments)
        turn = self.graphs.number("computation", "", "turn", [*(results[i] for i in changing), *sorted(effects)])
        text = " ".join(without_layout(shapes[i]) for i in changing)
        loop = self.graphs.number("while", text, "", [*(initial[i] for i in changing), test, turn])
        self.printed.setdefault(loop, line.text)
        leaves = list(initial)
        for place, i in enumerate(changing):
            leaves[i] = self.graphs.leaf("element", shapes[i], place, [loop])
        return nested(leaf_shapes(line.shape), iter(leaves))


class Comparison:
    """A comparison of two modules in one table of nodes."""

    def __init__(self, sent, received):
        self.graphs = Graphs()
        self.sent, self.received = Reader(self.graphs, sent), Reader(self.graphs, received)
        self.equal = {}

    def result(self):
        """Returns the first instruction in which the modules differ, as sent and as received; None if there is
        none."""
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
        """True if the results are equal.

        The builder of rng-bit-generator makes all results unsigned integers, of which the adapter reads the bits.
        """
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
        """Returns a node as the instruction that it comes from, or in its own words."""
        node = self.graphs.nodes[number]
        return reader.printed.get(number, f"{node.opcode} {node.shape} {node.text}".strip())

    def same(self, x, y):
        """True if a rule proves two nodes equal."""
        if x == y:
            return True
        if (x, y) not in self.equal:
            a, b = self.graphs.nodes[x], self.graphs.nodes[y]
            self.equal[x, y] = self.have_same_parts(a, b) or self.is_spelled_out(a, y)
        return self.equal[x, y]

    def have_same_parts(self, a, b):
        """True if two nodes compute the same from equal operands."""
        if (a.opcode, a.shape, a.text, len(a.operands)) != (b.opcode, b.shape, b.text, len(b.operands)):
            return False
        for pair in zip(a.operands, b.operands):
            if not self.same(*pair):
                return False
        return True

    def is_spelled_out(self, function, number):
        """True if `number` is a formula of only the operands of a function of complex numbers."""
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
    """Describes the first difference between two modules as both instructions; empty if there is none."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1 << 20)  # the graphs may be deep; Python calls use no stack
    try:
        found = Comparison(sent, received).result()
    finally:
        sys.setrecursionlimit(limit)
    return "" if found is None else f'"{found[0]}" became "{found[1]}"'
