"""Operands whose run-time sizes are below their bounds, in golden/<op>/run_time_sizes.hlo."""

from oracle.corpus.modules import add_family, combiner, numbers
from oracle.corpus.values import Sample, order

ORACLE = "exact arithmetic"


def add_to(corpus):
    """A file for each op."""
    for op, samples in (("concatenate", concatenations()), ("transpose", transposes()), ("reverse", reversals()),
                        ("dynamic-update-slice", updates()), ("scatter", scatters()), ("sort", sorts())):
        add_family(corpus, f"{op}/run_time_sizes", samples, ORACLE)


def sized(arrays, size, root, reason, sizes=(), computations=(), more=()):
    """A Sample of `root`, its operands v, w, x, ... those of `arrays`: (SHAPE, words, dimension of a run-time size or None).

    All of these dimensions have `size` elements, or those of `sizes` in turn.
    """
    parameters, arguments, body, given = [], [], [], list(sizes)
    for name, (shape, words, dimension) in zip("vwxyz", arrays):
        letter = "abcdefghij"[len(parameters)]
        parameters.append(shape)
        arguments.append(words)
        if dimension is None:
            body.append(f"{name} = {shape} copy({letter})")
            continue
        kind, extents = shape.rstrip("]").split("[")
        extents = extents.split(",")
        extents[dimension] = f"<={extents[dimension]}"
        body.append(f"{name} = {kind}[{','.join(extents)}] set-dimension-size({letter}, "
                    f"{'abcdefghij'[len(parameters)]}), dimensions={{{dimension}}}")
        parameters.append("s32[]")
        arguments.append([given.pop(0) if given else size])
    return Sample(parameters, root, arguments, body, list(computations), reason, dict(more))


def concatenations():
    """concatenate: a run-time size along the joined dimension, and along another one."""
    return {
        "joined": sized([("s32[2,4]", numbers(8), 1), ("s32[2,3]", numbers(6, 11), None)], 3,
                        "s32[2,<=7] concatenate(v, w), dimensions={1}", "the second operand begins at the run-time size"),
        "both": sized([("s32[2,4]", numbers(8), 1), ("s32[2,3]", numbers(6, 11), 1)], 3,
                      "s32[2,<=7] concatenate(v, w), dimensions={1}", "both have run-time sizes", sizes=(3, 1)),
        "other": sized([("s32[2,4]", numbers(8), 1), ("s32[3,4]", numbers(12, 11), 1)], 3,
                       "s32[5,<=4] concatenate(v, w), dimensions={0}", "rows of a run-time size"),
    }


def transposes():
    """transpose."""
    return {"rows": sized([("s32[3,4]", numbers(12), 0)], 2, "s32[4,<=3] transpose(v), dimensions={1,0}",
                          "the run-time size moves with its dimension")}


def reversals():
    """reverse."""
    return {"row": sized([("s32[2,5]", numbers(10), 1)], 3, "s32[2,<=5] reverse(v), dimensions={1}",
                         "the last element inside the run-time size comes first")}


def updates():
    """dynamic-update-slice."""
    return {
        "operand": sized([("s32[6]", numbers(6), 0), ("s32[2]", [11, 12], None), ("s32[]", [1], None)], 5,
                         "s32[<=6] dynamic-update-slice(v, w, x)", "an operand of a run-time size"),
        "update": sized([("s32[2,6]", numbers(12), None), ("s32[2,3]", numbers(6, 21), 1), ("s32[]", [0], None),
                         ("s32[]", [3], None)], 2,
                        "s32[2,6] dynamic-update-slice(v, w, x, y)", "an update of a run-time size"),
    }


def scatters():
    """scatter."""
    add = combiner("add", "s32", "add_s32")
    attributes = ("update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                  "index_vector_dim=1, to_apply=add_s32")
    return {
        "operand": sized([("s32[6]", numbers(6), 0), ("s32[3,1]", [4, 0, 5], None), ("s32[3]", [10, 20, 40], None)], 5,
                         f"s32[<=6] scatter(v, w, x), {attributes}", "an index beyond the run-time size", computations=[add]),
        "updates": sized([("s32[6]", numbers(6), 0), ("s32[3,1]", [4, 0, 1], 0), ("s32[3]", [10, 20, 40], 0)], 2,
                         f"s32[<=6] scatter(v, w, x), {attributes}", "fewer updates than their bound, and than elements",
                         sizes=(5, 2, 2), computations=[add]),
    }


def sorts():
    """sort."""
    two = ("both_below {\n  p = s32[] parameter(0)\n  q = s32[] parameter(1)\n  r = s32[] parameter(2)\n"
           "  s = s32[] parameter(3)\n  ROOT z = pred[] compare(p, q), direction=LT\n}")
    return {
        "row": sized([("s32[6]", [3, 1, 2, 5, 0, 4], 0)], 4, "s32[<=6] sort(v), dimensions={0}, to_apply=order_s32",
                     "elements beyond the run-time size take no part", computations=[order("s32")]),
        "pairs": sized([("s32[6]", [3, 1, 2, 5, 0, 4], 0), ("s32[6]", numbers(6), 0)], 4,
                       "(s32[<=6], s32[<=6]) sort(v, w), dimensions={0}, to_apply=both_below",
                       "the second operand moves along", computations=[two]),
    }
