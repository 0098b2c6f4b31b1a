"""More of the specification's worked examples: what it says in words, pictures and shapes.

Where it gives the numbers the values are typed from it; where it gives shapes alone they are derived.
"""

from oracle.corpus.modules import OneOp, combiner, numbers

SEED = {"oracle": "the specification's example", "provenance": "seed"}


def add_to(corpus):
    """All files of this module."""
    less = combiner("compare", "f32", "ge", ", direction=GE")
    OneOp(corpus, "select-and-scatter").file(
        "seed_overlap", ["f32[3]", "f32[2]", "f32[]"],
        "f32[3] select-and-scatter(a, b, c), window={size=2 stride=1}, select=ge, scatter=add",
        ("example", "two windows choose the element 9; the output has 8 (2 + 6) there", [5, 9, 4], [2, 6], [0],
         [("f32[3]", [0, 8, 0])]), computations=less + "\n\n" + combiner("add", "f32"), **SEED)
    OneOp(corpus, "reduce-window").file(
        "seed_padded", ["f32[7]", "f32[]"], "f32[3] reduce-window(a, b), window={size=3 stride=2}, to_apply=minimum",
        ("example", "three windows of [MAX_VALUE, 10000, 1000, 100, 10, 1, MAX_VALUE], the array after padding kSame",
         ["x7f7fffff", 10000, 1000, 100, 10, 1, "x7f7fffff"], ["x7f7fffff"], [("f32[3]", [1000, 10, 1])]),
        computations=combiner("minimum", "f32"), **SEED)
    reduce = OneOp(corpus, "reduce")
    reduce.file("seed_other_order", ["s32[4]", "s32[]"], "s32[] reduce(a, b), dimensions={0}, to_apply=add",
                ("sum", "of [10, 11, 12, 13] from 0, in any of the two orders that are printed", [10, 11, 12, 13], [0],
                 [("s32[]", [46])]), computations=combiner("add", "s32"), **SEED)
    for dimension, size in ((0, 3), (1, 2)):
        reduce.file(f"example_matrix_{dimension}", ["f32[2,3]", "f32[]"],
                    f"f32[{size}] reduce(a, b), dimensions={{{dimension}}}, to_apply=add",
                    ("matrix", f"a matrix of 2 x 3, dimension {dimension} summed", numbers(6), [0]),
                    computations=combiner("add", "f32"))
    add = OneOp(corpus, "add")
    add.file("example_cuboid_matrix", ["s32[2,3,4]", "s32[3,4]"], "s32[2,3,4] add(a, v)",
             ("cuboid", "a 2x3x4 cuboid and a 3x4 matrix, broadcasting tuple (1,2)", numbers(24),
              numbers(12, 100, 100)),
             body=["v = s32[2,3,4] broadcast(b), dimensions={1,2}"])
    for dimension, size in enumerate((2, 3, 4, 5)):
        add.file(f"example_vector_in_{dimension}", ["s32[2,3,4,5]", f"s32[{size}]"], "s32[2,3,4,5] add(a, v)",
                 ("vector", f"a vector of T on MxNxPxQ, T matched to dimension {dimension}", "s32[2,3,4,5] seeded 1",
                  numbers(size, 100, 100)), body=[f"v = s32[2,3,4,5] broadcast(b), dimensions={{{dimension}}}"])
    for name, first, second in (("2_3", 2, 3), ("1_2", 1, 2), ("0_3", 0, 3)):
        sizes = [(2, 3, 4, 5)[d] for d in (first, second)]
        add.file(f"example_matrix_in_{name}", ["s32[2,3,4,5]", f"s32[{sizes[0]},{sizes[1]}]"], "s32[2,3,4,5] add(a, v)",
                 ("matrix", f"a matrix of TxV on MxNxPxQ, matched to dimensions {first},{second}",
                  "s32[2,3,4,5] seeded 2", numbers(sizes[0] * sizes[1], 100, 100)),
                 body=[f"v = s32[2,3,4,5] broadcast(b), dimensions={{{first},{second}}}"])
    for name, left, right in (("1", "2,1", "2,3"), ("2", "1,2,5", "7,2,5"), ("3", "7,2,5", "7,1,5"),
                              ("outer", "2,1", "1,3")):
        degenerate(add, name, left, right)
    add.file("example_composed", ["s32[1,2]", "s32[4,3,1]"], "s32[4,3,2] add(x, y)",
             ("composed", "a 1x2 matrix on a 4x3x1 array, broadcast dimensions (1, 2): 4x1x2, then 4x3x2", [5, 6],
              numbers(12, 10, 10)),
             body=["m = s32[4,1,2] broadcast(a), dimensions={1,2}", "n = s32[4,2] reshape(m)",
                   "x = s32[4,3,2] broadcast(n), dimensions={0,2}", "o = s32[4,3] reshape(b)",
                   "y = s32[4,3,2] broadcast(o), dimensions={0,1}"])


def degenerate(add, name, left, right):
    """Arrays of one rank, whose dimensions of size 1 are broadcast."""
    sizes = [[int(n) for n in shape.split(",")] for shape in (left, right)]
    result = ",".join(str(max(pair)) for pair in zip(*sizes))
    body = []
    for letter, own, to in (("a", sizes[0], "x"), ("b", sizes[1], "y")):
        kept = [d for d, n in enumerate(own) if n > 1]
        shape = ",".join(str(own[d]) for d in kept)
        places = ",".join(map(str, kept))
        body += [f"{to}0 = s32[{shape}] reshape({letter})", f"{to} = s32[{result}] broadcast({to}0), "
                f"dimensions={{{places}}}"]
    add.file(f"example_degenerate_{name}", [f"s32[{left}]", f"s32[{right}]"], f"s32[{result}] add(x, y)",
             ("degenerate", f"({left}) and ({right}) broadcast to ({result})", f"s32[{left}] seeded 3",
              f"s32[{right}] seeded 4"), body=body)
