"""Writes the generated part of docs/ops/*.md, and the list in docs/ops/README.md.

    python -m tools.docs.op_pages [--check] [build/tools/assay] [OP]...

The part of a page is made from the op's record (`assay ops`), the tests, docs/decisions.md and the corpus. --check
writes nothing and fails if a page is out of date.
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
from spec_tests.meta.tests_by_op import tests_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "ops"
MARKER = "<!-- generated from the op record, the tests and the corpus: tools/docs/op_pages.py -->"
STATEMENTS = "<!-- generated from golden/specification: tools/docs/op_pages.py -->"
INDEX = "<!-- generated from the op records: tools/docs/op_pages.py -->", "<!-- end of the generated list -->"
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
    what = "Types of the result: " if high == 0 else "Types of operand 0: "
    return f"Operands: {count}. {what}{', '.join(named)}." if named else f"Operands: {count}."


def attributes(op):
    lines = []
    for spec in op["attributes"]:
        values = ": one of " + ", ".join(f"`{value}`" if value else "nothing" for value in spec.get("values", []))
        needed = "required" if spec["required"] else "optional"
        lines.append(f"- `{spec['name']}`, {needed}" + (values if "values" in spec else ""))
    return ["Attributes:", "", *lines] if lines else ["No attributes of its own."]


def acceptance(op):
    rule = f"[{op['acceptance']}](../verdicts.md#rules)"
    bounds = [("", "ulp"), ("f64 ", "f64_ulp"), ("complex ", "complex_ulp"), ("c128 ", "c128_ulp")]
    found = [f"{kind}{op[key]:g} ULP" for kind, key in bounds if key in op]
    text = f"Rule: {rule}" + (f", {', '.join(found)}" if found else "") + "."
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
    """Returns the ops for each function that several records name as their shape rule."""
    ops = collections.defaultdict(list)
    for path in sorted((ROOT / "interpreter" / "ops").glob("*.cc")):
        for rule in re.findall(r"\.infer = (\w+)[,}]", path.read_text()):
            ops[rule].append(path.stem.replace("_", "-"))
    return ops


def constraints(op, assay):
    messages = dict(provoked(assay)[op["name"]])
    for ops in ops_by_rule().values():
        if op["name"] in ops:
            for other in ops:
                messages = provoked(assay)[other] | messages
    if not messages:
        return ["Only the rules of all instructions apply: the number of operands and their types, as above."]
    lead = "The verifier's messages, one for each rule, from the modules of `spec_tests/legality/` that break it:"
    return [lead, "", *(f"- {message}".replace("<", "\\<").replace("*", "\\*") for message in messages.values())]


# --- Decisions --------------------------------------------------------------------------------------------------------


def sections_of_decisions():
    text = (ROOT / "docs" / "decisions.md").read_text()
    return re.findall(r"^## (.+)\n\nOps: ((?:.+\n)+)\n((?:(?!## ).*\n)*)", text, re.M)


def names_op(name, text):
    """True if the text names the op by its mnemonic, not as a part of another word."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def rows_about(name, body):
    rows = re.findall(r"^\| (.+?) \| (.+?) \|", body, re.M)
    return [(case, reference) for case, reference in rows if case != "case" and names_op(name, case)]


def decisions(op):
    lines = []
    for heading, ops, body in sections_of_decisions():
        rows = rows_about(op["name"], body)
        is_listed = f"`{op['name']}`" in ops
        if is_listed:
            lines.append(f"- [{heading}](../decisions.md#{anchor(heading)})")
            lines += [f"  - {case}: {reference}".replace("](", "](../") for case, reference in rows]
    return [*lines, *([""] if lines else []), "[Rounding](../decisions.md#rounding) and [NaN](../decisions.md#nan) "
            "apply to all operations on floats."]


# --- Goldens and peers ------------------------------------------------------------------------------------------------


def golden_files(name):
    for path in sorted((ROOT / "golden" / name).glob("*.hlo")):
        is_seed = re.search(r"^//! provenance seed$", path.read_text(), re.M)
        yield path.stem, case_names(path), "seed" if is_seed else "derived"


@functools.cache
def expectations():
    return json.loads((ROOT / "golden" / "xla-cpu.json").read_text())["cases"]


def is_about(name, cases):
    """True if a name of the expectations, which may be a pattern, matches a case."""
    if not re.search(r"[*?[]", name):
        return name in cases
    return any(map(re.compile(fnmatch.translate(name)).match, cases))


def verdicts_of_peer(cases):
    """Yields the rows of golden/xla-cpu.json that match one of the cases."""
    for row in expectations():
        if is_about(row["name"], cases):
            verdict = row["verdict"]
            yield f"- `{row['name']}`: {verdict if isinstance(verdict, str) else ' or '.join(verdict)}, {row['reason']}"


def goldens(op):
    files = list(golden_files(op["name"]))
    if not files:
        return ["No goldens: the corpus runs only functions of their inputs."]
    count = sum(len(cases) for _, cases, _ in files)
    seeds = sum(len(cases) for _, cases, provenance in files if provenance == "seed")
    counts = f"{count} {'case' if count == 1 else 'cases'} in {len(files)} {'file' if len(files) == 1 else 'files'}"
    worked = f"; {seeds} {'is an example' if seeds == 1 else 'are examples'} of the specification" if seeds else ""
    lines = [f"[`golden/{op['name']}/`](../../golden/{op['name']}) has {counts}{worked}."]
    rows = list(verdicts_of_peer({f"{op['name']}/{stem}/{case}" for stem, cases, _ in files for case in cases}))
    pages = [page for page in sorted((ROOT / "golden").glob("disputes*.md")) if f"`{op['name']}/" in page.read_text()]
    links = ", ".join(f"[{page.stem.replace('_', ': ')}](../../golden/{page.name})" for page in pages)
    where = f" (why each golden stays: {links})" if links else ""
    lead = f"XLA:CPU of jaxlib 0.10.2{where}:" if rows else "XLA:CPU of jaxlib 0.10.2 passes all cases that it runs."
    return lines + ["", lead] + ([""] + rows if rows else [])


