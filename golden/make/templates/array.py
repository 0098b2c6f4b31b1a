"""Ops that move elements, with every element type."""

from golden.make.values import Sample, edges, order, small


def moved(parameters, root):
    """Returns a template of one operand whose elements only move."""

    def template(op, kind):
        count = 1
        for size in parameters.split(","):
            count *= int(size)
        return Sample([f"{kind}[{parameters}]"], root.format(k=kind, op=op), [edges(kind, count)])

    return template


def iota(op, kind):
    """Numbers along the second of two dimensions."""
    return Sample([], f"{kind}[3,2] {op}(), iota_dimension=0", [])


def concatenate(op, kind):
    """Two arrays of different lengths."""
    return Sample([f"{kind}[2]", f"{kind}[3]"], f"{kind}[5] {op}(a, b), dimensions={{0}}",
                  [edges(kind, 2), small(kind, 3)])


def pad(op, kind):
    """Padding before, after and between elements."""
    return Sample([f"{kind}[3]", f"{kind}[]"], f"{kind}[7] {op}(a, b), padding=1_1_1", [edges(kind, 3), small(kind, 1)])


def dynamic_slice(op, kind):
    """Three of six elements."""
    return Sample([f"{kind}[6]", "s32[]"], f"{kind}[3] {op}(a, b), dynamic_slice_sizes={{3}}", [edges(kind, 6), [2]])


def dynamic_update_slice(op, kind):
    """Two of six elements."""
    return Sample([f"{kind}[6]", f"{kind}[2]", "s32[]"], f"{kind}[6] {op}(a, b, c)",
                  [edges(kind, 6), small(kind, 2), [3]])


def gather(op, kind):
    """Two rows of three, in another order."""
    return Sample([f"{kind}[3,2]", "s32[2]"],
                  f"{kind}[2,2] {op}(a, b), offset_dims={{1}}, collapsed_slice_dims={{0}}, start_index_map={{0}},"
                  " index_vector_dim=1, slice_sizes={1,2}", [edges(kind, 6), [2, 0]])


def scatter(op, kind):
    """Two rows of three, each replaced."""
    second = f"second_{kind} {{\n  x = {kind}[] parameter(0)\n  ROOT y = {kind}[] parameter(1)\n}}"
    return Sample([f"{kind}[3,2]", "s32[2]", f"{kind}[2,2]"],
                  f"{kind}[3,2] {op}(a, b, c), update_window_dims={{1}}, inserted_window_dims={{0}},"
                  f" scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=second_{kind}",
                  [edges(kind, 6), [2, 0], small(kind, 4)], computations=[second])


def sort(op, kind):
    """A stable sort, by the real part of complex numbers."""
    return Sample([f"{kind}[6]"], f"{kind}[6] {op}(a), dimensions={{0}}, is_stable=true, to_apply=order_{kind}",
                  [small(kind, 6)], computations=[order(kind)])


def topk(op, kind):
    """The three largest of six."""
    return Sample([f"{kind}[6]"], f"({kind}[3], s32[3]) {op}(a), k=3, largest=true", [small(kind, 6)])


def set_dimension_size(op, kind):
    """The size shows in the result's own size: peers accept no dynamic dimension at the entry."""
    return Sample([f"{kind}[3]", "s32[]"], "s32[] get-dimension-size(d), dimensions={0}", [edges(kind, 3), [2]],
                  body=[f"d = {kind}[<=3] {op}(a, b), dimensions={{0}}"])


def get_dimension_size(op, kind):
    """The size of the second of two dimensions."""
    return Sample([f"{kind}[2,3]"], f"s32[] {op}(a), dimensions={{1}}", [edges(kind, 6)])


def dynamic_reshape(op, kind):
    """A reshape to sizes that are the bounds."""
    return Sample([f"{kind}[2,3]", "s32[]", "s32[]"], f"{kind}[3,2] {op}(a, b, c)", [edges(kind, 6), [3], [2]])


def templates():
    """Returns the templates by op."""
    return {
        "bitcast": moved("2,3", "{k}[3,2] {op}(a)"), "broadcast": moved("3", "{k}[2,3] {op}(a), dimensions={{1}}"),
        "reshape": moved("2,3", "{k}[3,2] {op}(a)"), "transpose": moved("2,3", "{k}[3,2] {op}(a), dimensions={{1,0}}"),
        "reverse": moved("2,3", "{k}[2,3] {op}(a), dimensions={{1}}"),
        "slice": moved("6", "{k}[3] {op}(a), slice={{[1:6:2]}}"),
        "shuffle": moved("2,3", "{k}[2,3] {op}(a), dimensions={{1}}, mode=rotate, shifts={{1}}"),
        "iota": iota, "concatenate": concatenate, "pad": pad, "dynamic-slice": dynamic_slice,
        "dynamic-update-slice": dynamic_update_slice, "gather": gather, "scatter": scatter, "sort": sort,
        "topk": topk, "set-dimension-size": set_dimension_size, "get-dimension-size": get_dimension_size,
        "dynamic-reshape": dynamic_reshape,
    }
