"""Sums of scalars."""

from golden.witness.arrays import components
from golden.witness.element_types import COMPLEX, component
from golden.witness.evaluator.products import from_results
from golden.witness.evaluator.rounding import exact_sum


def sum_of(scalars):
    """Returns the sum of floats or complex numbers: exact, and rounded once, part by part."""
    kind = scalars[0].type
    columns = zip(*([float(part) for part in components(scalar)] for scalar in scalars))
    sums = tuple(exact_sum(component(kind), list(terms)) for terms in columns)
    return from_results(kind, [sums if kind in COMPLEX else sums[0]], ())
