"""Golden files (docs/golden_format.md): an HLO module, and cases in comments."""

import dataclasses
import re

from golden.witness.arrays import Digest, array_of, line_of
from golden.witness.hlo.columns import Columns, lines_of
from golden.witness.hlo.expansion import expanded_lines, outline
from golden.witness.hlo.module import HloError, computation_names, with_entry

DIGITS = 16
# Results with more elements are digests, in files with digests.
MOST_WORDS = 16
HEADERS = ("clause", "provenance", "oracle", "tags")


# The folders whose cases test several operations together.
OF_PROGRAMS = ("miscompilations", "programs", "wrong_results")


def usual_headers(name, provenance):
    """Returns what a file without these headers says; `name` is op/file."""
    op = name.split("/")[0]
    clause = "programs.md" if op in OF_PROGRAMS else f"ops/{op}.md"
    oracle = "the specification's example" if provenance == "seed" else "exact arithmetic, XLA:CPU"
    return {"clause": clause, "provenance": "derived", "oracle": oracle}


@dataclasses.dataclass
class Case:
    """One run of the module: its arguments and required results, device after device."""

    name: str
    reason: str
    arguments: list  # Array
    written: list = dataclasses.field(default_factory=list)  # the text of each argument; None: columns have it
    want: list = dataclasses.field(default_factory=list)  # Array
    entry: str = ""  # the computation that runs; empty: the module's entry
    infeed: list = dataclasses.field(default_factory=list)  # values from the host: an Array, or a list for a tuple
    outfeed: list = dataclasses.field(default_factory=list)  # required values to the host
    refused: str = ""  # not empty: the module is illegal, the error contains this text, and there is no result
    neighbour: str = ""  # of a refused case: a legal case, op/file/case, which a backend must run for its refusal to count
    by_element: bool = False  # arguments and results are written in rows

    @property
    def argument_texts(self):
        """The text of each argument. Those of columns are made here, since few readers need them."""
        return [line_of(array) if text is None else text for array, text in zip(self.arguments, self.written, strict=True)]


@dataclasses.dataclass
class Golden:
    """One file: headers, a module, and the cases."""

    path: str  # op/file
    module: str  # HLO text without directives, or StableHLO text
    cases: list
    headers: dict
    digests: bool = False  # large results are written as digests
    suffix: str = ".hlo"  # of the file; ".mlir" for a StableHLO program

    def module_of(self, case):
        """Returns the module with the case's entry, and without the computations that it does not need."""
        return with_entry(self.module, case.entry) if case.entry else self.module


def wanted_of(text):
    """Returns the array of a `want`, or its digest."""
    shape, *rest = text.split()
    if rest[:1] != ["digest"]:
        return array_of(text)
    if len(rest) != 2 or len(rest[1]) != DIGITS:
        raise ValueError(f"expected {DIGITS} hexadecimal digits after digest")
    return Digest(shape, int(rest[1], 16))


def is_digest(array, digests):
    """True if a `want` is written as a digest; with `digests`, that of a large array is."""
    return isinstance(array, Digest) or (digests and array.values.size > MOST_WORDS)


def wanted_line(array, digests):
    """Returns the line of a `want`."""
    if is_digest(array, digests):
        return f"{array.shape} digest {array.digest():0{DIGITS}x}"
    return line_of(array)


def host_value(text):
    """Returns a value from or to the host: an Array, or a list of several between bars."""
    parts = [array_of(part) for part in text.split("|")]
    return parts if len(parts) > 1 else parts[0]


def host_line(value):
    """Returns the text of a value from or to the host."""
    return " | ".join(map(line_of, value if isinstance(value, list) else [value]))


def read(path):
    """Reads the golden file at a path; an HloError names the line that cannot be parsed."""
    golden = parse(f"{path.parent.name}/{path.stem}", path.read_text())
    golden.suffix = path.suffix
    return golden


def case_names(path):
    """Returns the names of the cases in the golden file at a path, without reading their values."""
    return re.findall(r"^//! case +(\S+)", outline(path), re.M)


def parse(name, text):
    """Parses the text of a golden file; `name` is op/file."""
    golden = Golden(name, "", [], {})
    module, columns = [], None
    for number, line in expanded_lines(text):
        if not line.startswith("//!"):
            module.append(line)
            continue
        key, _, rest = line[3:].strip().partition(" ")
        try:
            if key == "row" and columns:
                columns.add_row(number, rest)
                continue
            _end_columns(golden, columns)
            columns = Columns(number, rest) if key == "columns" and golden.cases else None
            if not columns:
                _add_directive(golden, key, rest.strip())
        except HloError:
            raise
        except ValueError as error:
            raise HloError(number, str(error)) from error
    _end_columns(golden, columns)
    golden.headers = usual_headers(name, golden.headers.get("provenance")) | golden.headers
    # A computation is a paragraph.
    golden.module = re.sub(r"\n\}\n(?=\S)", "\n}\n\n", "\n".join(module).strip())
    names = computation_names(golden.module)
    for case in golden.cases:
        implied = f"on_{case.name}"
        case.entry = case.entry or (implied if implied in names else "")
    return golden


def _end_columns(golden, columns):
    """Adds the arrays of columns to their case."""
    if columns:
        case, (arguments, want) = golden.cases[-1], columns.arrays()
        case.arguments += arguments
        case.written += [None] * len(arguments)
        case.want += want
        case.by_element = True


def _add_directive(golden, key, rest):
    if key == "case":
        name, _, reason = rest.partition(" ")
        if any(case.name == name for case in golden.cases):
            raise ValueError(f"a second case {name}")
        golden.cases.append(Case(name, reason.strip(), []))
    elif key in HEADERS:
        golden.headers[key] = rest
    elif key not in ("entry", "arg", "want", "columns", "row", "refused", "neighbour", "infeed", "outfeed"):
        raise ValueError(f"no directive {key}")
    elif not golden.cases:
        raise ValueError(f"{key} before the first case")
    elif key == "row":
        raise ValueError("row without columns before it")
    elif key in ("entry", "refused", "neighbour"):
        setattr(golden.cases[-1], key, rest)
    elif key in ("infeed", "outfeed"):
        getattr(golden.cases[-1], key).append(host_value(rest))
    elif key == "arg":
        golden.cases[-1].arguments.append(array_of(rest))
        golden.cases[-1].written.append(rest)
    else:
        golden.cases[-1].want.append(wanted_of(rest))


def render(golden):
    """Returns the text of a golden file, without repeated parts."""
    usual = usual_headers(golden.path, golden.headers.get("provenance"))
    lines = [f"//! {key:<10} {value}" for key, value in golden.headers.items() if value != usual.get(key)]
    lines += [golden.module.strip(), ""]
    for case in golden.cases:
        lines.append(f"//! case {case.name} {case.reason}")
        lines += [f"//! entry {case.entry}"] if case.entry not in ("", f"on_{case.name}") else []
        lines += [f"//! refused {case.refused}", f"//! neighbour {case.neighbour}"] if case.refused else []
        if case.by_element:
            lines += lines_of(case.arguments, case.want)
        else:
            lines += [f"//! arg  {text}" for text in case.argument_texts]
        lines += [f"//! infeed {host_line(value)}" for value in case.infeed]
        if not case.by_element:
            lines += [f"//! want {wanted_line(array, golden.digests)}" for array in case.want]
        lines += [f"//! outfeed {host_line(value)}" for value in case.outfeed]
    return "\n".join(lines) + "\n"
