"""More of the specification's worked examples: those in words, pictures and shapes.

If it has numbers, the values are copied from it; if it has shapes only, they are derived.
"""

from golden.make.modules import add_file, combiner, numbers

SEED = {"oracle": "the specification's example", "provenance": "seed"}


def add_to(corpus):
    """Adds all files of this module."""
    less = combiner("compare", "f32", "ge", ", direction=GE")
    add_file(corpus, "select-and-scatter/seed_overlap", "f32[3] f32[2] f32[] -> f32[3]",
             "window={size=2 stride=1}, select=ge, scatter=add",
             ("example", "two windows choose the element 9; the output has 8 (2 + 6) there", [5, 9, 4], [2, 6], [0],
              [("f32[3]", [0, 8, 0])]), computations=less + "\n\n" + combiner("add", "f32"), **SEED)
    add_file(
        corpus, "reduce-window/seed_padded", "f32[7] f32[] -> f32[3]", "window={size=3 stride=2}, to_apply=minimum",
        ("example", "three windows of [MAX_VALUE, 10000, 1000, 100, 10, 1, MAX_VALUE], the array after padding kSame",
         ["x7f7fffff", 10000, 1000, 100, 10, 1, "x7f7fffff"], ["x7f7fffff"], [("f32[3]", [1000, 10, 1])]),
        computations=combiner("minimum", "f32"), **SEED)
    add_file(corpus, "reduce/seed_other_order", "s32[4] s32[] -> s32[]", "dimensions={0}, to_apply=add",
             ("sum", "of [10, 11, 12, 13] from 0, in any of the two orders that are printed", [10, 11, 12, 13], [0],
              [("s32[]", [46])]), computations=combiner("add", "s32"), **SEED)
    for dimension, size in ((0, 3), (1, 2)):
        add_file(corpus, f"reduce/example_matrix_{dimension}", f"f32[2,3] f32[] -> f32[{size}]",
                 f"dimensions={{{dimension}}}, to_apply=add",
                 ("matrix", f"a matrix of 2 x 3, dimension {dimension} summed", numbers(6), [0]),
                 computations=combiner("add", "f32"))
    element_by_element(corpus)
    groups(corpus)
    add_file(corpus, "add/example_cuboid_matrix", "s32[2,3,4] s32[3,4]", "s32[2,3,4] add(a, v)",
             ("cuboid", "a 2x3x4 cuboid and a 3x4 matrix, broadcasting tuple (1,2)", numbers(24),
              numbers(12, 100, 100)), body=["v = s32[2,3,4] broadcast(b), dimensions={1,2}"])
    for dimension, size in enumerate((2, 3, 4, 5)):
        add_file(corpus, f"add/example_vector_in_{dimension}", f"s32[2,3,4,5] s32[{size}]", "s32[2,3,4,5] add(a, v)",
                 ("vector", f"a vector of T on MxNxPxQ, T matched to dimension {dimension}", "s32[2,3,4,5] seeded 1",
                  numbers(size, 100, 100)), body=[f"v = s32[2,3,4,5] broadcast(b), dimensions={{{dimension}}}"])
    for name, first, second in (("2_3", 2, 3), ("1_2", 1, 2), ("0_3", 0, 3)):
        sizes = [(2, 3, 4, 5)[d] for d in (first, second)]
        add_file(corpus, f"add/example_matrix_in_{name}", f"s32[2,3,4,5] s32[{sizes[0]},{sizes[1]}]",
                 "s32[2,3,4,5] add(a, v)",
                 ("matrix", f"a matrix of TxV on MxNxPxQ, matched to dimensions {first},{second}",
                  "s32[2,3,4,5] seeded 2", numbers(sizes[0] * sizes[1], 100, 100)),
                 body=[f"v = s32[2,3,4,5] broadcast(b), dimensions={{{first},{second}}}"])
    for name, left, right in (("1", "2,1", "2,3"), ("2", "1,2,5", "7,2,5"), ("3", "7,2,5", "7,1,5"),
                              ("outer", "2,1", "1,3")):
        degenerate(corpus, name, left, right)
    add_file(corpus, "add/example_composed", "s32[1,2] s32[4,3,1]", "s32[4,3,2] add(x, y)",
             ("composed", "a 1x2 matrix on a 4x3x1 array, broadcast dimensions (1, 2): 4x1x2, then 4x3x2", [5, 6],
              numbers(12, 10, 10)), body=["m = s32[4,1,2] broadcast(a), dimensions={1,2}", "n = s32[4,2] reshape(m)",
                   "x = s32[4,3,2] broadcast(n), dimensions={0,2}", "o = s32[4,3] reshape(b)",
                   "y = s32[4,3,2] broadcast(o), dimensions={0,1}"])


