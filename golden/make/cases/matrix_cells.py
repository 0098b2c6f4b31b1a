"""The cells of the matrix (golden/make/matrix.py): golden/<op>/<class>.hlo has cases for each type of a class.

golden/make/classes/ has the modules of each class. A template is a function of the op's name and an element type, and
returns a Sample, or several by the ends of their names.
"""

from golden.make import matrix
from golden.make.classes import conversions, factors, folds, indices, movement, numbers, orders, products, windows
from golden.make.modules import add_family
from golden.witness.program import op_table

MODULES = (numbers, conversions, movement, indices, folds, windows, products, orders, factors)


def templates():
    """Returns the templates by (op, class)."""
    return {cell: make for module in MODULES for cell, make in module.classes().items()}


def add_to(corpus):
    """Adds a file for each op and class."""
    made = templates()
    for op in op_table():
        for name, kinds in matrix.classes_of(op).items():
            samples = {}
            for kind in kinds:
                sample = made[op["name"], name](op["name"], kind)
                several = sample if isinstance(sample, dict) else {"": sample}
                samples |= {f"{kind}_{end}" if end else kind: one for end, one in several.items()}
            add_family(corpus, f"{op['name']}/{name}", samples, level=2)
