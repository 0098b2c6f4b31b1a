"""The rule that a case of an operation and an element type pins, in words: the first part of its reason."""

from golden.witness.element_types import COMPLEX, is_float, limits

# Contents of operands that say nothing about the result: a reason begins with the rule.
CONTENTS = (
    "every number of the type", "every number of the source", "no element", "every number with every other",
    "every pair of NaN, infinities, zeros, both ends and 1", "numbers of everyday size", "sizes that all differ",
    "both ends of the range with each other, with small numbers and with alternating bits",
    "numbers in each quadrant, large and small, none on an axis",
    "NaN, infinities, zeros, subnormal numbers, both ends",
    "NaN, infinities, zeros, the least and the greatest number", "NaN, zeros of both signs, both ends",
    "NaN, zeros of both signs, both ends, a row each; the result first and last", "four dimensions",
)  # fmt: skip
MOVES = """add-dependency all-gather all-gather-start all-gather-done all-to-all broadcast collective-broadcast
collective-permute collective-permute-start collective-permute-done concatenate constant copy copy-start copy-done
custom-call domain dynamic-reshape dynamic-slice dynamic-update-slice gather get-tuple-element opt-barrier pad parameter
ragged-all-to-all reshape reverse select set-dimension-size shuffle slice transpose tuple bitcast""".split()
ARITHMETIC = "add subtract multiply negate abs".split()
BITS = """and or xor not shift-left shift-right-arithmetic shift-right-logical popcnt count-leading-zeros
mulhi""".split()
ORDERS = "compare maximum minimum clamp sort topk".split()
FOLDS = """reduce reduce-window scan scatter select-and-scatter all-reduce all-reduce-start all-reduce-done
collective-reduce reduce-scatter""".split()
PRODUCTS = "dot convolution ragged-dot scaled-dot".split()
CALLS = "call conditional while fusion map async-start async-update async-done".split()
WHOLE = "ceil floor round-nearest-afz round-nearest-even".split()
PARTS = "complex real imag".split()


def of_conversion(source, target):
    """Returns the rule of a conversion."""
    if target == "pred":
        return f"anything but 0 of {source} is true"
    if source == "pred":
        return f"pred is 0 or 1 of {target}"
    if is_float(target) or target in COMPLEX:
        return f"{source} is rounded once to {target}"
    if is_float(source) or source in COMPLEX:
        return f"{source} to {target}: toward zero, the nearest end beyond the range, 0 for NaN"
    return f"{source} to {target} modulo 2^{(limits(target)[1] - limits(target)[0]).bit_length()}"


def of_op(op, kind, result):
    """Returns the rule of an op on operands of a type with results of another, or the same."""
    is_integer = not is_float(kind) and kind not in COMPLEX and kind != "pred"
    by_op = {
        "convert": lambda: of_conversion(kind, result),
        "bitcast-convert": lambda: f"the bits of {kind} are those of {result}",
        "is-finite": lambda: f"NaN and infinities of {kind} are not finite",
        "sign": lambda: f"{kind}: -1, 0 or 1, and the sign of a zero",
        "reduce-precision": lambda: f"{kind} is rounded once, to fewer bits",
        "stochastic-convert": lambda: f"the random bits round {kind} to {result}",
        "iota": lambda: f"{kind} counts from 0",
        "get-dimension-size": lambda: "a size is s32",
    }
    families = [
        (MOVES, f"{kind} elements keep their bits"),
        (ARITHMETIC, f"{kind} wraps" if is_integer else f"the exact result is rounded once to {kind}"),
        (("divide", "remainder"), f"{kind} quotients are truncated" if is_integer
         else f"the exact result is rounded once to {kind}"),
        (BITS, f"the bits of {kind}, and no others"),
        (ORDERS, f"{kind} numbers are ordered by value" if is_integer else f"{kind}: order, NaN and signs of zeros"),
        (FOLDS, f"the steps of the fold are {kind}"),
        (PRODUCTS, f"sums of {kind} products wrap" if is_integer else f"a sum of products is rounded once to {result}"),
        (CALLS, f"{kind} values are the operands of the called computation"),
        (WHOLE, f"{kind} results are whole numbers"),
        (PARTS, f"parts of {kind} keep their bits"),
    ]
    if op in by_op:
        return by_op[op]()
    if kind == "pred" and op in ARITHMETIC:
        return "pred: add is or, multiply is and"
    if family := next((rule for ops, rule in families if op in ops), None):
        return family
    is_rounded = is_float(result) or result in COMPLEX
    return f"the exact value is rounded once to {result}" if is_rounded else f"{op} of {kind} returns {result}"


def reason_of(op, kinds, contents):
    """Returns the reason of a case: the rule for its types, and the contents of its operands. `kinds`: the first
    operand's type, and the result's."""
    rule = "a token has no value" if "token" in kinds else of_op(op, *kinds)
    return rule if contents == "no operand" else f"{rule}; {contents}"
