"""Golden files (docs/golden_format.md): an HLO module, and cases in comments."""

import dataclasses

from oracle.arrays import array_of, line_of
from oracle.hlo.module import HloError, with_entry

HEADERS = ("clause", "provenance", "oracle", "tags")


@dataclasses.dataclass
class Case:
    """One run of the module: its arguments and what it must return, device after device."""

    name: str
    reason: str
    arguments: list  # Array
    argument_texts: list = dataclasses.field(default_factory=list)
    want: list = dataclasses.field(default_factory=list)  # Array
    entry: str = ""  # the computation that is run; empty: the module's entry


@dataclasses.dataclass
class Golden:
    """One file: headers, a module, and the cases."""

    path: str  # op/file
    module: str  # HLO text without directives
    cases: list
    headers: dict

    def module_of(self, case):
        """The module with the case's entry, and without the computations that this does not need."""
        return with_entry(self.module, case.entry) if case.entry else self.module


def read(path):
    """The golden file at a path; an HloError names the line of what cannot be read."""
    return parse(f"{path.parent.name}/{path.stem}", path.read_text())


def parse(name, text):
    """The golden file of a text; `name` is op/file."""
    golden = Golden(name, "", [], {})
    module = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("//!"):
            module.append(line)
            continue
        key, _, rest = line[3:].strip().partition(" ")
        try:
            _add_directive(golden, key, rest.strip())
        except ValueError as error:
            raise HloError(number, str(error)) from error
    golden.module = "\n".join(module).strip()
    return golden


def _add_directive(golden, key, rest):
    if key == "case":
        name, _, reason = rest.partition(" ")
        if any(case.name == name for case in golden.cases):
            raise ValueError(f"a second case {name}")
        golden.cases.append(Case(name, reason.strip(), []))
    elif key in HEADERS:
        golden.headers[key] = rest
    elif key not in ("entry", "arg", "want"):
        raise ValueError(f"no directive {key}")
    elif not golden.cases:
        raise ValueError(f"{key} before the first case")
    elif key == "entry":
        golden.cases[-1].entry = rest
    elif key == "arg":
        golden.cases[-1].arguments.append(array_of(rest))
        golden.cases[-1].argument_texts.append(rest)
    else:
        golden.cases[-1].want.append(array_of(rest))


def render(golden):
    """The text of a golden file."""
    lines = [f"//! {key:<10} {value}" for key, value in golden.headers.items()]
    lines += ["", golden.module.strip(), ""]
    for case in golden.cases:
        lines.append(f"//! case {case.name} {case.reason}")
        lines += [f"//! entry {case.entry}"] if case.entry else []
        lines += [f"//! arg  {text}" for text in case.argument_texts]
        lines += [f"//! want {line_of(array)}" for array in case.want]
    return "\n".join(lines) + "\n"
