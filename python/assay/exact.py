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

# The names of NumPy, or of JAX if NumPy has no such function, and the XLA operations.
UNARY = {
    "abs": "abs", "cbrt": "cbrt", "ceil": "ceil", "cos": "cosine", "erf": "erf", "exp": "exponential",
    "expm1": "exponential-minus-one", "floor": "floor", "log": "log", "log1p": "log-plus-one", "logistic": "logistic",
    "negative": "negate", "round": "round-nearest-even", "rsqrt": "rsqrt", "sign": "sign", "sin": "sine",
    "sqrt": "sqrt", "tan": "tan", "tanh": "tanh",
}  # fmt: skip
BINARY = {
    "add": "add", "arctan2": "atan2", "divide": "divide", "maximum": "maximum", "minimum": "minimum",
    "multiply": "multiply", "power": "power", "remainder": "remainder", "subtract": "subtract",
}  # fmt: skip

__all__ = sorted([*UNARY, *BINARY])


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

    return function


def _binary(opcode: str) -> Callable[..., Any]:
    def function(x: Any, y: Any, **limits: Any) -> Any:
        # A Python number takes the type of the other operand.
        kinds = [value.dtype for value in (x, y) if hasattr(value, "dtype")]
        arrays = [np.asarray(value, dtype=getattr(value, "dtype", kinds[0] if kinds else None)) for value in (x, y)]
        if arrays[0].dtype != arrays[1].dtype:
            raise Error("input", f"both operands must have one type, found {arrays[0].dtype} and {arrays[1].dtype}")
        return _evaluated(opcode, list(np.broadcast_arrays(*arrays)), limits)

    return function


for _name, _opcode in (UNARY | BINARY).items():
    _function = (_unary if _name in UNARY else _binary)(_opcode)
    _function.__name__ = _function.__qualname__ = _name
    _function.__doc__ = f"XLA's {_opcode}, exactly rounded."
    globals()[_name] = _function
