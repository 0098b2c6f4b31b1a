"""Modules with one instruction of interest, in the form of the case lists."""

from golden.make.rules import CONTENTS, reason_of
from golden.make.values import called, what_is_in


def computation(name, parameters, root, body=()):
    """Returns a computation. Parameters are named a, b, c...; `root` is "SHAPE op(a, b), attributes"."""
    return called(name, " ".join(map(":".join, zip("abcdefgh", parameters))), *body, f"ROOT r = {root}")


def add_family(corpus, path, samples, level=1):
    """Adds one file of several modules of an op, each the entry of its cases. `samples`: by name, values.Sample."""
    op, file = path.split("/")
    blocks, entry = [f"HloModule {op.replace('-', '_')}_{file}"], "ENTRY "
    for name, sample in samples.items():
        blocks += [text for text in sample.computations if text not in blocks]
        blocks.append(entry + computation(f"on_{name}", sample.parameters, sample.root, sample.body))
        entry = ""
    text = "\n\n".join(blocks)
    case = corpus.file(path, text, f"{op} {file} level{level}", "exact arithmetic, XLA:CPU")
    for name, sample in samples.items():
        for suffix, arguments in sample.cases():
            values = list(zip(sample.parameters, arguments, strict=True))
            reason = sample.reason or what_is_in(values)
            if not sample.reason or reason in CONTENTS:
                reason = reason_of(op, sample.kinds(), reason)
            case(name + suffix, reason, *values, entry=f"on_{name}")
