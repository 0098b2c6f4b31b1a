"""assay: the exact meaning of XLA operations, to the last bit, and a judge of backends that compute them.

`evaluate` runs a module on the reference interpreter, `diff` compares a backend with it, `compare` a module with what a
change made of it, `check` grades a backend on the corpus, `explain` derives the accepted values, `trace` names the
instruction that makes a NaN or an overflow, `exact` has correctly rounded functions, and `assay.jax` checks functions
of JAX. docs/python.md is the manual.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    from . import exact as exact
    from ._check import Case as Case
    from ._check import CheckReport as CheckReport
    from ._check import check as check
    from ._check import explain as explain
    from ._diff import compare as compare
    from ._diff import diff as diff
    from ._diff import judge as judge
    from ._evaluate import evaluate as evaluate
    from ._repro import repro as repro
    from ._trace import CallStep as CallStep
    from ._trace import Finding as Finding
    from ._trace import Trace as Trace
    from ._trace import trace as trace
    from .errors import Error as Error
    from .errors import Place as Place
    from .verdicts import Comparison as Comparison
    from .verdicts import Element as Element
    from .verdicts import Instruction as Instruction
    from .verdicts import Metrics as Metrics
    from .verdicts import Output as Output
    from .verdicts import Region as Region
    from .verdicts import Source as Source
    from .verdicts import Verdict as Verdict
    from .verdicts import ulp_distance as ulp_distance

# Imported on first use: the script `assay` and every run of pytest load this file, and importing NumPy takes time.
_HOMES = {
    "_check": ("Case", "CheckReport", "check", "explain"),
    "_diff": ("compare", "diff", "judge"),
    "_evaluate": ("evaluate",),
    "_repro": ("repro",),
    "_trace": ("CallStep", "Finding", "Trace", "trace"),
    "errors": ("Error", "Place"),
    "verdicts": ("Comparison", "Element", "Instruction", "Metrics", "Output", "Region", "Source", "Verdict",
                 "ulp_distance"),
}
# `import assay` is enough for these modules. A checker of types reads all of JAX for `import assay.jax`, so that it
# gets this module by that line alone.
_MODULES = ("exact", "jax", "pjrt")
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "exact"])


# A checker of types would take any name for one that this function returns.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return importlib.import_module("importlib.metadata").version("assay-hlo")
        if name in _MODULES:
            return importlib.import_module(f".{name}", __name__)
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__} has no attribute {name}")
        value = getattr(importlib.import_module(f".{_HOME_OF[name]}", __name__), name)
        globals()[name] = value
        return value


def __dir__() -> "list[str]":
    return sorted({*globals(), *__all__})
