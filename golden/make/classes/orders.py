"""sort and topk: lines, directions, ties, NaN and zeros of both signs."""

from golden.make.patterns import few, numbers_of, signed_nans, specials
from golden.make.values import Sample, order, repeated, template
from golden.witness.element_types import COMPLEX, is_float


def called(kind, direction="LT", total=False):
    """Returns a comparison, and its name."""
    text = order(kind, direction)
    name = f"{direction.lower()}{'_total' if total else ''}_{kind}"
    if total:
        text = text.replace(f"direction={direction}", f"direction={direction}, type=TOTALORDER")
    return name, text.replace(f"order_{kind}", name, 1)


def sorted_(shape, dimension, direction, reason, values=numbers_of, total=False):
    """Returns a template of sort of one operand."""
    name = f"{direction.lower()}{'_total' if total else ''}_{{k}}"
    return template(f"{{k}}[{shape}]", f"{{k}}[{shape}] {{op}}(a), dimensions={{{dimension}}}, is_stable=true,"
                    f" to_apply={name}", values, computations=[lambda kind: called(kind, direction, total)[1]],
                    reason=reason)


def in_total_order(kind, count):
    """Returns NaN, infinities and zeros of either sign, mixed."""
    words = specials(kind)
    words = [w for w in words if w != "nan"] + signed_nans(kind)
    return repeated(words[1::2] + words[::2], count)


def stable(op, kind):
    """Keys with few values and, as a second operand, their indices."""
    name, text = called(kind)
    compared = text.replace(f"{kind}[] parameter(1)", f"{kind}[] parameter(1)\n  p = s32[] parameter(2)\n"
                            "  q = s32[] parameter(3)", 1).replace(name, f"first_{name}", 1)
    if kind in COMPLEX:  # The comparison of parts uses the default names.
        compared = compared.replace("  p = s32", "  i = s32").replace("  q = s32", "  j = s32")
    return Sample([f"{kind}[7]", "s32[7]"], f"({kind}[7], s32[7]) {op}(a, b), dimensions={{0}}, is_stable=true,"
                  f" to_apply=first_{name}", [few(kind, 7), [6, 5, 4, 3, 2, 1, 0]], computations=[compared],
                  reason="equal keys keep their order; the second operand goes with them")


def top(shape, k, reason, values=numbers_of, largest="true"):
    """Returns a template of topk."""
    result = ",".join([*shape.split(",")[:-1], str(k)])
    return template(f"{{k}}[{shape}]", f"({{k}}[{result}], s32[{result}]) {{op}}(a), k={k}, largest={largest}", values,
                    reason=reason)


def mixed(kind, count):
    """Returns NaN and zeros of both signs if the type has them, otherwise all different numbers."""
    return in_total_order(kind, count) if is_float(kind) else numbers_of(kind, count)


def classes():
    """Returns the templates by (op, class)."""
    return {
        ("sort", "dimensions"): sorted_("3,3", 0, "LT", "columns of a square"),
        ("sort", "descending"): sorted_("2,5", 1, "GT", "the comparison says which way"),
        ("sort", "specials"): sorted_("15", 0, "LT", "-NaN, -inf, -0, +0, inf, NaN in total order", in_total_order,
                                      True),
        ("sort", "ties"): stable, ("sort", "zero_sized"): sorted_("2,0", 1, "LT", "no element"),
        ("topk", "largest"): top("2,6", 4, "the least first, in each row", mixed, "false"),
        ("topk", "ties"): top("8", 5, "of equal ones the first comes first", few),
        ("topk", "zero_sized"): top("2,3", 0, "none"),
    }
