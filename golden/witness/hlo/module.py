"""A parser of the HLO text of goldens and of the tests of the second evaluator: one instruction a line.

It covers a part of XLA's grammar. Unsupported text raises HloError with the line.
"""

import dataclasses
import re


class HloError(ValueError):
    """Text that cannot be parsed, with the number of its line."""

    def __init__(self, line, message):
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclasses.dataclass
class Instruction:
    """One line of a computation; attributes are looked up in their text."""

    name: str
    shape: str
    opcode: str
    operands: str
    attributes: str
    is_root: bool
    operand_shapes: list = dataclasses.field(default_factory=list, compare=False)

    @property
    def type(self):
        """Returns the element type of an array shape."""
        return re.match(r"\w+", self.shape).group()

    @property
    def dimensions(self):
        """Returns the sizes of an array shape; the bounds of dynamic ones."""
        return tuple(int(d) for d in re.findall(r"\d+", re.match(r"\w+\[([\d,<=]*)\]", self.shape).group(1)))

    def operand_names(self):
        """Returns the names of the operands, without shapes."""
        return [name.split()[-1].lstrip("%") for name in self.operands.split(",") if name.strip()]

    def text(self, name, default=None):
        """Returns an attribute as written."""
        match = re.search(rf"(?:^|, ){name}=(\{{(?:[^{{}}]|\{{[^}}]*\}})*\}}|[^,\s]+)", self.attributes)
        return match.group(1) if match else default

    def ints(self, name):
        """Returns the numbers of an attribute; none if it is absent."""
        return [int(n) for n in re.findall(r"-?\d+", self.text(name, ""))]

    def names(self, name):
        """Returns the words of an attribute; none if it is absent."""
        return re.findall(r"[\w.-]+", self.text(name, ""))

    def flag(self, name):
        """True if an attribute is true."""
        return self.text(name) == "true"

    def __str__(self):
        """Returns the line in a form that can be parsed again."""
        attributes = f", {self.attributes}" if self.attributes else ""
        return f"{'ROOT ' if self.is_root else ''}{self.name} = {self.shape} {self.opcode}({self.operands}){attributes}"


_INSTRUCTION = re.compile(
    r"\s*(?P<root>ROOT )?%?(?P<name>[\w.-]+) = (?P<shape>b?\(.*?\)|[^\s(]+) (?P<op>[\w-]+)\((?P<operands>.*?)\)"
    r"(?:, (?P<attributes>[a-z_-]+=.*))?$"
)
_COMMENT = re.compile(r"/\*.*?\*/")
_CLOSING = re.compile(r"\}(, execution_thread=\S+)?")
_OPENING = re.compile(r"(ENTRY )?%?([\w.-]+)[^=]*\{$")


class Module:
    """Computations by name, each a list of instructions in their order, and the name of the entry."""

    def __init__(self, text):
        self.computations = {}
        self.entry = None
        self.header = ""
        body = None
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("//"):
                continue
            line = _COMMENT.sub("", line)
            if line.startswith("HloModule "):
                self.header = line
            elif body is None:
                body = self._open(number, line)
            elif _CLOSING.fullmatch(line.strip()):
                self._close(number, body)
                body = None
            else:
                body.append(_instruction(number, line))
        if body is not None:
            raise HloError(number, "the text ends inside a computation")
        if self.entry is None:
            raise HloError(len(text.splitlines()) or 1, "no ENTRY computation")

    def _open(self, number, line):
        match = _OPENING.fullmatch(line.strip())
        if match is None:
            raise HloError(number, f"expected a computation, found {line.strip()}")
        is_entry, name = match.groups()
        if name in self.computations:
            raise HloError(number, f"a second computation {name}")
        if is_entry:
            self.entry = name
        return self.computations.setdefault(name, [])

    def _close(self, number, body):
        if sum(instruction.is_root for instruction in body) != 1:
            raise HloError(number, "a computation has one ROOT")
        shapes = {}
        for instruction in body:
            if instruction.opcode not in ("parameter", "constant"):
                instruction.operand_shapes = [_shape_of(number, shapes, name) for name in instruction.operand_names()]
            shapes[instruction.name] = instruction.shape

    def __str__(self):
        """Returns the text in a form that can be parsed again."""
        blocks = [self.header]
        for name, body in self.computations.items():
            lines = "".join(f"  {instruction}\n" for instruction in body)
            blocks.append(f"{'ENTRY ' if name == self.entry else ''}{name} {{\n{lines}}}")
        return "\n\n".join(blocks) + "\n"


def _instruction(number, line):
    match = _INSTRUCTION.match(line)
    if match is None:
        raise HloError(number, f"expected an instruction, found {line.strip()}")
    return Instruction(match["name"], match["shape"], match["op"], match["operands"], match["attributes"] or "",
                       bool(match["root"]))


def _shape_of(number, shapes, name):
    if name not in shapes:
        raise HloError(number, f"no instruction {name} before its use in the computation that ends here")
    return shapes[name]


def grid_of(text):
    """Returns replica_count and num_partitions of a module's header, 1 if absent."""
    header = text[text.index("HloModule") :].split("\n")[0]
    counts = [re.search(f"{name}=(\\d+)", header) for name in ("replica_count", "num_partitions")]
    return [int(count.group(1)) if count else 1 for count in counts]


def by_device(text, values):
    """Splits values for all devices of a module into one list for each device, all of one length."""
    replicas, partitions = grid_of(text)
    each = len(values) // (replicas * partitions)
    return [values[i * each : (i + 1) * each] for i in range(replicas * partitions)]


def computation_names(text):
    """Returns the names of the computations in a text with one line for each instruction."""
    openings = (_OPENING.fullmatch(line) for line in text.splitlines() if not line.startswith((" ", "//", "HloModule ")))
    return {found[2] for found in openings if found}


def with_entry(text, name):
    """Returns the module with this computation as its entry, and without the computations that it does not need.

    A computation is a block of lines; its callees appear in it by name.
    """
    head, *blocks = re.split(r"\n\n(?=[^\n]+\{\n)", text)
    texts = {re.match(r"(?:ENTRY )?([\w.-]+)", block).group(1): block.removeprefix("ENTRY ") for block in blocks}
    wanted, found = [name], set()
    while wanted:
        found.add(callee := wanted.pop())
        wanted += {word for word in re.findall(r"[\w.-]+", texts[callee]) if word in texts} - found
    return "\n\n".join([head, *(("ENTRY " if n == name else "") + t for n, t in texts.items() if n in found)])
