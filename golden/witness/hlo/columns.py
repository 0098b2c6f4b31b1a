"""Arguments and results of a golden case, in rows (docs/golden_format.md#rows)."""

from golden.witness.arrays import parse_shape, to_array, words
from golden.witness.element_types import COMPLEX
from golden.witness.hlo.module import HloError

ARROW = "->"


def width(kind):
    """Returns the number of words of an element."""
    return 2 if kind in COMPLEX else 1


class Columns:
    """The arrays of a `columns` directive, filled row by row."""

    def __init__(self, line, text):
        """Parses the shapes of the arguments, an arrow, and the shapes of the results; `line` is the number of the
        line."""
        arguments, arrow, results = (part.split() for part in text.partition(ARROW))
        if not arrow or not results:
            raise ValueError(f"expected shapes, {ARROW} and shapes, found {text}")
        self.line, self.shapes, self.arguments = line, arguments + results, len(arguments)
        parsed = [parse_shape(shape) for shape in self.shapes]
        if len({dimensions for _, dimensions in parsed}) > 1:
            raise ValueError(f"columns must have the same dimensions, found {text}")
        self.widths = [width(kind) for kind, _ in parsed]
        self.rows = []  # (line, words)

    def add_row(self, line, text):
        """Appends the next element of each array."""
        arrow = sum(self.widths[: self.arguments])
        found = text.split()
        if len(found) != sum(self.widths) + 1 or found[arrow] != ARROW:
            raise ValueError(f"expected {arrow} words, {ARROW} and {sum(self.widths) - arrow} words, found {text}")
        self.rows.append((line, found[:arrow] + found[arrow + 1 :]))

    def arrays(self):
        """Returns the arguments and the results; an HloError names the line that cannot be parsed."""
        begin, arrays = 0, []
        for shape, count in zip(self.shapes, self.widths):
            column = [(line, row[begin : begin + count]) for line, row in self.rows]
            arrays.append(self._array(shape, column))
            begin += count
        return arrays[: self.arguments], arrays[self.arguments :]

    def _array(self, shape, column):
        kind, _ = parse_shape(shape)
        try:
            return to_array(shape, [word for _, element in column for word in element])
        except ValueError as error:
            for line, element in column:
                try:
                    to_array(f"{kind}[]", element)
                except ValueError as wrong:
                    raise HloError(line, str(wrong)) from wrong
            raise HloError(self.line, f"{len(column)} rows for {shape}") from error


def lines_of(arguments, results):
    """Yields the directives that hold arrays of the same dimensions."""
    yield " ".join(["//! columns", *(a.shape for a in arguments), ARROW, *(a.shape for a in results)])
    columns = [[words(a)[i :: width(a.type)] for i in range(width(a.type))] for a in (*arguments, *results)]
    arrow = sum(map(len, columns[: len(arguments)]))
    for row in zip(*(part for parts in columns for part in parts), strict=True):
        yield " ".join(["//! row", *row[:arrow], ARROW, *row[arrow:]])
