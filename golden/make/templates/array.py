"""Ops that move elements, with every element type."""

from golden.make.values import SECOND, edges, order, small, template

def templates():
    """Returns the templates by op."""
    return {
        "bitcast": template("{k}[2,3]", "{k}[3,2] {op}(a)", edges),
        "broadcast": template("{k}[3]", "{k}[2,3] {op}(a), dimensions={1}", edges),
        "reshape": template("{k}[2,3]", "{k}[3,2] {op}(a)", edges),
        "transpose": template("{k}[2,3]", "{k}[3,2] {op}(a), dimensions={1,0}", edges),
        "reverse": template("{k}[2,3]", "{k}[2,3] {op}(a), dimensions={1}", edges),
        "slice": template("{k}[6]", "{k}[3] {op}(a), slice={[1:6:2]}", edges),
        "shuffle": template("{k}[2,3]", "{k}[2,3] {op}(a), dimensions={1}, mode=rotate, shifts={1}", edges),
        "iota": template("", "{k}[3,2] {op}(), iota_dimension=0"),
        "concatenate": template("{k}[2] {k}[3]", "{k}[5] {op}(a, b), dimensions={0}", edges, small),
        "pad": template("{k}[3] {k}[]", "{k}[7] {op}(a, b), padding=1_1_1", edges, small),
        "dynamic-slice": template("{k}[6] s32[]", "{k}[3] {op}(a, b), dynamic_slice_sizes={3}", edges, [2]),
        "dynamic-update-slice": template("{k}[6] {k}[2] s32[]", "{k}[6] {op}(a, b, c)", edges, small, [3]),
        "gather": template(
            "{k}[3,2] s32[2]", "{k}[2,2] {op}(a, b), offset_dims={1}, collapsed_slice_dims={0},"
            " start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}", edges, [2, 0]),
        "scatter": template(
            "{k}[3,2] s32[2] {k}[2,2]", "{k}[3,2] {op}(a, b, c), update_window_dims={1}, inserted_window_dims={0},"
            " scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second_{k}", edges, [2, 0], small,
            computations=[SECOND]),
        "sort": template("{k}[6]", "{k}[6] {op}(a), dimensions={0}, is_stable=true, to_apply=order_{k}", small,
                         computations=[order]),
        "topk": template("{k}[6]", "({k}[3], s32[3]) {op}(a), k=3, largest=true", small),
        # The size shows in the result's own size: peers accept no dynamic dimension at the entry.
        "set-dimension-size": template("{k}[3] s32[]", "s32[] get-dimension-size(d), dimensions={0}", edges, [2],
                                       body=["d = {k}[<=3] {op}(a, b), dimensions={0}"]),
        "get-dimension-size": template("{k}[2,3]", "s32[] {op}(a), dimensions={1}", edges),
        "dynamic-reshape": template("{k}[2,3] s32[] s32[]", "{k}[3,2] {op}(a, b, c)", edges, [3], [2]),
    }