def element_by_element(corpus):
    """Adds statements on single elements: sgn by cases, the total order, parts of real numbers, IsFinite."""
    inf, nan, negative_nan = float("inf"), float("nan"), "xffc00000"
    add_file(corpus, "sign/seed_cases", "f32[5] -> f32[5]", "",
             ("example", "sgn(x): -1 for x < 0, -0 for -0, NaN for NaN, +0 for +0, 1 for x > 0",
              [-2.5, -0.0, nan, 0.0, 2.5],
              [("f32[5]", [-1, -0.0, nan, 0.0, 1])]), **SEED)
    ascending = [negative_nan, -inf, -1, -0.0, 0.0, 1, inf, nan]
    for direction in ("LT", "GT"):
        add_file(corpus, f"compare/seed_total_order_{direction}", "f32[7] f32[7] -> pred[7]",
                 f"direction={direction}, type=TOTALORDER",
                 ("example", "-NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN", ascending[:-1], ascending[1:],
                  [("pred[7]", [int(direction == "LT")] * 7)]), **SEED)
    for op, want in (("real", [1.5, -inf]), ("imag", [0.0, 0.0])):
        add_file(corpus, f"{op}/seed_of_floats", "f32[2] -> f32[2]", "",
                 ("example", "of a floating-point type Real returns the same value, Imag 0", [1.5, -inf],
                  [("f32[2]", want)]), **SEED)
    add_file(corpus, "is-finite/seed_specials", "f32[4] -> pred[4]", "",
             ("example", "neither positive nor negative infinity nor NaN", [inf, -inf, nan, 1],
              [("pred[4]", [0, 0, 0, 1])]), **SEED)


def groups(corpus):
    """Adds groups and pairs that are printed without numbers: device d has numbers of its own."""
    total = combiner("add", "s32", "sum")
    pairs = "replica_groups={{0,2},{1,3}}"
    examples = {
        "all-gather": (f"s32[4] all-gather(x), {pairs}, dimensions={{0}}", "", [[0, 1, 20, 21], [10, 11, 30, 31]] * 2),
        "all-reduce": (f"s32[2] all-reduce(x), {pairs}, to_apply=sum", total, [[20, 22], [40, 42]] * 2),
        "reduce-scatter": (f"s32[1] reduce-scatter(x), {pairs}, dimensions={{0}}, to_apply=sum", total,
                           [[20], [40], [22], [42]]),
        "collective-permute": ("s32[2] collective-permute(x), source_target_pairs={{0,1},{1,2}}", "",
                               [[0, 0], [0, 1], [10, 11], [0, 0]]),
    }
    for op, (line, computations, want) in examples.items():
        text = "\n\n".join(filter(None, [f"HloModule {op.replace('-', '_')}, replica_count=4", computations,
                                         f"ENTRY main {{\n  x = s32[2] parameter(0)\n  ROOT r = {line}\n}}"]))
        case = corpus.file(f"{op}/seed_groups", text, f"{op} s32 level1", SEED["oracle"], provenance="seed")
        reason = "between 0 and 2, and 1 and 3" if "groups" in line else "zeros where no pair has the replica as target"
        case("example", f"{reason}; element i of replica r is 10r + i",
             *[("s32[2]", [10 * replica, 10 * replica + 1]) for replica in range(4)],
             want=[(f"s32[{len(w)}]", w) for w in want])


def degenerate(corpus, name, left, right):
    """Adds arrays of one rank, whose dimensions of size 1 are broadcast."""
    sizes = [[int(n) for n in shape.split(",")] for shape in (left, right)]
    result = ",".join(str(max(pair)) for pair in zip(*sizes))
    body = []
    for letter, own, to in (("a", sizes[0], "x"), ("b", sizes[1], "y")):
        kept = [d for d, n in enumerate(own) if n > 1]
        shape = ",".join(str(own[d]) for d in kept)
        places = ",".join(map(str, kept))
        body += [f"{to}0 = s32[{shape}] reshape({letter})",
                 f"{to} = s32[{result}] broadcast({to}0), dimensions={{{places}}}"]
    add_file(corpus, f"add/example_degenerate_{name}", f"s32[{left}] s32[{right}]", f"s32[{result}] add(x, y)",
             ("degenerate", f"({left}) and ({right}) broadcast to ({result})", f"s32[{left}] seeded 3",
              f"s32[{right}] seeded 4"), body=body)
