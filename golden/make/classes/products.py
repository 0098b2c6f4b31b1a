"""dot, ragged-dot and scaled-dot: batches and contracted dimensions in unusual places."""

from golden.make.classes.folds import DIGITS
from golden.make.patterns import digits, factors, few
from golden.make.values import Sample, small
from golden.witness.element_types import is_float

MATRIX = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"


def count_of(shape):
    """Returns the number of elements of a shape."""
    count = 1
    for size in shape.split(","):
        count *= int(size)
    return count


def product(left, right, result, dims, reason, numbers=(few, factors)):
    """Returns a template of dot."""

    def template(op, kind):
        return Sample([f"{kind}[{left}]", f"{kind}[{right}]"], f"{kind}[{result}] {op}(a, b), {dims}".rstrip(", "),
                      [numbers[0](kind, count_of(left)), numbers[1](kind, count_of(right))], reason=reason)

    return template


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


def rows(op, kind, batch=False):
    """ragged-dot: groups of rows, each with its own matrix; some rows are in no group."""
    if batch:
        parameters, result = [f"{kind}[2,3,2]", f"{kind}[2,2,2,1]", "s32[2,2]"], f"{kind}[2,3,1]"
        dims = ("lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={1}, rhs_contracting_dims={2},"
                " lhs_ragged_dims={1}, rhs_group_dims={0}")
        words = [few(kind, 12), factors(kind, 8), [1, 2, 2, 1]]
    else:
        parameters, result = [f"{kind}[3,2,2]", f"{kind}[2,2,2,2]", "s32[2]"], f"{kind}[3,2]"
        dims = ("lhs_contracting_dims={1,2}, rhs_contracting_dims={2,1}, lhs_ragged_dims={0}, rhs_group_dims={0}")
        # f8e8m0fnu has no zero for a row in no group.
        words = [few(kind, 12), factors(kind, 16), [1, 2 if kind == "f8e8m0fnu" else 1]]
    return Sample(parameters, f"{result} {op}(a, b, c), {dims}", words,
                  reason="sizes for each batch" if batch else "two contracted dimensions; a row in no group is zero")


def terms(op, kind):
    """ragged-dot: groups of terms, each with its own result."""
    return Sample([f"{kind}[2,4]", f"{kind}[4,2]", "s32[3]"],
                  f"{kind}[3,2,2] {op}(a, b, c), lhs_contracting_dims={{1}},"
                  " rhs_contracting_dims={0}, lhs_ragged_dims={1}", [few(kind, 8), factors(kind, 8), [1, 0, 2]],
                  reason="groups of terms, one of none; terms behind the last group do not count")


def scaled(op, kind, batch=False):
    """scaled-dot: blocks of two along the contracted dimension, in batches or with another dimension contracted."""
    scale = "f8e8m0fnu" if is_float(kind) else kind
    if batch:
        shapes, dims = ("2,1,4", "2,4,1", "2,1,2", "2,2,1"), ("lhs_batch_dims={0}, lhs_contracting_dims={2},"
                                                              " rhs_batch_dims={0}, rhs_contracting_dims={1}")
        result = "2,1,1"
    else:
        shapes, dims, result = ("4,2", "3,4", "2,2", "3,1"), "lhs_contracting_dims={0}, rhs_contracting_dims={1}", "2,3"
    words = [few(kind, 8), factors(kind, count_of(shapes[1])), small(scale, 4), small(scale, count_of(shapes[3]))]
    return Sample([f"{k}[{shape}]" for k, shape in zip((kind, kind, scale, scale), shapes)],
                  f"{kind}[{result}] {op}(a, b, c, d), {dims}", words,
                  reason="batches, each with its scales" if batch
                  else "scales of other blocks, contracted the other way")


def classes():
    """Returns the templates by (op, class)."""
    return {**{("dot", name): make for name, make in DOTS.items()},
            ("ragged-dot", "lhs_batch_dims"): lambda op, kind: rows(op, kind, True),
            ("ragged-dot", "lhs_contracting_dims"): rows, ("ragged-dot", "lhs_ragged_dims"): terms,
            ("scaled-dot", "lhs_batch_dims"): lambda op, kind: scaled(op, kind, True),
            ("scaled-dot", "lhs_contracting_dims"): scaled}
