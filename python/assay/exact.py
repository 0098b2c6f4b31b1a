"""Element-wise functions, correctly rounded: each result is the number of its type that is nearest to the exact value.

>>> import numpy as np
>>> import assay
>>> assay.exact.exp(np.float32([0, 1, 2]))
array([1.       , 2.7182817, 7.389056 ], dtype=float32)
>>> assay.exact.power(np.float64(2), 0.5)
np.float64(1.4142135623730951)

A function takes arrays or numbers of one type: any float or complex type of NumPy and ml_dtypes, and integers if the
operation takes them. Python numbers are converted as NumPy does. Two operands are broadcast by NumPy's rules. `seconds`
and `memory` limit the evaluation, as in `assay.evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._evaluate import evaluate
from ._values import shape_of
from .errors import Error


def _evaluated(opcode: str, operands: list[np.ndarray], limits: dict[str, Any]) -> Any:
    """Evaluates one instruction on arrays of one shape."""
    shape = shape_of(operands[0])
    result = shape.replace("c64", "f32").replace("c128", "f64") if opcode == "abs" else shape
    names = [f"x{i}" for i in range(len(operands))]
    lines = [f"  {name} = {shape} parameter({i})" for i, name in enumerate(names)]
    text = "\n".join(["HloModule m", "ENTRY e {", *lines, f"  ROOT r = {result} {opcode}({', '.join(names)})", "}"])
    value = evaluate(text, *operands, **limits)
    return value if value.shape else value[()]


def _unary(opcode: str) -> Callable[..., Any]:
    def function(x: Any, **limits: Any) -> Any:
        return _evaluated(opcode, [np.asarray(x)], limits)

    function.__doc__ = f"XLA's {opcode}, exactly rounded."
    return function


def _binary(opcode: str) -> Callable[..., Any]:
    def function(x: Any, y: Any, **limits: Any) -> Any:
        # A Python number takes the type of the other operand.
        kinds = [value.dtype for value in (x, y) if hasattr(value, "dtype")]
        arrays = [np.asarray(value, dtype=getattr(value, "dtype", kinds[0] if kinds else None)) for value in (x, y)]
        if arrays[0].dtype != arrays[1].dtype:
            raise Error("input", f"both operands must have one type, found {arrays[0].dtype} and {arrays[1].dtype}")
        return _evaluated(opcode, list(np.broadcast_arrays(*arrays)), limits)

    function.__doc__ = f"XLA's {opcode}, exactly rounded."
    return function


# The names of NumPy, or of JAX if NumPy has no such function, and the XLA operations.
abs = _unary("abs")
cbrt = _unary("cbrt")
ceil = _unary("ceil")
cos = _unary("cosine")
erf = _unary("erf")
exp = _unary("exponential")
expm1 = _unary("exponential-minus-one")
floor = _unary("floor")
log = _unary("log")
log1p = _unary("log-plus-one")
logistic = _unary("logistic")
negative = _unary("negate")
round = _unary("round-nearest-even")
rsqrt = _unary("rsqrt")
sign = _unary("sign")
sin = _unary("sine")
sqrt = _unary("sqrt")
tan = _unary("tan")
tanh = _unary("tanh")
add = _binary("add")
arctan2 = _binary("atan2")
divide = _binary("divide")
maximum = _binary("maximum")
minimum = _binary("minimum")
multiply = _binary("multiply")
power = _binary("power")
remainder = _binary("remainder")
subtract = _binary("subtract")

__all__ = [
    "abs", "add", "arctan2", "cbrt", "ceil", "cos", "divide", "erf", "exp", "expm1", "floor", "log", "log1p",
    "logistic", "maximum", "minimum", "multiply", "negative", "power", "remainder", "round", "rsqrt", "sign", "sin",
    "sqrt", "subtract", "tan", "tanh",
]  # fmt: skip
for _name in __all__:
    globals()[_name].__name__ = globals()[_name].__qualname__ = _name
