"""Just enough of HLO text for goldens: computations, instructions, attributes."""

import dataclasses
import re


@dataclasses.dataclass
class Instruction:
    name: str
    shape: str
    opcode: str
    operands: str
    attributes: str
    is_root: bool

    @property
    def type(self):
        return re.match(r"\w+", self.shape).group()

    @property
    def dimensions(self):
        """Bounds, where they are dynamic."""
        return tuple(int(d) for d in re.findall(r"\d+", re.match(r"\w+\[([\d,<=]*)\]", self.shape).group(1)))

    def operand_names(self):
        return [name.split()[-1].lstrip("%") for name in self.operands.split(",") if name.strip()]

    def text(self, name, default=None):
        match = re.search(rf"(?:^|, ){name}=(\{{(?:[^{{}}]|\{{[^}}]*\}})*\}}|[^,\s]+)", self.attributes)
        return match.group(1) if match else default

    def ints(self, name):
        return [int(n) for n in re.findall(r"-?\d+", self.text(name, ""))]

    def names(self, name):
        return re.findall(r"[\w.-]+", self.text(name, ""))

    def flag(self, name):
        return self.text(name) == "true"


INSTRUCTION = re.compile(
    r"\s*(?P<root>ROOT )?%?(?P<name>[\w.-]+) = (?P<shape>\(.*?\)|[^\s(]+) (?P<op>[\w-]+)\((?P<operands>.*?)\)"
    r"(?:, (?P<attributes>[a-z_]+=.*))?$"
)


class Module:
    def __init__(self, text):
        self.computations = {}
        self.entry = None
        for line in text.splitlines():
            opening = re.match(r"(ENTRY )?%?([\w.-]+).*\{$", line)
            if opening and " = " not in line:
                body = self.computations.setdefault(opening.group(2), [])
                self.entry = opening.group(2) if opening.group(1) else self.entry
            elif match := INSTRUCTION.match(line):
                body.append(
                    Instruction(match["name"], match["shape"], match["op"], match["operands"],
                                match["attributes"] or "", bool(match["root"]))
                )
