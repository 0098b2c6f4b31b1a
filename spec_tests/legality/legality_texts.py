"""The texts of the legality rules: one file an op, NAME.hlo, of many small modules.

A line that starts with "//! " describes the lines after it:

    //! module ATTRIBUTES      for the modules from here on: ", ATTRIBUTES" after "HloModule m"; without any, none
    //! verify FLAGS           for the modules from here on: verified with these; XLA is not asked about them
    //! computations           for the modules from here on: the computations beside the entry
    //! legal [WHY]            the entry of a legal module
    //! error MESSAGE          the entry of a module with this one error; several such lines: with each of these
    //! xla refuses: WHY       after one of those two, if XLA disagrees
    //! xla accepts: WHY

An entry that starts with "HloModule" is a whole module. A message is given from where the names of the instruction and
of its op end; one that ends in "..." is the beginning.
"""

import dataclasses
import pathlib
import re
import subprocess

FOLDER = pathlib.Path(__file__).parent
MARKER = re.compile(r"//! (module|verify|computations|legal|error|xla refuses:|xla accepts:) ?(.*)")


@dataclasses.dataclass
class Text:
    place: str
    errors: list[str]
    xla: dict[str, str]
    attributes: str
    computations: str
    flags: tuple[str, ...] = ()
    entry: str = ""

    @property
    def module(self):
        if self.entry.lstrip().startswith("HloModule"):
            return self.entry
        return f"HloModule m{self.attributes}\n{self.computations}ENTRY entry {{\n{self.entry}}}\n"


def read(path):
    texts, attributes, computations, flags = [], "", "", ()
    section = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        marker = MARKER.fullmatch(line)
        if line.startswith("//!") and not marker:
            raise ValueError(f"{path}:{number}: not a marker: {line}")
        if marker:
            word, rest = marker.groups()
            if word == "module":
                attributes = f", {rest}" if rest else ""
            elif word == "verify":
                flags = tuple(rest.split())
            elif word == "computations":
                computations = ""
            elif word.startswith("xla"):
                texts[-1].xla[word.removeprefix("xla ").rstrip(":")] = rest
            elif word == "error" and section == "error" and not texts[-1].entry:
                texts[-1].errors.append(rest)
            else:
                errors = [rest] if word == "error" else []
                texts.append(Text(f"{path.name}:{number}", errors, {}, attributes, computations, flags))
            if not word.startswith("xla"):
                section = word
        elif section == "computations":
            computations += line + "\n"
        elif line.strip() and not line.startswith("//") and section not in (None, "module", "verify"):
            texts[-1].entry += line + "\n"
    return texts


def all_texts():
    return [text for path in sorted(FOLDER.glob("*.hlo")) for text in read(path)]


def diagnostics(assay, module, flags=()):
    """Returns the messages of a module's errors, without places."""
    run = subprocess.run([assay, "verify", "-", *flags], input=module, capture_output=True, text=True)
    found = re.findall(r"^(?:<stdin>(?::\d+)*: )?error: (.*)$", run.stderr, re.M)
    if run.returncode not in (0, 2, 4) or (run.returncode == 0) != (not found):
        raise RuntimeError(f"exit status {run.returncode}: {run.stderr}")
    return found
