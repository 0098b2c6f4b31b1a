"""Ops that fold by a computation, with every element type."""

from golden.make.values import Sample, combiner, fold_of, order, small


def reduce(op, kind):
    """Reductions of rows of three."""
    name, start = fold_of(kind)
    return Sample([f"{kind}[2,3]", f"{kind}[]"], f"{kind}[2] {op}(a, b), dimensions={{1}}, to_apply={name}_{kind}",
                  [small(kind, 6), start], computations=[combiner(name, kind)])


def reduce_window(op, kind):
    """Windows of two."""
    name, start = fold_of(kind)
    return Sample([f"{kind}[5]", f"{kind}[]"], f"{kind}[4] {op}(a, b), window={{size=2}}, to_apply={name}_{kind}",
                  [small(kind, 5), start], computations=[combiner(name, kind)])


def select_and_scatter(op, kind):
    """Two adjacent windows of two."""
    name, start = fold_of(kind)
    return Sample([f"{kind}[4]", f"{kind}[2]", f"{kind}[]"],
                  f"{kind}[4] {op}(a, b, c), window={{size=2 stride=2}}, select=order_{kind}, scatter={name}_{kind}",
                  [small(kind, 4), small(kind, 2), start], computations=[order(kind, "GE"), combiner(name, kind)])


def map_(op, kind):
    """The fold's op on two operands."""
    name, _ = fold_of(kind)
    return Sample([f"{kind}[4]"] * 2, f"{kind}[4] {op}(a, b), dimensions={{0}}, to_apply={name}_{kind}",
                  [small(kind, 4), small(kind, 4)], computations=[combiner(name, kind)])


def scan(op, kind):
    """Running totals."""
    name, start = fold_of(kind)
    step = (f"step_{kind} {{\n  x = {kind}[] parameter(0)\n  y = {kind}[] parameter(1)\n  z = {kind}[] {name}(y, x)\n"
            f"  ROOT t = ({kind}[], {kind}[]) tuple(z, z)\n}}")
    return Sample([f"{kind}[4]", f"{kind}[]"],
                  f"({kind}[4], {kind}[]) {op}(a, b), dimensions={{0}}, num_carries=1, is_associative=true,"
                  f" to_apply=step_{kind}", [small(kind, 4), start], computations=[step])


def templates():
    """Returns the templates by op."""
    return {"reduce": reduce, "reduce-window": reduce_window, "select-and-scatter": select_and_scatter, "map": map_,
            "scan": scan}
