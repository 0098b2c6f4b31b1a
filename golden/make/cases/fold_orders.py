"""Folds, scans, windows and scatters: how sums are rounded, where starts count, and the order of steps."""

from golden.make.modules import add_file, combiner
from golden.make.special_numbers import DIGITS, LARGE, MOVED, NEAR_TIES, SUMMED_ONCE, TIES, TO_EVEN
from golden.make.values import called

ORACLE = "exact arithmetic, XLA:CPU"


def add_to(corpus):
    """Adds all files of this module."""
    add_starts(corpus)
    add_sums(corpus)
    add_roundings(corpus)
    add_comparisons(corpus)
    add_orders(corpus)
    add_several_arrays(corpus)
    add_running_sums(corpus)
    add_scans(corpus)
    add_reversed_windows(corpus)
    add_windows(corpus)
    add_scatters(corpus)


def side_by_side(steps, kinds=("f32", "f32")):
    """Returns a computation of up to four accumulators and as many elements, an op for each pair."""
    count, types = len(kinds), ", ".join(f"{kind}[]" for kind in kinds)
    letters = "abcdvwxy"[-2 * count :]
    lines = [f"  {letter} = {kind}[] parameter({i})" for i, (letter, kind) in enumerate(zip(letters, kinds * 2))]
    lines += [f"  {result} = {kind}[] {step}({old}, {new})" for result, kind, step, old, new in
              zip("mnop", kinds, steps, letters, letters[count:])]
    return "both {\n" + "\n".join([*lines, f"  ROOT t = ({types}) tuple({', '.join('mnop'[:count])})"]) + "\n}"


def add_starts(corpus):
    """reduce."""
    for op, kind, start, values in [("add", "f32", 10, [1, 2, 3, 4, 5, 6]), ("multiply", "f32", 3, [1, 2, 3, 4, 5, 6]),
                                    ("add", "s32", 10, [1, 2, 3, 4, 5, 6])]:
        add_file(corpus, f"reduce/{kind}_{op}_start", f"{kind}[2,3] {kind}[] -> {kind}[2]",
                 "dimensions={1}, to_apply=fold", ("once", "the start counts once for each result", values, [start]),
                 header=f"reduce_{kind}_{op}_start", computations=combiner(op, kind, "fold"), oracle=ORACLE)
    add = combiner("add", "f32", "fold")
    for size in (9, 11):
        add_file(corpus, f"reduce/f32_odd_{size}", f"f32[{size},2] f32[] -> f32[2]", "dimensions={0}, to_apply=fold",
                 ("all", "an odd number of finite terms, each of which shows in the sum",
                  [2**i for i in range(2 * size)], [0]), header=f"reduce_f32_odd_{size}", computations=add,
                 oracle=ORACLE)
    add_file(
        corpus, "reduce/f32_many_sums", "f32[512,64] f32[]", "f32[512] reduce(p, b), dimensions={1}, to_apply=fold",
        ("positive", "so many sums that a bias of their errors shows", "f32[512,64] seeded 7", [0]),
        header="reduce_f32_many_sums", computations=add, body=["p = f32[512,64] abs(a)"], tags="level2", oracle=ORACLE)


def add_sums(corpus):
    """Adds all ops that add, with three numbers, or two."""
    cases = {f"{kind}_once": (kind, numbers, SUMMED_ONCE) for kind, numbers in NEAR_TIES.items()}
    cases |= {f"{kind}_tie": (kind, [*numbers, 0], TO_EVEN) for kind, numbers in TIES.items()}
    for name, (kind, numbers, reason) in cases.items():
        add = combiner("add", kind)
        ones = [1, 1, 1]

        def file(op, parameters, root, *arguments, computations="", body=()):
            add_file(corpus, f"{op}/sum_{name}", parameters, root, ("sum", reason, *arguments),
                     computations=computations, body=body)

        file("reduce", f"{kind}[3] {kind}[] -> {kind}[]", "dimensions={0}, to_apply=add", numbers, [0],
             computations=add)
        file("reduce-window", f"{kind}[3] {kind}[] -> {kind}[1]", "window={size=3}, to_apply=add", numbers, [0],
             computations=add)
        file("dot", f"{kind}[3] {kind}[3] -> {kind}[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", numbers,
             ones)
        file("ragged-dot", f"{kind}[1,3] {kind}[1,3,1] s32[1] -> {kind}[1,1]",
             "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}", numbers,
             ones, [1])
        file("convolution", f"{kind}[1,3,1] {kind}[3,1,1] -> {kind}[1,1,1]", "window={size=3}, dim_labels=b0f_0io->b0f",
             numbers, ones)
        file("scatter", f"{kind}[1] s32[2,1] {kind}[2] -> {kind}[1]", "update_window_dims={}, "
             "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
             numbers[:1], [0, 0], numbers[1:], computations=add)


