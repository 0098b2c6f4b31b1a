"""A few characteristic numbers of each element type, for goldens of every type."""

import dataclasses
import math
import re

from golden.witness.element_types import BITS, COMPLEX, ELEMENT_TYPES, FORMATS, component, is_float, limits

SMALL = [1, -2, 0.5, 3, -1.5, 2, 4, -0.5]
POWERS = [1, 2, 0.5, 4, 0.25, 8, 1, 2]
PAIRS = [1, 2, -3, 0.5, 0.25, -4, -1, -1.5, 2, -0.5, 3, 1, -0.5, -0.25, 1.5, 4]
NOT_ARRAYS = {"token", "tuple", "opaque", "buffer"}


def is_array(kind):
    """True if the type is one of array elements."""
    return kind not in NOT_ARRAYS


def repeated(values, count):
    """Returns the first `count` of the values, repeated cyclically."""
    return [values[i % len(values)] for i in range(count)]


def small(kind, count):
    """Returns small numbers of both signs, as far as the type has them."""
    if kind in COMPLEX:
        return repeated(PAIRS, 2 * count)
    if kind == "pred":
        return repeated([1, 0, 0, 1, 1], count)
    if is_float(kind):
        return repeated(POWERS if kind == "f8e8m0fnu" else SMALL, count)
    low, high = limits(kind)
    return repeated([n for n in (1, 3, -2, 0, 2, -1, 5) if low <= n <= high], count)


def edges(kind, count):
    """Returns the ends of the range, NaN, infinities and zeros of the type, then small numbers."""
    if kind in COMPLEX or kind == "pred":
        return small(kind, count)
    if not is_float(kind):
        low, high = limits(kind)
        telling = [n for n in dict.fromkeys([low, high, 0, 1, high - 1]) if low <= n <= high]
        return (telling + small(kind, count))[:count]
    form = FORMATS[kind]
    special = [] if form.nan == "none" else ["nan"]
    if form.has_infinity and kind != "f64":  # golden/*/types.hlo has no infinities of f64.
        special += ["inf", "-inf"]
    if form.has_zero:
        special.append(0)
    if form.has_signed_zero:
        special.append("-0")
    return repeated([*special, largest(kind), *small(kind, 8)], count)


def largest(kind):
    """Returns the word of the largest finite number: a decimal if it is short."""
    number = FORMATS[kind].max_finite
    if kind in ("f32", "f64", "bf16"):
        part = ELEMENT_TYPES[kind].dtype(float(number))
        return f"x{int(part.view(BITS[part.itemsize])):x}"
    return float(number)


def constant(kind, place):
    """Returns the text of one of several small numbers."""
    values = small(kind, 4)
    if kind in COMPLEX:
        return f"({values[2 * place]}, {values[2 * place + 1]})"
    return ("false", "true")[values[place]] if kind == "pred" else str(values[place])


def zero(kind):
    """Returns 0, or the least number of a type without zero."""
    return [0, 0] if kind in COMPLEX else [2.0**-127] if kind == "f8e8m0fnu" else [0]


def classes(kind, words):
    """Describes the kinds of numbers among the words of a type."""
    if kind == "pred":
        yield from [name for word, name in ((0, "false"), (1, "true")) if word in words]
    elif kind in COMPLEX:
        yield "numbers in each quadrant" if len(words) > 6 else "small complex numbers" if words else "no number"
    elif is_float(kind):
        yield from [name for word, name in (("nan", "NaN"), ("inf", "infinities")) if word in words]
        zeros = [word for word in words if word in (0, "-0")]
        yield from ["both zeros"] if len(set(zeros)) == 2 else ["zero"] if zeros else []
        yield from ["the greatest number"] if largest(kind) in words else []
        rest = [word for word in words if word not in ("nan", "inf", "-inf", 0, "-0", largest(kind))]
        yield from ["powers of two" if kind == "f8e8m0fnu" else "small numbers"] if rest else []
    else:
        low, high = limits(kind)
        ends = [end for end in (low, high) if end in words]
        yield from ["both ends of the range"] if len(ends) == 2 else []
        rest = [word for word in words if len(ends) < 2 or word not in ends]
        yield from ["small numbers"] if rest else []


def what_is_in(arguments):
    """Returns the reason of a case for its element type: the contents of its arguments, (SHAPE, WORDS) each."""
    found = {}
    for shape, words in arguments:
        kind = shape.split("[")[0]
        names = classes(kind, list(words)) if kind in ELEMENT_TYPES else ["a tuple" if shape[0] == "(" else f"a {kind}"]
        found |= dict.fromkeys(names)
    return ", ".join(found) or "no operand"


