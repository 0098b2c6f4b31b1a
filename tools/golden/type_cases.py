"""One small module for each op and each element type that its record allows: golden/<op>/types.hlo.

The types come from `assay ops --json`; how a module of an op looks stands in the *_templates modules. A template takes
the op's name and an element type, and gives a Sample, several by name, or None where the op has no module of the type.
"""

import json
import subprocess

import array_templates
import call_templates
import elementwise_templates
import fold_templates
import linear_templates
from golden_text import ROOT

TEMPLATES = (elementwise_templates, array_templates, fold_templates, linear_templates, call_templates)


def computation(name, sample):
    parameters = enumerate(zip("abcdef", sample.parameters))
    lines = [f"  {letter} = {shape} parameter({i})" for i, (letter, shape) in parameters]
    lines += [f"  {line}" for line in sample.body] + [f"  ROOT r = {sample.root}"]
    return f"{name} {{\n" + "\n".join(lines) + "\n}"


def add_file(corpus, op, samples):
    blocks = []
    for name, sample in samples.items():
        blocks += [text for text in sample.computations if text not in blocks]
        blocks.append(("" if name in list(samples)[1:] else "ENTRY ") + computation(f"on_{name}", sample))
    text = f"HloModule {op.replace('-', '_')}_types\n\n" + "\n\n".join(blocks)
    case = corpus.file(f"{op}/types", text, f"{op} types level1", "exact arithmetic, XLA:CPU")
    for name, sample in samples.items():
        arguments = list(zip(sample.parameters, sample.arguments, strict=True))
        case(name, sample.reason, *arguments, entry=f"on_{name}")


def add_to(corpus):
    program = ROOT / "build" / "tools" / "assay"
    table = subprocess.run([program, "ops", "--json"], check=True, capture_output=True, text=True).stdout
    templates = {op: make for module in TEMPLATES for op, make in module.templates().items()}
    for op in json.loads(table)["ops"]:
        if op["name"] not in templates or not op["evaluated"]:
            continue
        samples = {}
        for kind in op["types"]:
            made = templates[op["name"]](op["name"], kind)
            samples |= made if isinstance(made, dict) else {kind: made} if made else {}
        add_file(corpus, op["name"], samples)