def add_roundings(corpus):
    """Sums of scattered numbers, and a power near a tie."""
    add = combiner("add", "f32")
    add_file(corpus, "scatter/sum_f32_up", "f32[1] s32[1,1] f32[1] -> f32[1]", "update_window_dims={}, "
             "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
             ("sum", TO_EVEN + ", here away from zero", [2.0**24], [0], [3]), computations=add)
    add_file(corpus, "power/bf16_once", "bf16[2] bf16[2] -> bf16[2]", "",
             ("near_ties", "one rounding: f32 takes the power for a tie", [0.365234375, 3.65625],
              [0.5078125, 0.109375]))
    choose = combiner("compare", "f16", "choose", ", direction=GE")
    add_file(corpus, "select-and-scatter/f16_once", "f16[3] f16[3] f16[] -> f16[3]",
             "window={size=3 pad=1_1}, select=choose, scatter=add",
             ("sum", SUMMED_ONCE, [1, 2, 1], NEAR_TIES["f16"], [0]),
             computations=f"{choose}\n\n" + combiner("add", "f16"))


def add_comparisons(corpus):
    """Folds that compare, of numbers on both sides of the sign bit."""
    for kind, bits in (("u8", 8), ("u32", 32), ("u64", 64), ("s8", 8), ("s32", 32), ("s64", 64)):
        ends = [1, 2**bits - 1, 2 ** (bits - 1)] if kind[0] == "u" else [1, -1, -(2 ** (bits - 1))]
        larger = combiner("maximum", kind)
        add_file(corpus, f"reduce/{kind}_order", f"{kind}[3] {kind}[] -> {kind}[]", "dimensions={0}, to_apply=maximum",
                 ("largest", "the order is that of the type's sign", ends, ends[:1]), computations=larger)
        add_file(corpus, f"reduce-window/{kind}_order", f"{kind}[3] {kind}[] -> {kind}[2]",
                 "window={size=2}, to_apply=maximum",
                 ("largest", "the order is that of the type's sign", ends, ends[:1]), computations=larger)
        add_file(corpus, f"scatter/{kind}_order", f"{kind}[1] s32[2,1] {kind}[2] -> {kind}[1]",
                 "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                 "index_vector_dim=1, to_apply=maximum",
                 ("largest", "the order is that of the type's sign", ends[:1], [0, 0], ends[1:]), computations=larger)
        add_file(corpus, f"all-reduce/{kind}_order", f"{kind}[1] -> {kind}[1]", "replica_groups={}, to_apply=maximum",
                 ("largest", "the order is that of the type's sign", ends[:1], ends[1:2]), computations=larger,
                 devices="replica_count=2", tags="level2", oracle=ORACLE)


def add_orders(corpus):
    """Folds and fusions with asymmetric parameters: 10 x + y, two at a time."""
    step = called("shift_in_both", "x:s32[] v:s32[] y:s32[] w:s32[]", "ten = s32[] constant(10)",
                  "xt = s32[] multiply(x, ten)", "vt = s32[] multiply(v, ten)", "xy = s32[] add(xt, y)",
                  "vw = s32[] add(vt, w)", "ROOT r = (s32[], s32[]) tuple(xy, vw)")
    apart, scalars = "what is there so far comes before the next element", [[3], [4], [1], [2]]
    two, pair = ["s32[2]", "s32[2]", "s32[]", "s32[]"], "(s32[], s32[])"
    for op, window in (("reduce", "dimensions={}"), ("reduce-window", "window={}")):
        rest = "dimensions={0}" if op == "reduce" else "window={size=2}"
        result = pair if op == "reduce" else "(s32[1], s32[1])"
        add_file(corpus, f"{op}/s32_scalars_in_order", f"s32[] s32[] s32[] s32[] -> {pair}",
                 f"{window}, to_apply=shift_in_both", ("order", apart, *scalars), computations=step)
        add_file(corpus, f"{op}/s32_pairs_in_order", two, f"{result} {op}(a, b, c, d), {rest}, to_apply=shift_in_both",
                 ("order", apart, [3, 5], [4, 6], [1], [2]), computations=step)
    add_file(corpus, "scatter/s32_pairs_in_order", "s32[2] s32[2] s32[1,1] s32[1] s32[1] -> (s32[2], s32[2])",
             "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
             "to_apply=shift_in_both", ("order", apart, [1, 2], [3, 4], [1], [5], [6]), computations=step)
    fused = called("weighted", "x:s32[] y:s32[] v:s32[] w:s32[]", "two = s32[] constant(2)",
                   "y2 = s32[] multiply(y, two)", "v3 = s32[] shift-left(v, two)", "s = s32[] subtract(x, y2)",
                   "t = s32[] subtract(v3, w)", "ROOT r = s32[] multiply(s, t)")
    add_file(corpus, "fusion/s32_four_scalars", "s32[] s32[] s32[] s32[] -> s32[]", "kind=kLoop, calls=weighted",
             ("weights", "each operand is another parameter", [1], [2], [3], [5]), computations=fused)
    add_file(corpus, "logistic/f32_next_to_ties", "f32[3] -> f32[3]", "",
             ("half", "1/2 + x/4 is halfway, and the value is nearer to 0 by less than f64 tells",
              [2.0**-23, 3 * 2.0**-23, -(2.0**-24)]))


