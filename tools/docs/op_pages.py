#!/usr/bin/env python3
"""Writes the generated part of docs/ops/*.md, and the list in docs/ops/README.md.

    tools/docs/op_pages.py [--check] [build/tools/assay] [OP]...

A page's part comes from the op's record (`assay ops`), the legality tests, docs/decisions.md and the corpus. --check
writes nothing and fails when a page is not what it would be.
"""

import collections
import fnmatch
import functools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "ops"
MARKER = "<!-- generated from the op record, the legality tests and the corpus: tools/docs/op_pages.py -->"
sys.path.insert(0, str(ROOT / "spec_tests" / "legality"))
import legality_texts  # noqa: E402


def anchor(heading):
    """The name that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


# --- Operands, attributes, acceptance ---------------------------------------------------------------------------------


def operands(op):
    low, high = op["min_operands"], op.get("max_operands")
    count = str(low) if low == high else f"{low} or more" if high is None else f"{low} to {high}"
    types = f", the first of a type that is {' or '.join(op['types_text'].split())}" if op["types_text"] else ""
    return f"Operands: {count}{types if high != 0 else ''}."


def attributes(op):
    lines = []
    for spec in op["attributes"]:
        values = ": one of " + ", ".join(f"`{value}`" if value else "nothing" for value in spec.get("values", []))
        needed = "required" if spec["required"] else "optional"
        lines.append(f"- `{spec['name']}`, {needed}" + (values if "values" in spec else ""))
    return ["Attributes:", "", *lines] if lines else ["No attributes of its own."]


def acceptance(op):
    rule = f"[{op['acceptance']}](../verdicts.md#rules)"
    bounds = [("", "ulp"), ("f64 ", "f64_ulp"), ("complex ", "complex_ulp")]
    found = [f"{kind}{op[key]:g} ULP" for kind, key in bounds if key in op]
    text = f"Rule: {rule}" + (f", {', '.join(found)}" if found else "") + "."
    return text if op["evaluated"] else f"{text} The reference does not evaluate it: {op['not_evaluated']}."


# --- Constraints ------------------------------------------------------------------------------------------------------


def without_instance(message):
    """The message with shapes, names and numbers taken out: what it has in common with others of its rule."""
    return re.sub(r"(?<![a-z])-?\d+|\w+\[[^\]]*\](\{[^}]*\})?|\([^)]*\)|\{[^}]*\}|%?\w+\.\d+", "#", message)


@functools.cache
def provoked(assay):
    """For each op, the messages that the texts of spec_tests/legality provoke, one for each rule."""
    found = collections.defaultdict(dict)
    for text in legality_texts.all_texts():
        if not text.errors:
            continue
        for message in legality_texts.diagnostics(assay, text.module, text.flags):
            match = re.match(r"[\w.-]+: ([a-z0-9-]+): (.*)", message)
            if match:
                found[match.group(1)].setdefault(without_instance(match.group(2)), match.group(2))
    return found


def constraints(op, assay):
    messages = provoked(assay)[op["name"]].values()
    if not messages:
        return ["No text of `spec_tests/legality/` is about this operation alone."]
    lead = "What breaks a rule is refused. The messages, each from a text of `spec_tests/legality/`:"
    return [lead, "", *(f"- {message}".replace("<", "\\<").replace("*", "\\*") for message in messages)]


# --- Decisions --------------------------------------------------------------------------------------------------------


def sections_of_decisions():
    text = (ROOT / "docs" / "decisions.md").read_text()
    return re.findall(r"^## (.+)\n\nOps: ((?:.+\n)+)\n((?:(?!## ).*\n)*)", text, re.M)


def names_op(name, text):
    """Whether the text speaks of the op, by its mnemonic and not as a part of another word."""
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
    return lines or ["None is about this operation alone; those on [rounding](../decisions.md#rounding) and "
                     "[NaN](../decisions.md#nan) hold for all."]


# --- Goldens and peers ------------------------------------------------------------------------------------------------


def golden_files(name):
    for path in sorted((ROOT / "golden" / name).glob("*.hlo")):
        text = path.read_text()
        provenance = re.search(r"^//! provenance (\w+)", text, re.M).group(1)
        yield path.stem, re.findall(r"^//! case +(\S+)", text, re.M), provenance


def verdicts_of_peer(name, cases):
    """Rows of golden/xla-cpu.json that are about a case of the op."""
    for row in json.loads((ROOT / "golden" / "xla-cpu.json").read_text())["cases"]:
        if any(fnmatch.fnmatch(case, row["name"]) for case in cases):
            verdict = row["verdict"]
            yield f"- `{row['name']}`: {verdict if isinstance(verdict, str) else ' or '.join(verdict)}, {row['reason']}"


def goldens(op):
    files = list(golden_files(op["name"]))
    if not files:
        return ["No goldens: the corpus runs what is a function of its inputs."]
    count = sum(len(cases) for _, cases, _ in files)
    seeds = [stem for stem, _, provenance in files if provenance == "seed"]
    names = ", ".join(f"[{stem}](../../golden/{op['name']}/{stem}.hlo) {len(cases)}" for stem, cases, _ in files)
    lines = [f"{count} cases: {names}."]
    if seeds:
        lines += ["", f"Examples of the specification: {', '.join(seeds)}."]
    rows = list(verdicts_of_peer(op["name"], [f"{op['name']}/{stem}/{case}" for stem, cases, _ in files for case in cases]))
    named = f"`{op['name']}/" in (ROOT / "golden" / "disputes.md").read_text()
    where = " ([why each golden stays](../../golden/disputes.md))" if named else ""
    lead = f"XLA:CPU of jaxlib 0.10.2{where}:" if rows else "XLA:CPU of jaxlib 0.10.2 passes all that it runs."
    return lines + ["", lead] + ([""] + rows if rows else [])


# --- Pages ------------------------------------------------------------------------------------------------------------


def generated(op, assay):
    parts = [
        ("Operands and attributes", [operands(op), "", *attributes(op)]),
        ("Constraints", constraints(op, assay)),
        ("Acceptance", [acceptance(op)]),
        ("Decisions", decisions(op)),
        ("Goldens and peers", goldens(op)),
    ]
    return "\n".join([MARKER, *("\n".join(["", f"## {name}", "", *lines]) for name, lines in parts)]) + "\n"


def with_generated(text, part):
    return text.split(MARKER)[0].rstrip("\n") + "\n\n" + part


def main(arguments):
    check = "--check" in arguments
    names = [argument for argument in arguments if argument != "--check"]
    assay = names.pop(0) if names and "/" in names[0] else str(ROOT / "build" / "tools" / "assay")
    table = subprocess.run([assay, "ops", "--json"], check=True, capture_output=True, text=True).stdout
    ops, stale = json.loads(table)["ops"], []
    for op in ops:
        path = FOLDER / f"{op['name']}.md"
        if names and op["name"] not in names or not path.exists():
            continue
        text = path.read_text()
        wanted = with_generated(text, generated(op, assay))
        if text != wanted:
            stale.append(path.name)
            if not check:
                path.write_text(wanted)
    if check and stale:
        sys.exit(f"out of date, run tools/docs/op_pages.py: {' '.join(stale)}")


if __name__ == "__main__":
    main(sys.argv[1:])
