"""Writes the generated part of docs/ops/*.md, the list in docs/ops/README.md, and the table of docs/custom_calls.md.

    python -m tools.docs.op_pages [--check] [build/tools/assay] [OP]...

The part of a page is made from the op's record (`assay ops`), the texts of spec_tests/legality, the statements of the
specification (`assay spec`), docs/decisions.md and the corpus. --check writes nothing and fails if a page is out of
date.
"""

import collections
import fnmatch
import functools
import json
import pathlib
import re
import subprocess
import sys

from golden.witness.hlo.goldens import case_names
from spec_tests.legality import legality_texts
from tools.site.model import FAILURES, WILD

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "ops"
MARKER = "<!-- generated: tools/docs/op_pages.py -->"
INDEX = MARKER, "<!-- end of the generated list -->"
HEAD_OF_TARGETS = "| target | meaning | rule |\n|---|---|---|\n"
# The index of the ops by their use.
FAMILIES = {
    "Moving elements": "broadcast concatenate copy pad reshape reverse shuffle slice transpose",
    "Indices that are operands": "dynamic-slice dynamic-update-slice gather scatter",
    "Choosing and ordering": "select clamp sort topk",
    "Folds and windows": "map reduce reduce-window scan select-and-scatter",
    "Products of matrices": "dot convolution ragged-dot scaled-dot",
    "Factorizations and transforms": "cholesky triangular-solve fft",
    "Arithmetic": "add subtract multiply divide remainder negate abs sign maximum minimum power",
    "Functions": "acos acosh asin asinh atan atan2 atanh cbrt cosh cosine erf exponential exponential-minus-one log "
                 "log-plus-one logistic rsqrt sine sinh sqrt tan tanh",
    "Rounding to whole numbers": "ceil floor round-nearest-afz round-nearest-even",
    "Bits and predicates": "and or xor not shift-left shift-right-arithmetic shift-right-logical count-leading-zeros "
                           "popcnt mulhi compare is-finite",
    "Complex numbers": "complex real imag",
    "Types": "convert bitcast bitcast-convert reduce-precision stochastic-convert",
    "Sources of values": "constant iota parameter",
    "Tuples and tokens": "tuple get-tuple-element after-all add-dependency opt-barrier domain",
    "Run-time sizes": "get-dimension-size set-dimension-size dynamic-reshape",
    "Control flow and calls": "call conditional while fusion custom-call",
    "Normalization": "batch-norm-grad batch-norm-inference batch-norm-training",
    "Random numbers": "rng rng-bit-generator rng-get-and-update-state",
    "Collectives": "all-gather all-reduce all-to-all collective-broadcast collective-permute collective-reduce "
                   "ragged-all-to-all reduce-scatter partition-id replica-id",
    "Asynchronous pairs": "async-start async-update async-done all-gather-start all-gather-done all-reduce-start "
                          "all-reduce-done collective-permute-start collective-permute-done copy-start copy-done",
    "The host and other devices": "infeed outfeed recv recv-done send send-done",
}  # fmt: skip


