"""Ops with operands as indices: out of bounds, of every integer type, and each attribute that assigns them to
dimensions."""

from golden.make.patterns import ascending, factors, few, numbers_of, with_specials
from golden.make.values import SECOND, Sample, behind, called, combiner, small, template
from golden.witness.element_types import COMPLEX, limits

ROWS = "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}"
ROW_UPDATES = ("update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1")


others = behind(numbers_of, 30)


# --- dynamic-slice and dynamic-update-slice ---------------------------------------------------------------------------


NO_STARTS = "a scalar has no starts"
BOUNDS = {"": [5, -3], "_both": [-1, 4], "_last": [2, 1], "_ends": [2**31 - 1, -(2**31)]}


def slice_bounds(op, kind):
    """Starts are clamped so that the slice is in bounds."""
    words, update = with_specials(kind, 12), others(kind, 4)
    given = [f"{kind}[4,3]", "s32[]", "s32[]"], [words]
    root = f"{kind}[2,2] {op}(a, b, c), dynamic_slice_sizes={{2,2}}"
    if op == "dynamic-update-slice":
        given = [f"{kind}[4,3]", f"{kind}[2,2]", "s32[]", "s32[]"], [words, update]
        root = f"{kind}[4,3] {op}(a, b, c, d)"
    cases = {end: [*given[1], [i], [j]] for end, (i, j) in BOUNDS.items()}
    return Sample(given[0], root, cases.pop(""), more=cases,
                  reason="a start before the first element or too far behind is moved")