@dataclasses.dataclass
class Sample:
    """A computation of one instruction of interest; its operands are the parameters a, b, c... or results of `body`."""

    parameters: list  # shapes
    root: str  # "SHAPE op(a, b), attributes"
    arguments: list  # for each parameter, the words of its value
    body: list = ()
    computations: list = ()  # texts; their names end in the element type
    reason: str = ""  # by default what_is_in the arguments
    more: dict = dataclasses.field(default_factory=dict)  # further cases, by the ends of their names

    def kinds(self):
        """Returns the element types of the first operand and of the result; of a tuple its first array."""
        shapes = [*self.parameters[:1], self.root]
        found = [re.search(r"(\w+)\[", shape) for shape in (shapes[0], shapes[-1])]
        return tuple(match[1] if match else "token" for match in found)

    def cases(self):
        """Yields the end of each case's name, and its arguments."""
        yield "", self.arguments
        yield from self.more.items()


def called(name, parameters, *lines):
    """Returns a computation. Parameters are "NAME:SHAPE ...", further lines its instructions."""
    found = re.findall(r"(\w+):(\(.*?\)|\S+)", parameters)
    texts = [f"{parameter} = {shape} parameter({i})" for i, (parameter, shape) in enumerate(found)]
    return f"{name} {{\n" + "".join(f"  {line}\n" for line in [*texts, *lines]) + "}"


def combiner(op, kind):
    """Returns the computation `<op>_<kind>` of two scalars that is one op."""
    return called(f"{op}_{kind}", f"x:{kind}[] y:{kind}[]", f"ROOT z = {kind}[] {op}(x, y)")


def order(kind, direction="LT"):
    """Returns a computation `order_<kind>`; complex numbers are compared by their real parts."""
    lines, names = [], "x, y"
    if kind in COMPLEX:
        lines, names = [f"p = {COMPLEX[kind]}[] real(x)", f"q = {COMPLEX[kind]}[] real(y)"], "p, q"
    return called(f"order_{kind}", f"x:{kind}[] y:{kind}[]", *lines,
                  f"ROOT z = pred[] compare({names}), direction={direction}")


def folder(kind):
    """Returns an op that folds numbers of the type, in any order."""
    return "or" if kind == "pred" else "maximum" if kind == "f8e8m0fnu" else "add"


def elements(shape):
    """Returns the number of elements of a shape."""
    return math.prod(int(size) for size in re.findall(r"\d+", shape[shape.index("["):]))


# A computation that returns its second operand.
SECOND = "second_{k} {\n  x = {k}[] parameter(0)\n  ROOT y = {k}[] parameter(1)\n}"


def behind(numbers, count):
    """Returns a function like `numbers` without its first ones."""
    return lambda kind, size: numbers(kind, size + count)[count * len(numbers(kind, 1)):]


def template(operands, root, *values, fold=folder, body=(), computations=(), reason="", more=()):
    """Returns a template: a function from an op and an element type to a Sample.

    `operands` are shapes with blanks between them. {op} in a text is the op, {k} the type, {p} that of its parts and
    {f} the op that folds it; the computation {f}_{k} is added. `values`: for each operand words, or a function from the
    type and the number of elements to words. `computations`: texts, or functions from the type to texts. `more`:
    further values of the last operands, by the ends of the cases' names.
    """

    def make(op, kind):
        def text(line):
            if callable(line):
                return line(kind)
            for name, value in (("{op}", op), ("{k}", kind), ("{p}", component(kind)), ("{f}", fold(kind))):
                line = line.replace(name, value)
            return line

        shapes = text(operands).split()
        arguments = [made(kind, elements(shape)) if callable(made) else made
                     for shape, made in zip(shapes, values, strict=True)]
        called = [text(one) for one in computations] + ([combiner(fold(kind), kind)] if "{f}_{k}" in root else [])
        cases = {end: [*arguments[: len(arguments) - len(last)], *last] for end, last in dict(more).items()}
        return Sample(shapes, text(root), arguments, [text(line) for line in body], called, text(reason), cases)

    return make


def several(**templates):
    """Returns a template of several cases; its arguments are a template for each end of a case's name."""
    return lambda op, kind: {end: make(op, kind) for end, make in templates.items()}


NORMALIZED = {"batch-norm-training": "data scale offset", "batch-norm-inference": "data scale offset mean variance",
              "batch-norm-grad": "data scale mean variance gradient"}


def batch_norm(op, operand, row, attributes, numbers, reason=""):
    """Returns a Sample of a batch normalization; `numbers` are the words of its operands by their names."""
    names = NORMALIZED[op].split()
    result = operand if op == "batch-norm-inference" else f"({operand}, {row}, {row})"
    return Sample([operand if name in ("data", "gradient") else row for name in names],
                  f"{result} {op}({', '.join('abcde'[: len(names)])}), {attributes}", [numbers[name] for name in names],
                  reason=reason)
