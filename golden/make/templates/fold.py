"""Ops that fold by a computation, with every element type."""

from golden.make.values import called, order, small, template, zero

STEP = called("step_{k}", "x:{k}[] y:{k}[]", "z = {k}[] {f}(y, x)", "ROOT t = ({k}[], {k}[]) tuple(z, z)")


def fold(operands, root, *values, **options):
    """Returns a template of a sum; f8e8m0fnu has no zero to begin one with."""
    return template(operands, root, *values, fold=lambda k: "maximum" if k == "f8e8m0fnu" else "add", **options)


def start(kind, _):
    """Returns the initial value."""
    return zero(kind)


def templates():
    """Returns the templates by op."""
    return {
        "reduce": fold("{k}[2,3] {k}[]", "{k}[2] {op}(a, b), dimensions={1}, to_apply={f}_{k}", small, start),
        "reduce-window": fold("{k}[5] {k}[]", "{k}[4] {op}(a, b), window={size=2}, to_apply={f}_{k}", small, start),
        "select-and-scatter": fold("{k}[4] {k}[2] {k}[]",
                                   "{k}[4] {op}(a, b, c), window={size=2 stride=2}, select=order_{k}, scatter={f}_{k}",
                                   small, small, start, computations=[lambda kind: order(kind, "GE")]),
        "map": fold("{k}[4] {k}[4]", "{k}[4] {op}(a, b), dimensions={0}, to_apply={f}_{k}", small, small),
        "scan": fold("{k}[4] {k}[]", "({k}[4], {k}[]) {op}(a, b), dimensions={0}, num_carries=1, is_associative=true, "
                     "to_apply=step_{k}", small, start, computations=[STEP]),
    }
