"""The text of a golden case: the instructions that its entry reaches, and the numbers of its arguments."""

import functools
import itertools
import re

from golden.witness.hlo.expansion import golden_text
from spec_tests.tools.command_line import GOLDEN

INSTRUCTION = re.compile(r" = (?:\(.*?\)|\S+) ([a-z][a-z0-9-]*)\((.*)$")
SHAPE = re.compile(r"(\w+)\[([\d,<=]*)\]")


class File:
    """A golden file: its computations with their lines, the name of the entry, and the lines of each case."""

    def __init__(self, path):
        self.computations, self.cases, self.entry, self.header = {}, {}, "", ""
        computation, case = None, None
        for line in golden_text(path).splitlines():
            if line.startswith("//!"):
                if line.startswith("//! case "):
                    case = self.cases.setdefault(line.split()[2], [])
                if case is not None:
                    case.append(line)
                continue
            opened = re.match(r"(ENTRY )?%?([\w.-]+) (?:\(.*\) -> .* )?\{$", line)
            if opened:
                computation = self.computations.setdefault(opened[2], [])
                self.entry = opened[2] if opened[1] else self.entry
            elif line.startswith("HloModule"):
                self.header = line
            elif computation is not None:
                computation.append(line)

    def reached(self, entry):
        """Returns the lines of the computation and of all that it calls."""
        names, lines = [entry], []
        for name in names:
            lines += self.computations[name]
            for line in self.computations[name]:
                called = re.findall(r"[\w.-]+", line)
                names += [word for word in called if word in self.computations and word not in names]
        return lines


@functools.cache
def file_of(path):
    return File(path)


def columns(shapes, rows):
    """Yields each shape with its words in the rows; a complex element is two words."""
    begin = 0
    for shape in shapes:
        end = begin + (2 if shape.startswith("c") else 1)
        yield shape, [word for row in rows for word in row[begin:end]]
        begin = end


class CaseText:
    @staticmethod
    @functools.cache
    def of(name):
        return CaseText(name)

    def __init__(self, name):
        path, _, case = name.rpartition("/")
        file = file_of(GOLDEN / f"{path}.hlo")
        self.lines = file.cases[case]
        self.header = file.header
        entries = [line.split()[2] for line in self.lines if line.startswith("//! entry")]
        entries += [name for name in (f"on_{case}",) if name in file.computations]
        self.instructions = []  # (op, text)
        for line in file.reached(entries[0] if entries else file.entry):
            found = INSTRUCTION.search(line)
            if found:
                self.instructions.append((found[1], line.strip()))

    def ops(self):
        return {op for op, _ in self.instructions}

    def has(self, word, ops):
        """True if an instruction of one of the ops has the word, or if the case has the property @word."""
        if word.startswith("@"):
            return PROPERTIES[word](self)
        return any(word in text for op, text in self.instructions if op in ops or not ops)

    def arguments(self):
        """Yields the element type, the dimensions and the elements of each argument, as text; runs are one element."""
        for shape, words in self.values():
            kind, dimensions = SHAPE.match(shape).groups()
            sizes = [int(size.removeprefix("<=")) for size in dimensions.split(",") if size]
            yield kind, sizes, [word.split("*")[-1] for word in words]

    def values(self):
        """Yields the shape and the words of each argument."""
        for place, line in enumerate(self.lines):
            if line.startswith("//! arg "):
                shape, *words = line.split()[2:]
                yield shape, words
            elif line.startswith("//! columns "):
                shapes = line.partition("->")[0].split()[2:]
                rows = itertools.takewhile(lambda line: line.startswith("//! row "), self.lines[place + 1 :])
                yield from columns(shapes, [row.partition("->")[0].split()[2:] for row in rows])

    def words(self):
        return {word for _, _, words in self.arguments() for word in words}


def sizes_of_slice(case):
    """Returns the sizes of the slice that the case's dynamic-slice takes, or its dynamic-update-slice replaces."""
    for op, text in case.instructions:
        if op == "dynamic-slice":
            return [int(size) for size in re.search(r"dynamic_slice_sizes=\{([\d,]*)\}", text)[1].split(",")]
        if op == "dynamic-update-slice":
            return list(case.arguments())[1][1]
    raise ValueError("no dynamic-slice")


def has_starts_outside(case):
    """True if one of the starts has to be clamped."""
    (_, dimensions, _), *others = case.arguments()
    starts = [int(words[0]) for kind, sizes, words in others if not sizes]
    return any(not 0 <= start <= n - m for start, n, m in zip(starts, dimensions, sizes_of_slice(case), strict=True))


PROPERTIES = {
    "@nan": lambda case: "nan" in case.words(),
    "@infinity": lambda case: bool({"inf", "-inf"} & case.words()),
    "@negative_zero": lambda case: "-0" in case.words(),
    "@negative": lambda case: any(word.startswith("-") for word in case.words()),
    "@outside": has_starts_outside,
    "@scalar": lambda case: any(not dimensions for _, dimensions, _ in case.arguments()),
    "@empty": lambda case: any(0 in dimensions for _, dimensions, _ in case.arguments()),
    "@devices": lambda case: re.search(r"(replica_count|num_partitions)=[2-9]", case.header) is not None,
    "@several": lambda case: sum(1 for _ in case.arguments()) > 2,
}