def slice_index(op, kind):
    """Starts of an integer type: its ends, and the index after the last one."""
    low, high = limits(kind)
    words, update = numbers_of("s32", 5), [7, -9]
    parameters = ["s32[5]", f"{kind}[]"] if op == "dynamic-slice" else ["s32[5]", "s32[2]", f"{kind}[]"]
    names = "a, b" if op == "dynamic-slice" else "a, b, c"
    root = (f"s32[2] {op}({names}), dynamic_slice_sizes={{2}}" if op == "dynamic-slice" else f"s32[5] {op}({names})")
    cases = {end: [words, *([] if op == "dynamic-slice" else [update]), [start]] for end,
             start in (("", 2), ("_highest", high), ("_lowest", low), ("_past", 4), ("_top_bit", low or high // 2 + 1))}
    return Sample(parameters, root, cases.pop(""), more=cases,
                  reason=f"a start of {kind}: the highest is behind the end, "
                         f"and the top bit is {'a sign' if low else 'none'}")


# --- gather -----------------------------------------------------------------------------------------------------------


def gathers(operand, indices, result, attributes, values, reason):
    """Returns a template of gather."""
    return template(f"{{k}}[{operand}] s32[{indices}]", f"{{k}}[{result}] {{op}}(a, b), {attributes}", with_specials,
                    values, reason=reason)


def gather_index(op, kind):
    """Indices of an integer type, including its ends."""
    low, high = limits(kind)
    return Sample(["s32[4,2]", f"{kind}[5]"], f"s32[5,2] {op}(a, b), {ROWS}",
                  [numbers_of("s32", 8), [3, high, low, 4, low or high // 2 + 1]],
                  reason=f"indices of {kind}, moved where they are out of bounds")


GATHERS = {
    "out_of_bounds": gathers("4,3", "4,2", "4,2,2", "offset_dims={1,2}, collapsed_slice_dims={},"
                             " start_index_map={0,1}, index_vector_dim=1, slice_sizes={2,2}",
                             [-1, 0, 3, 1, 2, 5, 2**31 - 1, -(2**31)], "windows are moved to fit, not cut"),
    "offset_dims": gathers("3,2,3", "2", "2,2,3", "offset_dims={0,2}, collapsed_slice_dims={0}, start_index_map={0},"
                           " index_vector_dim=1, slice_sizes={1,2,3}", [2, 0],
                           "dimensions of the window on both sides of the index"),
    "start_index_map": gathers("3,3,2", "3,2", "3,2", "offset_dims={1}, collapsed_slice_dims={0,1},"
                               " start_index_map={1,0}, index_vector_dim=1, slice_sizes={1,1,2}", [0, 2, 2, 1, 1, 0],
                               "the first number is for the second dimension"),
    "operand_batching_dims": gathers("2,3,2", "2,2", "2,2,2", "offset_dims={2}, collapsed_slice_dims={1},"
                                     " start_index_map={1}, operand_batching_dims={0},"
                                     " start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1,2}",
                                     [2, 0, 1, 1], "each batch of the operand has a column of indices"),
    "index_vector_dim": gathers("3,3", "2,3", "3", "offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1},"
                                " index_vector_dim=0, slice_sizes={1,1}", [0, 2, 1, 2, 1, 0],
                                "index vectors are columns"),
    "zero_sized": gathers("3,2", "0", "0,2", ROWS, [], "no index"),
    "degenerate": gathers("1,2", "3", "3,2", ROWS, [0, 1, -1], "one row, whatever the index"),
}


# --- scatter ----------------------------------------------------------------------------------------------------------


def scatters(operand, indices, updates, attributes, values, reason, **more):
    """Returns a template of scatter that replaces elements."""
    root = f"{{k}}[{operand}] {{op}}(a, b, c), {attributes}, to_apply=second_{{k}}"
    make = template(f"{{k}}[{operand}] s32[{indices}] {{k}}[{updates}]", root, with_specials, values, others,
                    computations=[SECOND], reason=reason)
    if not more:
        return make

    def with_more(op, kind):
        sample = make(op, kind)
        words, _, new = sample.arguments
        sample.more = {f"_{name}": [words, other, new] for name, other in more.items()}
        return sample

    return with_more


def scatter_index(op, kind):
    """Indices of an integer type, including its ends."""
    low, high = limits(kind)
    return Sample(["s32[4,2]", f"{kind}[4]", "s32[4,2]"], f"s32[4,2] {op}(a, b, c), {ROW_UPDATES}, to_apply=add_s32",
                  [numbers_of("s32", 8), [3, high, low, 4], numbers_of("s32", 16)[8:]],
                  computations=[combiner("add", "s32")], reason=f"indices of {kind}: updates out of bounds are dropped")


BOTH = called("both_{k}", "x:{k}[] p:s32[] y:{k}[] q:s32[]", "s = {k}[] {f}(x, y)", "m = s32[] maximum(p, q)",
              "ROOT t = ({k}[], s32[]) tuple(s, m)")
scatter_several = template("{k}[3] s32[3] s32[3,1] {k}[3] s32[3]", "({k}[3], s32[3]) {op}(a, b, c, d, e), "
                           "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                           "index_vector_dim=1, to_apply=both_{k}", few, [4, 5, 6], [0, 2, 0], behind(few, 2),
                           [3, 9, 7], computations=[BOTH], reason="two operands, each folded by its own op")


def folding(name):
    """Returns a template of three updates of each of four elements; each of four numbers is the greatest and the least
    of one."""

    def template(op, kind):
        called = {("multiply", "pred"): "and"}.get((name, kind), name)
        part = 2 if kind in COMPLEX else 1
        if name == "multiply":
            words = factors(kind, 16)
        else:
            four = ascending(kind)
            words = [four[(row - column - 1) % 4] for row in range(4) for column in range(4)]
        return Sample([f"{kind}[4]", "s32[12,1]", f"{kind}[12]"], f"{kind}[4] {op}(a, b, c), update_window_dims={{}}, "
                      f"inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, "
                      f"to_apply={called}_{kind}", [words[: 4 * part], [0, 1, 2, 3] * 3, words[4 * part :]],
                      computations=[combiner(called, kind)], reason=f"three updates of each element: {called}")

    return template


SCATTERS = {
    "out_of_bounds": scatters("4,2", "4", "4,2", ROW_UPDATES, [4, -1, 2, 2**31 - 1],
                              "updates out of bounds are dropped", lowest=[-(2**31), 1, 5, 3]),
    "update_window_dims": scatters("3,2,3", "2", "2,2,3", "update_window_dims={0,2}, inserted_window_dims={0},"
                                   " scatter_dims_to_operand_dims={0}, index_vector_dim=1", [2, 0],
                                   "dimensions of the window on both sides of the index"),
    "scatter_dims_to_operand_dims": scatters("3,3,2", "3,2", "3,2", "update_window_dims={1},"
                                             " inserted_window_dims={0,1}, scatter_dims_to_operand_dims={1,0},"
                                             " index_vector_dim=1", [0, 2, 2, 1, 1, 0],
                                             "the first number is for the second dimension"),
    "input_batching_dims": scatters("2,3,2", "2,2", "2,2,2", "update_window_dims={2}, inserted_window_dims={1},"
                                    " scatter_dims_to_operand_dims={1}, input_batching_dims={0},"
                                    " scatter_indices_batching_dims={1}, index_vector_dim=2", [2, 0, 1, 1],
                                    "each batch of the operand has a column of indices"),
    "index_vector_dim": scatters("3,3", "2,3", "3", "update_window_dims={}, inserted_window_dims={0,1},"
                                 " scatter_dims_to_operand_dims={0,1}, index_vector_dim=0", [0, 2, 1, 2, 1, 0],
                                 "index vectors are columns"),
    "zero_sized": scatters("3,2", "0", "0,2", ROW_UPDATES, [], "no update"),
    "maximum": folding("maximum"), "minimum": folding("minimum"), "multiply": folding("multiply"),
}


def classes():
    """Returns the templates by (op, class)."""
    made = {(op, name): make for op in ("dynamic-slice", "dynamic-update-slice")
            for name, make in (("out_of_bounds", slice_bounds), ("index_types", slice_index))}
    made |= {("gather", name): make for name, make in GATHERS.items()}
    made |= {("scatter", name): make for name, make in SCATTERS.items()}
    return made | {
        ("dynamic-slice", "scalar"): template("{k}[]", "{k}[] {op}(a), dynamic_slice_sizes={}", small,
                                              reason=NO_STARTS),
        ("dynamic-update-slice", "scalar"): template("{k}[] {k}[]", "{k}[] {op}(a, b)", small, others,
                                                     reason=NO_STARTS),
        ("dynamic-slice", "zero_sized"): template("{k}[2,3] s32[] s32[]",
                                                  "{k}[2,0] {op}(a, b, c), dynamic_slice_sizes={2,0}", numbers_of, [1],
                                                  [9], reason="a slice of no element"),
        ("dynamic-update-slice", "zero_sized"): template("{k}[2,3] {k}[0,3] s32[] s32[]", "{k}[2,3] {op}(a, b, c, d)",
                                                         numbers_of, [], [1], [9], reason="an update of no element"),
        ("gather", "index_types"): gather_index, ("scatter", "index_types"): scatter_index,
        ("scatter", "several"): scatter_several,
    }
