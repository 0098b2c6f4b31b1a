"""Golden files with their repeated parts written out (docs/golden_format.md#repeated-parts)."""

import re

from golden.witness.hlo.module import HloError

DIRECTIVE = "//!"
NAME = re.compile(r"\$[A-Z]")
# The directives whose words may be alternatives.
VALUES = re.compile(r"//! +(row|arg|want|infeed|outfeed) ")
NOT_OUTLINE = re.compile(r"^(?!//! +(?:for|end|case)\b).+", re.M)
WORD = re.compile(r"[^\s;]+")


class Repeat:
    """The lines between `for` and `end`, and the values of its names."""

    def __init__(self, number, names):
        self.number, self.names, self.values, self.lines = number, names, [], []

    def add(self, number, text):
        """Adds the values of one `for` line."""
        for value in text.split(","):
            words = value.split()
            if len(words) != len(self.names):
                raise HloError(number, f"expected {len(self.names)} words for {' '.join(self.names)}, found {value.strip()}")
            self.values.append(words)

    def written_out(self):
        """Yields the lines for each value, with their numbers."""
        for place, words in enumerate(self.values):
            values = dict(zip(self.names, words))
            for number, line in self.lines:
                line = line.removeprefix("ENTRY ") if place > 0 else line
                line = NAME.sub(lambda name: self._value(number, values, name.group()), line)
                if "|" in line and VALUES.match(line):
                    line = WORD.sub(lambda word: self._alternative(number, place, word.group()), line)
                yield number, line

    def _value(self, number, values, name):
        if name not in values:
            raise HloError(number, f"{name} has no value: expected {' or '.join(self.names)}")
        return values[name]

    def _alternative(self, number, place, word):
        alternatives = word.split("|")
        if len(alternatives) == 1 or word == "|":  # the host's values are divided by bars
            return word
        if len(alternatives) != len(self.values):
            raise HloError(number, f"expected {len(self.values)} alternatives, found {word}")
        return alternatives[place]


def rows(number, line):
    """Yields the lines of the rows that a line holds."""
    if not line.startswith(f"{DIRECTIVE} row "):
        yield number, line
        return
    for row in line.removeprefix(f"{DIRECTIVE} row").split(";"):
        yield number, f"{DIRECTIVE} row {row.strip()}"


def repeated(text):
    """Yields each line of a file without `for` and `end`, with the number of its line in the file."""
    repeat = None
    for number, line in enumerate(text.splitlines(), 1):
        key, _, rest = line.removeprefix(DIRECTIVE).strip().partition(" ") if line.startswith(DIRECTIVE) else ("", "", "")
        if key == "for":
            names, _, values = rest.partition(":")
            names = names.split()
            if repeat is None or repeat.lines:
                if repeat is not None:
                    raise HloError(number, f"for inside of the for of line {repeat.number}")
                if not names or len(set(names)) < len(names) or not all(map(NAME.fullmatch, names)):
                    raise HloError(number, f"expected names such as $T, a colon and values, found {rest}")
                repeat = Repeat(number, names)
            elif names != repeat.names:
                raise HloError(number, f"expected the names {' '.join(repeat.names)}, found {' '.join(names)}")
            repeat.add(number, values)
        elif key == "end":
            if repeat is None:
                raise HloError(number, "end without for")
            yield from repeat.written_out()
            repeat = None
        elif repeat is not None:
            repeat.lines.append((number, line))
        else:
            yield number, line
    if repeat is not None:
        raise HloError(repeat.number, "for without end")


def expanded_lines(text):
    """Returns the lines of a golden file in the form of other HLO files, each with the number of its line in the file."""
    return [row for number, line in repeated(text) for row in rows(number, line)]


def expanded(text):
    """Returns the text of these lines."""
    return "".join(f"{line}\n" for _, line in expanded_lines(text))


def golden_text(path):
    """Returns the expanded text of the golden file at a path."""
    return expanded(path.read_text())


def outline(path):
    """Returns that text with nothing but the `case` lines."""
    return expanded(NOT_OUTLINE.sub("", path.read_text()))
