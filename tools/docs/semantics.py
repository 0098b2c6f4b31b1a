#!/usr/bin/env python3
"""Writes docs/semantics.md from the op table and docs/decisions.md.

    tools/docs/semantics.py [--check] [build/tools/assay]

--check writes nothing and fails when the page is not what it would be.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "semantics.md"

HEAD = """# Semantics

What every operation means. The sections on [decisions](#decisions) are `docs/decisions.md`; [the ops](#operations) come
from their records in `interpreter/ops/`. `tools/docs/semantics.py` writes this page; do not edit it.

"""


def anchor(heading):
    """The name that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def topics_by_op(decisions):
    """For each op, the sections whose `Ops:` paragraph names it."""
    topics = {}
    for heading, ops in re.findall(r"^## (.+)\n\nOps: ((?:.+\n)+)", decisions, re.M):
        for op in re.findall(r"`([\w-]+)`", ops):
            topics.setdefault(op, []).append(heading)
    return topics


def operands(op):
    low, high = op["min_operands"], op.get("max_operands")
    return str(low) if low == high else f"{low} or more" if high is None else f"{low} to {high}"


def attribute(spec):
    text = f"`{spec['name']}`"
    if "values" in spec:
        text += " (" + ", ".join(value or '""' for value in spec["values"]) + ")"
    return text + (", required" if spec["required"] else "")


def acceptance(op):
    rule = f"[{op['acceptance']}](verdicts.md#rules)"
    if "ulp" in op:
        rule += f", {op['ulp']:g} ULP"
    if "f64_ulp" in op:
        rule += f" (f64 {op['f64_ulp']:g})"
    if "complex_ulp" in op:
        rule += f"; complex {op['complex_ulp']:g} ULP"
    if "c128_ulp" in op:
        rule += f" (c128 {op['c128_ulp']:g})"
    return rule


def section(op, topics):
    lines = [f"### {op['name']}", "", op["meaning"], ""]
    if not op["evaluated"]:
        lines.append(f"- Not evaluated: {op['not_evaluated']}.")
    lines.append(f"- Operands: {operands(op)}; types of the first: {op['types_text']}")
    if op["attributes"]:
        lines.append("- Attributes: " + "; ".join(map(attribute, op["attributes"])))
    lines.append(f"- Acceptance: {acceptance(op)}")
    if topics:
        lines.append("- Decisions: " + ", ".join(f"[{topic}](#{anchor(topic)})" for topic in topics))
    return "\n".join(lines) + "\n"


def page(ops, decisions):
    topics = topics_by_op(decisions)
    unknown = set(topics) - {op["name"] for op in ops}
    if unknown:
        sys.exit(f"docs/decisions.md names unknown ops: {', '.join(sorted(unknown))}")
    # The page has one title; the sections of decisions.md stay at their level.
    body = decisions.replace("# Decisions\n", "## Decisions\n", 1)
    sections = "\n".join(section(op, topics.get(op["name"], [])) for op in ops)
    return f"{HEAD}{body}\n## Operations\n\n{sections}"


def main(arguments):
    check = "--check" in arguments
    arguments = [argument for argument in arguments if argument != "--check"]
    program = arguments[0] if arguments else str(ROOT / "build" / "tools" / "assay")
    table = subprocess.run([program, "ops", "--json"], check=True, capture_output=True, text=True).stdout
    text = page(json.loads(table)["ops"], (ROOT / "docs" / "decisions.md").read_text())
    if not check:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit("docs/semantics.md is out of date: run tools/docs/semantics.py")


if __name__ == "__main__":
    main(sys.argv[1:])
