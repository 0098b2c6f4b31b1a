"""Writes the derived goldens: inputs and reasons from golden/make/cases or the files, expected values from `assay run`.

    python -m golden.make [--check] [OP...]

The values are those of the reference; a file is finished once `python -m golden.witness.audit` has derived every value by other
means. Goldens of the specification's own examples have values written by hand; this program only formats them. With
--check nothing is written: the status is 1 if a file differs from the text that would be written, or if nothing makes
it.
"""

import argparse

from golden.witness import arrays
from golden.witness.arrays import Array
from golden.make.cases import by_hand, device, element_types, faults, matrix_cells, quantized, quantized_structures
from golden.make import refusals
from golden.make.by_element import is_by_element
from golden.make.compaction import compact
from golden.witness.hlo.goldens import Case, Golden, render
from golden.witness.hlo.module import by_device
from golden.witness.program import GOLDEN, evaluate, evaluate_with_host, flatten, golden_paths

# The files that are their own sources come behind all others; refusals need the legal cases of the whole corpus.
CASES = (device, quantized, quantized_structures, element_types, matrix_cells, faults, by_hand, refusals)


class Corpus:
    """A collection of cases by file; a file has one module."""

    def __init__(self):
        self.goldens = {}

    def file(self, path, module, tags, oracle, provenance="derived", digests=False, clause="", suffix=".hlo"):
        """Begins a file; returns a function that adds a case to it. With `digests`, large results are digests."""
        clause = clause or f"ops/{path.split('/')[0]}.md"
        headers = {"clause": clause, "provenance": provenance, "oracle": oracle}
        headers["tags"] = tags
        golden = Golden(path, module, [], headers, digests, suffix)
        if self.goldens.setdefault(path, golden) is not golden:
            raise ValueError(f"{path} is made twice")

        def case(name, reason, *arguments, want=(), entry="", infeed=(), outfeed=()):
            """Adds a case. An argument is "SHAPE seeded N", or (SHAPE, words), or an Array."""
            values = [to_array(a) for a in arguments]
            texts = [a if isinstance(a, str) else arrays.line_of(b) for a, b in zip(arguments, values)]
            host = {"infeed": list(map(to_host_value, infeed)), "outfeed": list(map(to_host_value, outfeed))}
            golden.cases.append(Case(name, reason, values, texts, [to_array(w) for w in want], entry, **host))

        return case


def to_array(argument):
    """Returns an argument in one of the forms that `case` accepts as an Array."""
    if isinstance(argument, str):
        return arrays.array_of(argument)
    return argument if isinstance(argument, Array) else arrays.to_array(*argument)


def to_host_value(value):
    """Returns an array, or the list of the arrays of a tuple."""
    return [to_array(element) for element in value] if isinstance(value, list) else to_array(value)


def whole_corpus():
    """Returns all files of this package, without the values of derived ones."""
    corpus = Corpus()
    for cases in CASES:
        cases.add_to(corpus)
    return corpus


def fill_in(golden):
    """Sets the values of a derived golden to those of the reference."""
    is_derived = golden.headers["provenance"] == "derived"
    for case in [c for c in golden.cases if is_derived and not c.refused]:
        module = golden.module_of(case)
        arguments = by_device(module, case.arguments)
        if case.infeed or case.outfeed:
            want, given = evaluate_with_host(module, arguments, by_device(module, case.infeed))
            case.want, case.outfeed = flatten(want), [value for device in given for value in device]
        else:
            case.want = flatten(evaluate(module, arguments))


def written(golden):
    """Returns the path and the text of a golden. The cases of a StableHLO program come with their values."""
    path = GOLDEN / f"{golden.path}{golden.suffix}"
    if golden.suffix != ".hlo":
        return path, render(golden)
    fill_in(golden)
    for case in golden.cases:
        case.by_element = is_by_element(golden, case)
    return path, compact(render(golden))


def write(golden):
    """Writes its file."""
    path, text = written(golden)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def differences(texts, paths):
    """Yields the errors in files: `texts` has the required text by path, `paths` are all existing files."""
    for path, text in texts.items():
        if path not in paths:
            yield f"{path}: not there"
        elif path.read_text() != text:
            yield f"{path}: not as it would be written"
    for path in sorted(set(paths) - set(texts)):
        yield f"{path}: nothing makes it"


def main():
    """Writes or checks the files of the given ops; of all, if none is given."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ops", nargs="*", help="only files of these ops")
    parser.add_argument("--check", action="store_true", help="write nothing, and say which files would change")
    options = parser.parse_args()
    chosen = [g for g in whole_corpus().goldens.values() if not options.ops or g.path.split("/")[0] in options.ops]
    if not chosen:
        parser.error(f"no file of the corpus is of {' or '.join(options.ops)}")
    found = []
    if options.check:
        paths = [p for p in golden_paths() if not options.ops or p.parent.name in options.ops]
        found = list(differences(dict(map(written, chosen)), paths))
    else:
        for golden in chosen:
            write(golden)
    print(*found, f"{len(chosen)} files, {sum(len(golden.cases) for golden in chosen)} cases", sep="\n")
    return 1 if found else 0

