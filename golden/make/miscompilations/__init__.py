"""Short programs at the unsound points of compilers' rewrites, by family: goldens in golden/miscompilations."""

from golden.make.miscompilations import (
    choices, complex_algebra, conversions, float_algebra, folds, integer_algebra, loops, movement, reports, sharing,
    starts,
)  # fmt: skip
from golden.make.miscompilations.forms import add_program

FAMILIES = (float_algebra, choices, integer_algebra, complex_algebra, conversions, movement, starts, loops, folds,
            sharing, reports)


def add_to(corpus):
    """Adds all files of this package."""
    for family in FAMILIES:
        for program in family.PROGRAMS:
            add_program(corpus, "miscompilations", "programs.md", program)
