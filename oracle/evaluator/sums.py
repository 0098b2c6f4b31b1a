"""Sums of scalars."""

from oracle.arrays import components
from oracle.element_types import COMPLEX, component
from oracle.evaluator.products import from_results
from oracle.evaluator.rounding import exact_sum


def sum_of(scalars):
    """Returns the sum of floats or complex numbers: exact, and rounded once, part by part."""
    kind = scalars[0].type
    columns = zip(*([float(part) for part in components(scalar)] for scalar in scalars))
    sums = tuple(exact_sum(component(kind), list(terms)) for terms in columns)
    return from_results(kind, [sums if kind in COMPLEX else sums[0]], ())
