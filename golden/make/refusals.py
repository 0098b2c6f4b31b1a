"""Modules that must be rejected, from the texts of the legality rules (spec_tests/legality): goldens in golden/refused.

If the module of a text parses and breaks a rule, its entry becomes a computation of a golden file and the rule its
`refused`. Texts with another header, or with computations of the same name, are in another file. Each case names a legal
neighbour (golden/make/neighbours.py).
"""

import pathlib
import re

from golden.make.neighbours import Neighbours
from golden.witness.hlo.goldens import Case
from golden.witness.program import ROOT, ask
from spec_tests.legality import legality_texts

LONGEST_NAME = 48
SHORTEST_WORDS = 12
LARGEST_EXTENT = 1 << 20  # A peer also needs inputs.
ORACLE = "the rules of the reference's verifier, XLA:CPU"


def add_to(corpus):
    """Adds all files of this module. The corpus must have the legal cases of all operations already."""
    neighbours = Neighbours(corpus.goldens.values())
    for path in sorted(legality_texts.FOLDER.glob("*.hlo")):
        files = []
        for text in filter(is_golden, legality_texts.read(path)):
            file = next((file for file in files if file.takes(text)), None)
            if file is None:
                files.append(file := File(path.stem, len(files), text.attributes))
            file.add(text)
        for file in files:
            file.add_to(corpus, neighbours)


def is_golden(text):
    """True if the text has a module that parses, with entry and computations apart, and that XLA rejects as printed.

    An XLA verdict that concerns only the conversion to StableHLO does not count.
    """
    if not re.search("StableHLO|conversion", text.xla.get("accepts", "StableHLO")):
        return False
    is_whole = text.entry.lstrip().startswith("HloModule")
    extents = [int(n) for n in re.findall(r"\d+", " ".join(re.findall(r"\[[\d,<=]*\]", text.entry)))]
    has_threads = "execution_thread" in text.computations
    if not text.errors or text.flags or is_whole or has_threads or max(extents, default=0) > LARGEST_EXTENT:
        return False
    printed = ask("print", text.module)
    # A peer gets the printed module. Printing drops an attribute that only newer parsers of XLA know.
    return printed.returncode == 0 and ask("verify", printed.stdout).returncode != 0


def blocks_of(computations):
    """Returns computations by name, an instruction a line. The texts have them in this form, or on one line each."""
    blocks = {}
    for text in re.findall(r"^\S[^\n]*\{ [^\n]* \}$|^\S[^\n]*\{\n.*?^\}", computations, re.M | re.S):
        name = re.match(r"%?([\w.-]+)", text).group(1)
        if "\n" not in text:
            head, body = re.fullmatch(r"(.*?) \{ (.*) \}", text).groups()
            lines = re.split(r"(?<!ROOT) (?=(?:ROOT )?%?[\w.-]+ = )", body)
            text = "\n".join([f"{head} {{", *(f"  {line}" for line in lines), "}"])
        blocks[name] = text
    return blocks


def words_of(rule):
    """Returns the part of a rule that the error must contain. A file of many modules renames instructions."""
    beginning = rule.split(", ")[0]
    return beginning if len(beginning) > SHORTEST_WORDS else rule


class File:
    """Cases with one header and one set of computations."""

    def __init__(self, op, number, attributes):
        self.name = f"{op}_{number + 1}" if number else op
        self.op = op
        self.attributes = attributes
        self.blocks = {}
        self.cases = []

    def takes(self, text):
        """True if the header is the same, and computations of the same name are equal."""
        blocks = blocks_of(text.computations)
        return text.attributes == self.attributes and all(self.blocks.get(n, b) == b for n, b in blocks.items())

    def add(self, text):
        """Adds a text as a case."""
        rule = text.errors[0].removesuffix("...").strip()
        words = "_".join(re.findall(r"[a-z]+", rule.lower()))[:LONGEST_NAME].strip("_") or "rule"
        taken = [name for name, _, _ in self.cases]
        name = next(n for n in (words, *(f"{words}_{i}" for i in range(2, 100))) if n not in taken)
        self.blocks |= blocks_of(text.computations)
        entry = "\n".join(f"  {line}" for line in text.entry.strip().splitlines())
        self.cases.append((name, rule, f"of_{name} {{\n{entry}\n}}"))

    def add_to(self, corpus, neighbours):
        """Adds the file to the corpus."""
        entries = [entry for _, _, entry in self.cases]
        module = "\n\n".join([f"HloModule refused{self.attributes}", *self.blocks.values(), f"ENTRY {entries[0]}",
                              *entries[1:]])
        page = pathlib.Path(ROOT, "docs", "ops", f"{self.op}.md")
        clause = f"ops/{page.name}" if page.exists() else "ops/README.md"
        corpus.file(f"refused/{self.name}", module, f"refused {self.op} level1", ORACLE, clause=clause)
        golden = corpus.goldens[f"refused/{self.name}"]
        for name, rule, entry in self.cases:
            golden.cases.append(Case(name, f"the rule: {rule}", [], entry=f"of_{name}", refused=words_of(rule),
                                     neighbour=neighbours.of(entry)))
