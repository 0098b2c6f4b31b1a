"""dot, ragged-dot and scaled-dot: batches and contracted dimensions in unusual places."""

from golden.make.classes.folds import DIGITS
from golden.make.patterns import digits, factors, few
from golden.make.values import small, template
from golden.witness.element_types import is_float

MATRIX = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"


def product(left, right, result, dims, reason, numbers=(few, factors)):
    """Returns a template of dot."""
    root = f"{{k}}[{result}] {{op}}(a, b), {dims}".rstrip(", ")
    return template(f"{{k}}[{left}] {{k}}[{right}]", root, *numbers, reason=reason)


DOTS = {
    "lhs_batch_dims": product("3,2,2", "2,2,3", "2,3,3", "lhs_batch_dims={1}, lhs_contracting_dims={2},"
                              " rhs_batch_dims={0}, rhs_contracting_dims={1}", "batches in different places"),
    "lhs_contracting_dims": product("2,2,3", "3,2,2", "2,2", "lhs_contracting_dims={1,2}, rhs_contracting_dims={2,0}",
                                    "two contracted dimensions, in different places"),
    "zero_sized": product("2,0", "0,3", "2,3", MATRIX, "every sum is empty"),
    "oblong": product("2,5", "5,3", "2,3", MATRIX, "sizes that all differ"),
    "digits": product("2,3", "3,2", "2,2", MATRIX, DIGITS, (digits, digits)),
    "outer": product("2", "3", "2,3", "", "nothing contracted: every product"),
}


# Groups of rows, each with its own matrix; some rows are in no group, for which f8e8m0fnu has no zero.
rows = template(
    "{k}[3,2,2] {k}[2,2,2,2] s32[2]", "{k}[3,2] {op}(a, b, c), lhs_contracting_dims={1,2}, rhs_contracting_dims={2,1},"
    " lhs_ragged_dims={0}, rhs_group_dims={0}", few, factors, lambda kind, _: [1, 2 if kind == "f8e8m0fnu" else 1],
    reason="two contracted dimensions; a row in no group is zero")
rows_of_batches = template("{k}[2,3,2] {k}[2,2,2,1] s32[2,2]", "{k}[2,3,1] {op}(a, b, c), lhs_batch_dims={0}, "
                           "lhs_contracting_dims={2}, rhs_batch_dims={1}, rhs_contracting_dims={2}, "
                           "lhs_ragged_dims={1}, rhs_group_dims={0}", few, factors, [1, 2, 2, 1],
                           reason="sizes for each batch")
# Groups of terms, each with its own result.
terms = template(
    "{k}[2,4] {k}[4,2] s32[3]",
    "{k}[3,2,2] {op}(a, b, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}", few, factors,
    [1, 0, 2], reason="groups of terms, one of none; terms behind the last group do not count")


def scaled(shapes, root, reason):
    """Returns a template of scaled-dot; the last two of the shapes are those of scales."""
    def scale(kind):
        return "f8e8m0fnu" if is_float(kind) else kind

    def scales(kind, count):
        return small(scale(kind), count)

    return template(lambda kind: shapes.replace("{k}", kind).replace("{s}", scale(kind)), root, few, factors, scales,
                    scales, reason=reason)


def classes():
    """Returns the templates by (op, class)."""
    return {**{("dot", name): make for name, make in DOTS.items()},
            ("ragged-dot", "lhs_batch_dims"): rows_of_batches, ("ragged-dot", "lhs_contracting_dims"): rows,
            ("ragged-dot", "lhs_ragged_dims"): terms,
            ("scaled-dot", "lhs_batch_dims"): scaled(
                "{k}[2,1,4] {k}[2,4,1] {s}[2,1,2] {s}[2,2,1]", "{k}[2,1,1] {op}(a, b, c, d), lhs_batch_dims={0},"
                " lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}",
                "batches, each with its scales"),
            ("scaled-dot", "lhs_contracting_dims"): scaled(
                "{k}[4,2] {k}[3,4] {s}[2,2] {s}[3,1]",
                "{k}[2,3] {op}(a, b, c, d), lhs_contracting_dims={0}, rhs_contracting_dims={1}",
                "scales of other blocks, contracted the other way")}