# --- Statements of the specification -----------------------------------------------------------------------------------


MOST_LINKS = 4  # to files of cases, in a line


@functools.cache
def statements(assay):
    command = [assay, "spec", "--format", "json", "--corpus", str(ROOT / "golden")]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["statements"]


def pins(statement, root):
    """Returns links to the files of the cases that pin a statement, and to its tests."""
    found = [name.rpartition("/")[0] for pin in statement["cases"] for name in pin["found"]]
    files = list(dict.fromkeys(found))
    links = [f"[{name}]({root}/golden/{name}.hlo)" for name in files[:MOST_LINKS]]
    links += [f"{len(files) - MOST_LINKS} more"] if len(files) > MOST_LINKS else []
    texts = dict.fromkeys(f"legality/{pin['file']}" for pin in statement["legality"])
    tests = dict.fromkeys(pin["file"] for pin in statement["tests"])
    links += [f"[{file}]({root}/spec_tests/{file})" for file in [*texts, *tests]]
    return ", ".join(links) or f"none: {statement['none'].replace('_', ' ')}"


def statement_lines(chosen, root):
    """Returns the list of some statements, by sections."""
    lines, section = [], None
    for statement in chosen:
        page, name, number = statement["id"].split("/")
        if (page, name) != section:
            section = page, name
            lines += ["", f"`{page}/{name}`: {statement['heading']}", ""]
        text = statement["text"].replace("<", "\\<").replace("*", "\\*")
        lines.append(f"- {number}, {statement['kind']}: {text} ({pins(statement, root)})")
    return lines[1:]


def statements_of_op(op, assay):
    chosen = [statement for statement in statements(assay)
              if op["name"] in statement["ops"] and not statement["id"].startswith("broadcasting/")]  # fmt: skip
    lead = "Its [statements](../specification.md), and what pins them; `assay spec ID` lists the cases."
    return [lead, "", *statement_lines(chosen, "../..")] if chosen else []


# --- Tests ------------------------------------------------------------------------------------------------------------


def tests(op):
    """Returns the tests of the op besides its goldens, by kind."""
    lines = []
    for kind, paths in tests_of(op["name"]).items():
        links = [f"[{path.name}](../../{path.relative_to(ROOT)})" for path in paths]
        lines.append(f"- {kind}: {', '.join(links)}")
    return lines


# --- Pages ------------------------------------------------------------------------------------------------------------


def generated(op, assay):
    parts = [
        ("Operands and attributes", [operands(op), "", *attributes(op)]),
        ("Constraints", constraints(op, assay)),
        ("Acceptance", [acceptance(op)]),
        ("Decisions", decisions(op)),
        ("Goldens and peers", goldens(op)),
        ("Tests", tests(op)),
    ]
    specified = statements_of_op(op, assay)
    if specified:
        parts.insert(2, ("The specification", specified))
    return "\n".join([MARKER, *("\n".join(["", f"## {name}", "", *lines]) for name, lines in parts)]) + "\n"


def index(ops):
    meanings, lines = {op["name"]: op["meaning"] for op in ops}, []
    for family, names in FAMILIES.items():
        lines += ["", f"## {family}", ""]
        lines += [f"- [{name}]({name}.md): {meanings[name]}" for name in names.split()]
    listed = [name for names in FAMILIES.values() for name in names.split()]
    if sorted(listed) != sorted(meanings):
        sys.exit(f"FAMILIES is not the list of ops: {sorted(set(listed) ^ set(meanings))}")
    return "\n".join(lines[1:])


def texts(ops, assay, names):
    """Yields the path of each page, its text, and the text that it should have."""
    for op in ops:
        path = FOLDER / f"{op['name']}.md"
        if not names or op["name"] in names:
            part = generated(op, assay)
            text = path.read_text()
            yield path, text, text.split(MARKER)[0].rstrip("\n") + "\n\n" + part
    path = FOLDER.parent / "broadcasting.md"
    text = path.read_text()
    chosen = [statement for statement in statements(assay) if statement["id"].startswith("broadcasting/")]
    yield path, text, "\n".join([text.split(STATEMENTS)[0] + STATEMENTS, "", *statement_lines(chosen, "..")]) + "\n"
    path = FOLDER / "README.md"
    text = path.read_text()
    before, rest = text.split(INDEX[0])
    yield path, text, f"{before}{INDEX[0]}\n\n{index(ops)}\n\n{INDEX[1]}{rest.split(INDEX[1])[1]}"


def main(arguments):
    check = "--check" in arguments
    names = [argument for argument in arguments if argument != "--check"]
    assay = names.pop(0) if names and "/" in names[0] else str(ROOT / "build" / "tools" / "assay")
    command = [assay, "ops", "--json", "--corpus", str(ROOT / "golden")]
    table = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    stale = []
    for path, text, wanted in texts(json.loads(table)["ops"], assay, names):
        if text != wanted:
            stale.append(path.name)
            if not check:
                path.write_text(wanted)
    if check and stale:
        sys.exit(f"out of date, run python -m tools.docs.op_pages: {' '.join(stale)}")


if __name__ == "__main__":
    main(sys.argv[1:])
