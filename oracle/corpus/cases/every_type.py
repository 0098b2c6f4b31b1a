"""One small module for each op and each element type that its record allows: golden/<op>/types.hlo.

The types come from `assay ops --json`; how a module of an op looks stands in the *_templates modules. A template takes
the op's name and an element type, and gives a Sample, several by name, or None where the op has no module of the type.
"""

import json
import subprocess

from oracle.corpus.templates import array as array_templates
from oracle.corpus.templates import call as call_templates
from oracle.corpus.templates import elementwise as elementwise_templates
from oracle.corpus.templates import fold as fold_templates
from oracle.corpus.templates import linear as linear_templates
from oracle.arrays import ROOT
from oracle.corpus.modules import add_family

TEMPLATES = (elementwise_templates, array_templates, fold_templates, linear_templates, call_templates)


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
        add_family(corpus, f"{op['name']}/types", samples)