def anchor(heading):
    """Returns the anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


# --- Operands, attributes, acceptance ---------------------------------------------------------------------------------


KINDS = {"signed": "signed integers", "unsigned": "unsigned integers", "float": "floats",
         "complex": "complex numbers", "pred": "pred", "tuple": "tuples", "token": "tokens", "opaque": "opaque values"}
ARRAYS = ["signed", "unsigned", "float", "complex", "pred"]


def operands(op):
    low, high = op["min_operands"], op.get("max_operands")
    count = str(low) if low == high else f"{low} or more" if high is None else f"{low} to {high}"
    kinds = op["types_text"].split()
    if set(ARRAYS) <= set(kinds):
        kinds = [kind for kind in kinds if kind not in ARRAYS]
        named = ["arrays of any type", *(KINDS.get(kind, kind) for kind in kinds)]
    else:
        named = [KINDS.get(kind, kind) for kind in kinds]
    what = "Result: " if high == 0 else "Operand 0: "
    return f"Operands: {count}. {what}{', '.join(named)}." if named else f"Operands: {count}."


def attributes(op):
    """Returns the attributes by name, with their values if they are words of a list, as a sentence."""
    texts = []
    for spec in op["attributes"]:
        values = ", ".join(f"`{value}`" if value else "nothing" for value in spec.get("values", []))
        notes = ["required"] * spec["required"] + [f"one of {values}"] * bool(values)
        texts.append(f"`{spec['name']}`" + (f" ({': '.join(notes)})" if notes else ""))
    return [f"Attributes: {', '.join(texts)}."] if texts else []


def acceptance(op):
    rule = f"[{op['acceptance']}](../verdicts.md#rules)"
    bounds = [("", "ulp"), ("f64 ", "f64_ulp"), ("complex ", "complex_ulp"), ("c128 ", "c128_ulp")]
    found = [f"{kind}{op[key]:g} ULP" for kind, key in bounds if key in op]
    text = f"Acceptance: {rule}" + (f", {', '.join(found)}" if found else "") + "."
    return text if op["evaluated"] else f"{text} The reference does not evaluate it: {op['not_evaluated']}."


# --- Constraints ------------------------------------------------------------------------------------------------------


def without_instance(message):
    """Returns the message without shapes, names and numbers: the part that all messages of its rule share."""
    return re.sub(r"(?<![a-z])-?\d+|\w+\[[^\]]*\](\{[^}]*\})?|\([^)]*\)|\{[^}]*\}|%?\w+\.\d+", "#", message)


@functools.cache
def provoked(assay):
    """Returns for each op the messages that the texts of spec_tests/legality cause, one for each rule."""
    found = collections.defaultdict(dict)
    for text in legality_texts.all_texts():
        if not text.errors:
            continue
        for message in legality_texts.diagnostics(assay, text.module, text.flags):
            match = re.match(r"[\w.-]+: ([a-z0-9-]+): (.*)", message)
            if match:
                found[match.group(1)].setdefault(without_instance(match.group(2)), match.group(2))
    return found


@functools.cache
def ops_by_rule():
    """Returns the ops for each function that records name as their shape rule."""
    ops = collections.defaultdict(list)
    for path in sorted((ROOT / "interpreter" / "ops").glob("*.cc")):
        for rule in re.findall(r"\.infer = (\w+)[,}]", path.read_text()):
            ops[rule].append(path.stem.replace("_", "-"))
    return ops


def constraints(op, assay):
    """Returns the messages of the op's rules; element-wise ops share theirs."""
    messages = dict(provoked(assay)[op["name"]])
    for rule, ops in ops_by_rule().items():
        if op["name"] in ops and rule in ("InferUnary", "InferBinary"):
            return ["Those of [element-wise operations](elementwise.md#shapes)."]
        for other in ops if op["name"] in ops else []:
            messages = provoked(assay)[other] | messages
    messages = [message.split(", found ")[0] for message in messages.values()]
    shown = [message for message in dict.fromkeys(messages) if not message.startswith("declared ")]
    return [f"- {message}".replace("<", "\\<").replace("*", "\\*") for message in shown]


# --- Decisions --------------------------------------------------------------------------------------------------------


def sections_of_decisions():
    text = (ROOT / "docs" / "decisions.md").read_text()
    return re.findall(r"^## (.+)\n\nOps: ((?:.+\n)+)\n", text, re.M)


def decisions(op):
    listed = [heading for heading, ops in sections_of_decisions() if f"`{op['name']}`" in ops]
    links = [f"[{heading}](../decisions.md#{anchor(heading)})" for heading in listed]
    return [f"Decisions: {', '.join(links)}."] if links else []


# --- Goldens and peers ------------------------------------------------------------------------------------------------


@functools.cache
def expectations():
    return json.loads((ROOT / "golden" / "xla-cpu.json").read_text())["cases"]


@functools.cache
def pattern(name):
    return re.compile(fnmatch.translate(name))


def is_about(name, cases):
    """True if a name of the expectations, which may be a pattern, matches a case."""
    if not WILD.search(name):
        return name in cases
    return any(map(pattern(name).match, cases))


def fails_on_peer(cases):
    """True if golden/xla-cpu.json expects that XLA:CPU runs one of the cases and does not pass."""
    verdicts = ((row["name"], [row["verdict"]] if isinstance(row["verdict"], str) else row["verdict"])
                for row in expectations())  # fmt: skip
    return any(FAILURES & set(verdict) and is_about(name, cases) for name, verdict in verdicts)


