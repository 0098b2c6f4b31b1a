"""Operands whose run-time sizes are below their bounds, in golden/<op>/run_time_sizes.hlo."""

from golden.make.modules import add_family, combiner, numbers
from golden.make.values import Sample, called, order

ORACLE = "exact arithmetic"


def add_to(corpus):
    """Adds a file for each op."""
    for op, samples in (("concatenate", concatenations()), ("transpose", transposes()), ("reverse", reversals()),
                        ("dynamic-update-slice", updates()), ("scatter", scatters()), ("sort", sorts()),
                        ("reshape", reshapes()), ("bitcast", bitcasts()), ("while", loops()),
                        ("conditional", branches()), ("async-start", starts()), ("async-update", late_operands()),
                        ("tuple", tuples()), ("custom-call", targets()), ("pad", paddings()),
                        ("convolution", convolutions()), ("cholesky", factors()), ("triangular-solve", solutions()),
                        ("dot", products()), ("map", maps()), ("gather", gathers()), ("reduce", reductions()),
                        ("reduce-window", windows()), ("slice", slices())):
        add_family(corpus, f"{op}/run_time_sizes", samples, ORACLE)


def sized(arrays, size, root, reason, sizes=(), computations=(), more=()):
    """Returns a Sample of `root`. Its operands v, w, x, ... are `arrays`: (SHAPE, words, dimension of a run-time size
    or None).

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
                        "s32[2,<=7] concatenate(v, w), dimensions={1}",
                        "the second operand begins at the run-time size"),
        "both": sized([("s32[2,4]", numbers(8), 1), ("s32[2,3]", numbers(6, 11), 1)], 3,
                      "s32[2,<=7] concatenate(v, w), dimensions={1}", "both have run-time sizes", sizes=(3, 1)),
        "other": sized([("s32[2,4]", numbers(8), 1), ("s32[3,4]", numbers(12, 11), 1)], 3,
                       "s32[5,<=4] concatenate(v, w), dimensions={0}", "rows of a run-time size"),
    }


def paddings():
    """pad."""
    return {"row": sized([("s32[4]", numbers(4), 0), ("s32[]", [9], None)], 2, "s32[<=7] pad(v, w), padding=1_2",
                         "the high padding begins at the run-time size")}


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
                         ("s32[]", [3], None)], 2, "s32[2,6] dynamic-update-slice(v, w, x, y)",
                        "an update of a run-time size"),
    }


def scatters():
    """scatter."""
    add = combiner("add", "s32", "add_s32")
    attributes = ("update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                  "index_vector_dim=1, to_apply=add_s32")
    return {
        "operand": sized([("s32[6]", numbers(6), 0), ("s32[3,1]", [4, 0, 5], None), ("s32[3]", [10, 20, 40], None)], 5,
                         f"s32[<=6] scatter(v, w, x), {attributes}", "an index beyond the run-time size",
                         computations=[add]),
        "updates": sized([("s32[6]", numbers(6), 0), ("s32[3,1]", [4, 0, 1], 0), ("s32[3]", [10, 20, 40], 0)], 2,
                         f"s32[<=6] scatter(v, w, x), {attributes}",
                         "fewer updates than their bound, and than elements", sizes=(5, 2, 2), computations=[add]),
    }


def sorts():
    """sort."""
    two = called("both_below", "p:s32[] q:s32[] r:s32[] s:s32[]", "ROOT z = pred[] compare(p, q), direction=LT")
    return {
        "row": sized([("s32[6]", [3, 1, 2, 5, 0, 4], 0)], 4, "s32[<=6] sort(v), dimensions={0}, to_apply=order_s32",
                     "elements beyond the run-time size take no part", computations=[order("s32")]),
        "pairs": sized([("s32[6]", [3, 1, 2, 5, 0, 4], 0), ("s32[6]", numbers(6), 0)], 4,
                       "(s32[<=6], s32[<=6]) sort(v, w), dimensions={0}, to_apply=both_below",
                       "the second operand moves along", computations=[two]),
    }


def convolutions():
    """convolution."""
    root = "f32[1,2,2] convolution(v, w), window={size=2}, dim_labels=b0f_0io->b0f"
    return {
        "features": sized([("f32[1,3,4]", numbers(12), 2), ("f32[2,4,2]", numbers(16), None)], 3, root,
                          "features inside the run-time size of the input, and all of the kernel's"),
        "features_of_the_kernel": sized([("f32[1,3,4]", numbers(12), None), ("f32[2,4,2]", numbers(16), 1)], 3, root,
                                        "features inside the run-time size of the kernel, and all of the input's"),
    }


def factors():
    """cholesky: the leading part of a matrix whose sizes differ at run time."""
    matrix = [4, 2, 9, 2, 5, 9, 9, 9, 9]
    return {
        "rows": sized([("f64[3,3]", matrix, 0)], 2, "f64[<=3,3] cholesky(v), lower=true", "fewer rows than columns"),
        "columns": sized([("f64[3,3]", matrix, 1)], 2, "f64[3,<=3] cholesky(v), lower=true", "fewer columns than rows"),
    }


def solutions():
    """triangular-solve: the matrix or the right-hand side is the shorter one."""
    matrix, root = [2, 9, 9, 1, 4, 9, 9, 9, 9], "triangular-solve(v, w), left_side=true, lower=true, transpose_a=NO_TRANSPOSE"
    return {
        name: sized([("f64[3,3]", matrix, dimension), ("f64[3,1]", [2, 9, 9], other)], 2, f"f64[{size},1] {root}", reason)
        for name, dimension, other, size, reason in (
            ("rows", 0, None, "3", "fewer rows of the matrix"), ("columns", 1, None, "3", "fewer columns of the matrix"),
            ("right_side", None, 0, "<=3", "fewer equations than the matrix has"))
    }  # fmt: skip


def products():
    """dot."""
    return {"contracted": sized([("s32[2,4]", numbers(8), None), ("s32[4,2]", numbers(8), 0)], 3,
                                "s32[2,2] dot(v, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                                "terms inside the run-time size of the second operand")}


def maps():
    """map."""
    three = called("combined", "p:s32[] q:s32[] r:s32[]", "s = s32[] multiply(p, q)", "ROOT z = s32[] subtract(s, r)")
    return {"last_of_three": sized([("s32[6]", numbers(6), None), ("s32[6]", numbers(6, 11), None),
                                    ("s32[6]", numbers(6, 21), 0)], 4,
                                   "s32[<=6] map(v, w, x), dimensions={0}, to_apply=combined",
                                   "the last operand is the shortest", computations=[three])}


BOTH = called("both", "p:s32[] q:s32[] r:s32[] s:s32[]", "t = s32[] add(p, r)", "u = s32[] maximum(q, s)",
              "ROOT z = (s32[], s32[]) tuple(t, u)")


def of_two(shape, words, root, kind):
    """Returns Samples of `root` on two arrays, the first or the second of which is shorter, and on initial values."""
    return {
        name: sized([(shape, words, 0 if is_first else None), (shape, words[::-1], None if is_first else 0),
                     ("s32[]", [0], None), ("s32[]", [-9], None)], 4, root,
                    f"the {name} of two arrays is the shorter one: {kind} inside its run-time size", computations=[BOTH])
        for name, is_first in (("first", True), ("second", False))
    }  # fmt: skip


def reductions():
    """reduce."""
    return of_two("s32[6]", numbers(6), "(s32[], s32[]) reduce(v, w, x, y), dimensions={0}, to_apply=both", "elements")


def windows():
    """reduce-window."""
    return of_two("s32[6]", numbers(6), "(s32[<=5], s32[<=5]) reduce-window(v, w, x, y), window={size=2}, to_apply=both",
                  "windows")


def slices():
    """slice."""
    return {
        name: of_row(f"s32[<={size}] slice(v), slice={{[{limits}]}}", reason)
        for name, size, limits, reason in (
            ("end", 6, "0:6", "the slice ends at the run-time size"),
            ("steps", 3, "0:6:2", "every second element inside the run-time size"),
            ("beyond", 2, "4:6", "no element: the slice begins beyond the run-time size"))
    }  # fmt: skip


def gathers():
    """gather."""
    batches = ("gather(v, w), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, "
               "start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}")
    rows = ("gather(v, w), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
            "slice_sizes={1,6}")
    indices = [3, 0, 1, 1, 2, 0]
    return {
        "batches": sized([("s32[3,4]", numbers(12), 0), ("s32[3,2,1]", indices, None)], 2, f"s32[<=3,2] {batches}",
                         "fewer batches of the operand than of the indices"),
        "batches_of_indices": sized([("s32[3,4]", numbers(12), None), ("s32[3,2,1]", indices, 0)], 2,
                                    f"s32[<=3,2] {batches}", "fewer batches of the indices than of the operand"),
        "slices": sized([("s32[3,6]", numbers(18), 1), ("s32[2,1]", [2, 0], None)], 4, f"s32[2,<=6] {rows}",
                        "a slice ends at the run-time size"),
    }


DOUBLE = "double {\n  x = s32[<=6] parameter(0)\n  ROOT y = s32[<=6] add(x, x)\n}"
OPPOSITE = "opposite {\n  x = s32[<=6] parameter(0)\n  ROOT y = s32[<=6] negate(x)\n}"


def of_row(root, reason, computations=(), body=(), **options):
    """Returns a Sample of an array v of six elements, three of them inside the run-time size; `body` precedes
    `root`."""
    sample = sized([("s32[6]", numbers(6), 0)], 3, root, reason, computations=computations, **options)
    sample.body += body
    return sample


def reshapes():
    """reshape."""
    return {
        "joined": sized([("s32[6,2]", numbers(12), 0)], 3, "s32[<=12] reshape(v)", "rows of a run-time size in a row"),
        "joined_inside": sized([("s32[2,6,2]", numbers(24), 1)], 3, "s32[2,<=12] reshape(v)",
                               "the first dimension stays, the others become one"),
        "nothing": sized([("s32[2,0,3]", [], 0)], 1, "s32[0,5] reshape(v)",
                         "no element, whatever the run-time size: the dimensions have no common factors"),
        "with_one": of_row("s32[1,<=6,1] reshape(v)", "dimensions of size 1 on both sides"),
    }


def bitcasts():
    """bitcast."""
    return {"same": of_row("s32[<=6] bitcast(v)", "the run-time size stays")}


def loops():
    """while."""
    below = called("is_small", "p:s32[<=6]", "zero = s32[] constant(0)",
                   "total = s32[] reduce(p, zero), dimensions={0}, to_apply=add_s32", "most = s32[] constant(50)",
                   "ROOT z = pred[] compare(total, most), direction=LT")
    return {"array": of_row("s32[<=6] while(v), condition=is_small, body=double",
                            "the state is one array of a run-time size",
                            [combiner("add", "s32", "add_s32"), below, DOUBLE])}


def branches():
    """conditional."""
    sample = sized([("s32[6]", numbers(6), 0), ("s32[6]", numbers(6, 11), 0), ("pred[]", [1], None)], 3,
                   "s32[<=6] conditional(x, v, w), true_computation=double, false_computation=opposite",
                   "the operands of the branches have different run-time sizes", sizes=(3, 5),
                   computations=[DOUBLE, OPPOSITE])
    sample.more = {"_false": [numbers(6), [3], numbers(6, 11), [5], [0]]}
    return {"arrays": sample}


def starts():
    """async-start."""
    return {"array": of_row("s32[<=6] async-done(s)", "the operand has a run-time size", [DOUBLE],
                            ["s = ((s32[<=6]), s32[<=6], u32[]) async-start(v), calls=double"])}


def late_operands():
    """async-update."""
    sample = sized([("s32[6]", numbers(6), 0), ("s32[6]", numbers(6, 11), 0)], 3, "s32[<=6] async-done(u)",
                   "the operand of the update has a run-time size",
                   computations=[called("minus", "x:s32[<=6] y:s32[<=6]", "ROOT z = s32[<=6] subtract(x, y)")])
    sample.body += ["s = ((s32[<=6]), s32[<=6], u32[]) async-start(v), calls=minus",
                    "u = ((s32[<=6], s32[<=6]), s32[<=6], u32[]) async-update(s, w)"]
    return {"late": sample}


def tuples():
    """tuple."""
    body = ["t = (s32[<=6]) tuple(v)", "u = (s32[<=6], (s32[<=6])) tuple(v, t)",
            "p = (s32[<=6]) get-tuple-element(u), index=1", "q = s32[<=6] get-tuple-element(p), index=0"]
    return {"nested": of_row("s32[] get-dimension-size(q), dimensions={0}", "an array beside a tuple of it", body=body)}


def targets():
    """custom-call."""
    padded = ["p = (s32[6], s32[]) custom-call(v), custom_call_target=\"PadToStatic\"",
              "x = s32[6] get-tuple-element(p), index=0", "n = s32[] get-tuple-element(p), index=1"]
    return {
        "marked": of_row('s32[<=6] custom-call(v), custom_call_target="Sharding"', "the result has the run-time size"),
        "size": of_row("s32[] copy(n)", "the run-time size, and not the bound", body=padded),
        "there_and_back": of_row('s32[<=6] custom-call(x, n), custom_call_target="SliceToDynamic"',
                                 "the bound and the run-time size make the array again", body=padded),
    }
