"""assay: what XLA operations mean, to the last bit, and whether a backend computes that.

`evaluate` runs a module on the reference interpreter, `diff` compares a backend with it, `check` grades a backend by the
corpus, `explain` derives what is accepted, `exact` has exactly rounded functions, and `assay.jax` checks functions of
JAX. docs/python.md is the manual.
"""

from . import exact
from ._check import CheckReport, check, explain
from ._diff import diff, judge
from ._evaluate import evaluate
from ._repro import repro
from .errors import Error, Place
from .verdicts import Comparison, Element, Instruction, Output, Region, Source, Verdict, ulp_distance

__all__ = [
    "CheckReport", "Comparison", "Element", "Error", "Instruction", "Output", "Place", "Region", "Source", "Verdict", "check",
    "diff", "evaluate", "exact", "explain", "judge", "repro", "ulp_distance",
]  # fmt: skip
