"""One small module for each op and each element type that its record allows: golden/<op>/types.hlo.

The types come from `assay ops --json`; how a module of an op looks stands in corpus/templates/. A template takes
the op's name and an element type, and gives a Sample, several by name, or None where the op has no module of the type.
"""

from corpus.modules import add_family
from corpus.templates import array, call, elementwise, fold, linear
from oracle.program import op_table


def add_to(corpus):
    """A file for each op that has a template."""
    modules = (elementwise, array, fold, linear, call)
    templates = {op: make for module in modules for op, make in module.templates().items()}
    for op in op_table():
        if op["name"] not in templates or not op["evaluated"]:
            continue
        samples = {}
        for kind in op["types"]:
            made = templates[op["name"]](op["name"], kind)
            samples |= made if isinstance(made, dict) else {kind: made} if made else {}
        add_family(corpus, f"{op['name']}/types", samples)