def goldens(op):
    folder = ROOT / "golden" / op["name"]
    files = {path.stem: case_names(path) for path in sorted(folder.glob("*.hlo"))}
    if not files:
        return ["Goldens: none, since the corpus runs only functions of their inputs."]
    cases = {f"{op['name']}/{stem}/{case}" for stem, names in files.items() for case in names}
    text = f"Goldens: {len(cases)} in [`golden/{op['name']}/`](../../golden/{op['name']})."
    links = "[causes](../../golden/xla-cpu.json), [disputes](../../golden/disputes.md)"
    return [text + (f" Failures of XLA:CPU: {links}." if fails_on_peer(cases) else "")]


# --- Statements of the specification -----------------------------------------------------------------------------------


@functools.cache
def statements(assay):
    command = [assay, "spec", "--format", "json", "--corpus", str(ROOT / "golden")]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["statements"]


@functools.cache
def file_of_section(page, section):
    """Returns the file with the statements of a section."""
    folder = ROOT / "golden" / "specification" / page
    (path,) = [path for path in folder.glob("*.txt") if f"section {section}\n" in path.read_text()]
    return path.relative_to(ROOT)


def specification(op, assay):
    """Returns links to the files of the specification about an op, with the number of the statements about it."""
    sections = [statement["id"].split("/")[:2] for statement in statements(assay) if op["name"] in statement["ops"]]
    counts = collections.Counter((page, file_of_section(page, section)) for page, section in sections)
    links = [f"[{page}](../../{path}) ({count})" for (page, path), count in counts.items()]
    return [f"Specification: {', '.join(links)}."] if links else []


# --- Pages ------------------------------------------------------------------------------------------------------------


def generated(op, assay):
    """Returns the part of a page behind the marker: paragraphs and lists."""
    rules = constraints(op, assay)
    parts = [["## Reference"], [operands(op)], attributes(op), [acceptance(op)], decisions(op),
             specification(op, assay), goldens(op), *([["## Constraints"], rules] if rules else [])]  # fmt: skip
    return "\n\n".join([MARKER, *("\n".join(part) for part in parts if part)]) + "\n"


def index(ops):
    meanings, lines = {op["name"]: op["meaning"] for op in ops}, []
    for family, names in FAMILIES.items():
        lines += ["", f"## {family}", ""]
        lines += [f"- [{name}]({name}.md): {meanings[name]}" for name in names.split()]
    listed = [name for names in FAMILIES.values() for name in names.split()]
    if sorted(listed) != sorted(meanings):
        sys.exit(f"FAMILIES is not the list of ops: {sorted(set(listed) ^ set(meanings))}")
    return "\n".join(lines[1:])


def with_targets(page, targets):
    """Returns the page of custom calls with a row for each of the built-in targets."""
    before, rest = page.split(HEAD_OF_TARGETS)
    rows = (f"| {', '.join(f'`{name}`' for name in target['patterns'])} | {target['meaning']} | {target['acceptance']} |\n"
            for target in targets)  # fmt: skip
    return before + HEAD_OF_TARGETS + "".join(rows) + re.sub(r"^(\|.*\n)*", "", rest)


def texts(table, assay, names):
    """Yields the path of each page, its text, and the text that it should have."""
    ops, path = table["ops"], ROOT / "docs" / "custom_calls.md"
    yield path, path.read_text(), with_targets(path.read_text(), table["custom_call_targets"])
    for op in ops:
        path = FOLDER / f"{op['name']}.md"
        if not names or op["name"] in names:
            part = generated(op, assay)
            text = path.read_text()
            yield path, text, text.split(MARKER)[0].rstrip("\n") + "\n\n" + part
    path = FOLDER / "README.md"
    text = path.read_text()
    before, rest = text.split(INDEX[0])
    yield path, text, f"{before}{INDEX[0]}\n\n{index(ops)}\n\n{INDEX[1]}{rest.split(INDEX[1])[1]}"


def main(arguments):
    check = "--check" in arguments
    names = [argument for argument in arguments if argument != "--check"]
    assay = names.pop(0) if names and "/" in names[0] else str(ROOT / "build" / "tools" / "assay")
    command = [assay, "ops", "--json", "--corpus", str(ROOT / "golden")]
    table = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    stale = []
    for path, text, wanted in texts(table, assay, names):
        if text != wanted:
            stale.append(path.name)
            if not check:
                path.write_text(wanted)
    if check and stale:
        sys.exit(f"out of date, run python -m tools.docs.op_pages: {' '.join(stale)}")


if __name__ == "__main__":
    main(sys.argv[1:])