def add_several_arrays(corpus):
    """Several arrays in one fold."""
    for op, root in (("reduce", "reduce(a, b, c, d), dimensions={0}"),
                     ("reduce-window", "reduce-window(a, b, c, d), window={size=3}")):
        shape, kinds = ("", ("f32", "f32")) if op == "reduce" else ("1", ("f32", "f16"))
        numbers = [LARGE if op == "reduce" else 2048, 1, 1]
        for name, steps, reason in (
                ("sums_side_by_side", ("add", "add"), "each sum is exact, in its own type"),
                ("sum_and_maximum", ("add", "maximum"), "beside a maximum the sum is taken step by step")):
            add_file(corpus, f"{op}/{name}", f"{kinds[0]}[3] {kinds[1]}[3] {kinds[0]}[] {kinds[1]}[]",
                     f"({kinds[0]}[{shape}], {kinds[1]}[{shape}]) {root}, to_apply=both",
                     ("numbers", reason, [LARGE, 1, 1], numbers, [0], [0]), computations=side_by_side(steps, kinds))
    kinds = ("s32", "f32", "s8", "u16")
    add_file(corpus, "reduce/four_arrays", [*(f"{kind}[3,2]" for kind in kinds), *(f"{kind}[]" for kind in kinds)],
             f"({', '.join(f'{kind}[2]' for kind in kinds)}) reduce(a, b, c, d, e, f, g, h), dimensions={{0}}, "
             f"to_apply=both",
             ("numbers", "each array has its own type and fold", [1, 2, 3, 4, 5, 6], [1.5, -2, 4, 0.5, -8, 3],
              [5, -6, 7, 8, -9, 10], [1, 2, 4, 8, 16, 32], [10], [2], [6], [1]),
             computations=side_by_side(("add", "maximum", "minimum", "multiply"), kinds))


def add_running_sums(corpus):
    """Running sums."""
    def step(kind):
        return called("running", f"x:{kind}[] y:{kind}[]", f"z = {kind}[] add(y, x)",
                      f"ROOT t = ({kind}[], {kind}[]) tuple(z, z)")

    for name, is_associative, reason in (("exact_sums", "true", "each sum is exact, and rounded once"),
                                         ("one_by_one", "false", "each step is rounded")):
        add_file(corpus, f"scan/f32_{name}", "f32[3] f32[] -> (f32[3], f32[])",
                 f"dimensions={{0}}, num_carries=1, is_associative={is_associative}, to_apply=running",
                 ("ones", reason, [1, 1, 1], [2.0**24]), computations=step("f32"))
    add_file(corpus, "scan/c128_digits", "c128[1] c128[] -> (c128[1], c128[])",
             "dimensions={0}, num_carries=1, is_associative=false, to_apply=running",
             ("sum", DIGITS, MOVED["c128"], [1, 2.0**40 + 1]), computations=step("c128"))


def add_scans(corpus):
    """is_associative."""
    for name, flag, reason in (("associative", ", is_associative=true", "cumulative sums, each exact and rounded once"),
                               ("in_steps", "", "every step rounds: 2^24 + 1 is 2^24, twice"),
                               ("associative_reverse", ", is_reverse=true, is_associative=true",
                                "from the last element on, the carry among the terms of each sum")):
        add = called("step", "x:f32[2] y:f32[2]", "s = f32[2] add(y, x)", "ROOT t = (f32[2], f32[2]) tuple(s, s)")
        add_file(corpus, f"scan/sums_{name}", "f32[3,2] f32[2] -> (f32[3,2], f32[2])",
                 f"dimensions={{0}}, num_carries=1{flag}, to_apply=step",
                 ("sums", reason, [1, 0.5, 1, 0.25, 3, 0.125], [LARGE, 0]), computations=add)


