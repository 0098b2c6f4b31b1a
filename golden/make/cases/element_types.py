"""One small module for each op and each element type that its record allows: golden/<op>/types.hlo.

The types come from `assay ops --json`; golden/make/templates/ has the modules of each op. A template is a function of the
op's name and an element type. It returns a Sample, several by name, or None if the op has no module of the type.
"""

from golden.make.modules import add_family
from golden.make.templates import array, call, elementwise, fold, linear
from golden.witness.program import op_table


def add_to(corpus):
    """Adds a file for each op that has a template."""
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
