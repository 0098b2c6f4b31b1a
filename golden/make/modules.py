"""Modules with one instruction of interest, in the form of the case lists."""

from golden.make.rules import CONTENTS, reason_of
from golden.make.values import called, signed, what_is_in

NUMPY = "a second evaluator in Python, XLA:CPU"


def entry(parameters, root, computations="", body=(), root_name="r"):
    """Returns an entry. Parameters are named a, b, c...; `root` is "SHAPE op(a, b), attributes"."""
    lines = [f"  {name} = {shape} parameter({i})" for i, (name, shape) in enumerate(zip("abcdefgh", parameters))]
    lines += [f"  {line}" for line in body] + [f"  ROOT {root_name} = {root}"]
    return "\n\n".join(filter(None, [computations, "ENTRY main {\n" + "\n".join(lines) + "\n}"]))


def combiner(op, kind, name=None, attributes=""):
    """Returns a computation of two scalars that is one op."""
    result = "pred" if op == "compare" else kind
    return called(name or op, f"x:{kind}[] y:{kind}[]", f"ROOT z = {result}[] {op}(x, y){attributes}")


def add_file(corpus, path, signature, rest, *cases, computations="", body=(), header="", devices="", tags="",
             oracle=NUMPY, provenance="derived", root_name="r"):
    """Adds a file with one module, and its cases, each (name, reason, arguments...).

    `signature` and `rest` are as `signed` takes them for the op that names the folder. `header`: the name of the
    module, by default that of the op; `devices`: its counts of devices, if there are several, and a case has the
    arguments of one after the other.
    """
    op = path.split("/")[0]
    parameters, root = signed(op, signature, rest)
    header = ", ".join(filter(None, [header or op.replace("-", "_"), devices]))
    text = f"HloModule {header}\n\n" + entry(parameters, root, computations, body, root_name)
    kind = (parameters[0] if parameters else root).split("[")[0].lstrip("(")
    add = corpus.file(path, text, f"{op} {kind} {tags or 'level1'}", oracle, provenance)
    for name, reason, *arguments in cases:
        want = arguments.pop() if provenance == "seed" else ()
        shapes = parameters * (len(arguments) // len(parameters)) if devices and parameters else parameters
        values = [v if isinstance(v, str) else (shape, v) for shape, v in zip(shapes, arguments, strict=True)]
        add(name, reason, *values, want=want)


def numbers(count, first=1, step=1):
    """Returns numbers at even steps."""
    return [first + step * i for i in range(count)]


def computation(name, sample):
    """Returns the text of a Sample's computation."""
    parameters = enumerate(zip("abcdef", sample.parameters))
    lines = [f"  {letter} = {shape} parameter({i})" for i, (letter, shape) in parameters]
    lines += [f"  {line}" for line in sample.body] + [f"  ROOT r = {sample.root}"]
    return f"{name} {{\n" + "\n".join(lines) + "\n}"


def add_family(corpus, path, samples, oracle="exact arithmetic, XLA:CPU", digests=False, level=1):
    """Adds one file of several modules of an op, each the entry of its cases. `samples`: by name, values.Sample."""
    op, file = path.split("/")
    samples = {name: sample.of(op) for name, sample in samples.items()}
    blocks = []
    for name, sample in samples.items():
        blocks += [text for text in sample.computations if text not in blocks]
        blocks.append(("" if name in list(samples)[1:] else "ENTRY ") + computation(f"on_{name}", sample))
    text = f"HloModule {op.replace('-', '_')}_{file}\n\n" + "\n\n".join(blocks)
    case = corpus.file(path, text, f"{op} {file} level{level}", oracle, digests=digests)
    for name, sample in samples.items():
        for suffix, arguments in sample.cases():
            values = [a if isinstance(a, str) else (shape, a) for shape, a in
                      zip(sample.parameters, arguments, strict=True)]
            reason = sample.reason or what_is_in(zip(sample.parameters, arguments, strict=True))
            if not sample.reason or reason in CONTENTS:
                reason = reason_of(op, sample.kinds(), reason)
            case(name + suffix, reason, *values, entry=f"on_{name}")