def add_reversed_windows(corpus):
    """Reversed windows: a fold that depends on the order, and a choice among equal numbers."""
    add_file(corpus, "reduce-window/s32_reversed_order", "s32[4] s32[] -> s32[3]",
             "window={size=2 rhs_reversal=1}, to_apply=shift_in",
             ("order", "the last cell of a reversed window comes first", [1, 3, 5, 7], [0]),
             computations=called("shift_in", "x:s32[] y:s32[]", "ten = s32[] constant(10)",
                                 "z = s32[] multiply(x, ten)", "ROOT r = s32[] add(z, y)"))
    add_file(corpus, "select-and-scatter/s32_subtracts", "s32[4] s32[2] s32[] -> s32[4]",
             "window={size=2 stride=2}, select=choose, scatter=subtract",
             ("order", "what is there so far comes first, and the source's element second", [1, 3, 5, 4], [10, 20],
              [7]),
             computations=combiner("compare", "s32", "choose", ", direction=GE") + "\n\n" + combiner("subtract", "s32"))
    add_file(corpus, "select-and-scatter/s32_scalar_subtracts", "s32[] s32[] s32[] -> s32[]",
             "select=choose, scatter=subtract", ("order", "of scalars too", [1], [10], [7]),
             computations=combiner("compare", "s32", "choose", ", direction=GE") + "\n\n" + combiner("subtract", "s32"))
    add_file(corpus, "select-and-scatter/s32_reversed_ties", "s32[4] s32[2] s32[] -> s32[4]",
             "window={size=2 stride=2 rhs_reversal=1}, select=choose, scatter=add",
             ("equal", "of equal numbers the first one of the reversed window is chosen", [3, 3, 5, 5], [10, 20], [0]),
             computations=combiner("compare", "s32", "choose", ", direction=GE") + "\n\n" + combiner("add", "s32"))


def add_windows(corpus):
    """rhs_reversal."""
    keep = "last {\n  x = s32[] parameter(0)\n  ROOT y = s32[] parameter(1)\n}"
    for name, reversal, reason in (("forward", "0", "the last cell visited is the window's last"),
                                   ("reversed", "1", "the last cell visited is the window's first")):
        add_file(corpus, f"reduce-window/last_{name}", "s32[5] s32[] -> s32[3]",
                 f"window={{size=3 rhs_reversal={reversal}}}, to_apply=last", ("last", reason, [1, 2, 3, 4, 5], [0]),
                 computations=keep)
        choose = combiner("compare", "s32", "choose", ", direction=GE")
        add_file(corpus, f"select-and-scatter/ties_{name}", "s32[4] s32[2] s32[] -> s32[4]",
                 f"window={{size=2 stride=2 rhs_reversal={reversal}}}, select=choose, scatter=add",
                 ("ties", f"of equal elements the first visited stays: {reason}", [7, 7, 3, 3], [1, 2], [0]),
                 computations=f"{choose}\n\n{combiner('add', 's32')}")


def add_scatters(corpus):
    """Batching dimensions, and several arrays."""
    add_file(corpus, "scatter/batching", "s32[2,3] s32[3,1,2] s32[3,2] -> s32[2,3]",
             "update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
             "input_batching_dims={0}, scatter_indices_batching_dims={2}, index_vector_dim=1, to_apply=add",
             ("turned", "row b of the operand takes the updates [.., b] at the indices [.., 0, b]; one is outside",
              [0] * 6, [0, 2, 0, 1, 5, 1], [1, 10, 2, 20, 4, 40]), computations=combiner("add", "s32"))
    add_file(corpus, "scatter/batching_inside", "s32[2,2,3] s32[2,1] s32[2,2] -> s32[2,2,3]",
             "update_window_dims={1}, inserted_window_dims={2}, scatter_dims_to_operand_dims={2}, "
             "input_batching_dims={1}, scatter_indices_batching_dims={0}, index_vector_dim=1, to_apply=add",
             ("middle", "the second dimension of the operand is that of the batches, not the first",
              [0] * 12, [0, 2], [1, 10, 100, 1000]), computations=combiner("add", "s32"))
    arrays = ["f32[1]", "f32[1]", "s32[2,1]", "f32[2]", "f32[2]"]
    root = ("(f32[1], f32[1]) scatter(a, b, c, d, e), update_window_dims={}, inserted_window_dims={0}, "
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both")
    values = [[LARGE], [LARGE], [0, 0], [1, 1], [1, 1]]
    add_file(corpus, "scatter/sums_side_by_side", arrays, root, ("sums", "each sum is exact and rounded once", *values),
             computations=side_by_side(("add", "add")))
    add_file(corpus, "scatter/sum_and_product", arrays, root,
             ("steps", "beside a product the sum is taken step by step", *values),
             computations=side_by_side(("add", "multiply")))
