"""Short programs at the unsound points of what compilers rewrite, by family: goldens in golden/rewrites."""

from oracle.corpus.rewrites import (
    choices, float_algebra, integer_algebra,
)  # fmt: skip
from oracle.corpus.rewrites.forms import add_program

FAMILIES = (float_algebra, choices, integer_algebra)


def add_to(corpus):
    """All files of this package."""
    for family in FAMILIES:
        for program in family.PROGRAMS:
            add_program(corpus, "rewrites", "programs.md", program)
