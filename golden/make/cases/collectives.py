"""Several devices: dimensions, groups, pairs, folds and transfers."""

from golden.make.modules import add_file, combiner, numbers
from golden.make.special_numbers import DIGITS, GRADUAL, LEAST, NEAR_TIES, SUMMED_ONCE, TIES, TO_EVEN

ORACLE = "exact arithmetic, XLA:CPU"
TWO = {"devices": "replica_count=2", "tags": "level2", "oracle": ORACLE}
GRID = TWO | {"devices": "replica_count=2, num_partitions=2"}


def add_to(corpus):
    """Adds all files of this module."""
    add_ids(corpus)
    add_dimensions(corpus)
    add_mixed_types(corpus)
    add_modes(corpus)
    add_folds(corpus)
    add_permutes(corpus)
    add_rows(corpus)
    add_operand_places(corpus)
    add_starts(corpus)


def add_ids(corpus):
    """The ids of devices, and collective-permute."""
    for op, reason in (("partition-id", "the partition, not the replica"),
                       ("replica-id", "the replica, not the partition")):
        add_file(corpus, f"{op}/grid", "-> u32[]", "", ("grid", reason), header=f"{op.replace('-', '_')}s", **GRID)
    add_file(corpus, "collective-permute/chain", "s32[2] -> s32[2]", "source_target_pairs={{0,1},{1,2}}",
             ("no_source", "a device to which nothing is sent has zeros", [1, 2], [3, 4], [5, 6]),
             header="collective_permute_chain", **(TWO | {"devices": "replica_count=3"}))


def add_dimensions(corpus):
    """Gathers and scatters along a dimension between others of the same size."""
    case = "middle", "along the second of three dimensions of one size", numbers(8), numbers(8, 11)
    add_file(corpus, "all-gather/s32_middle", "s32[2,2,2] -> s32[2,4,2]", "replica_groups={}, dimensions={1}", case,
             **TWO)
    add_file(corpus, "reduce-scatter/s32_middle", "s32[2,2,2] -> s32[2,1,2]",
             "replica_groups={}, dimensions={1}, to_apply=add", case, computations=combiner("add", "s32"), **TWO)
    add_file(corpus, "all-gather-done/s32_odd", "s32[1,3]", "s32[2,3] all-gather-done(s)",
             ("rows", "an odd number of columns", numbers(3), numbers(3, 4)),
             body=["s = (s32[1,3], s32[2,3]) all-gather-start(a), replica_groups={}, dimensions={0}"], **TWO)


def add_mixed_types(corpus):
    """Operands of two floating types in one collective."""
    case = "two_types", "an array of f32 beside one of bf16", [1.5], [-2.5], [3.25], [4]
    gathered, reduced = "(f32[2], bf16[2])", "(f32[1], bf16[1])"
    add_file(corpus, "all-gather/two_types", f"f32[1] bf16[1] -> {gathered}", "replica_groups={}, dimensions={0}", case,
             **TWO)
    start = f"s = ({reduced}, {gathered}) all-gather-start(a, b), replica_groups={{}}, dimensions={{0}}"
    add_file(corpus, "all-gather-start/two_types", "f32[1] bf16[1]", f"{gathered} all-gather-done(s)", case,
             body=[start], **TWO)
    add_file(corpus, "collective-permute/two_types", f"f32[1] bf16[1] -> {reduced}",
             "source_target_pairs={{0,1},{1,0}}", case, **TWO)


def add_modes(corpus):
    """Adds groups of device ids, which differ from groups of replicas with all of their partitions."""
    four = [numbers(8, 10 * d) for d in range(4)]
    flat = "channel_id=1, replica_groups={}, use_global_device_ids=true, dimensions={{0}}{}"
    for op, pairs, every in (("all-gather", "s32[4,4]", "s32[2,4] -> s32[8,4]"),
                             ("reduce-scatter", "s32[1,4]", "s32[1,8] -> s32[1,2]")):
        folds = op == "reduce-scatter"
        add, apply = (combiner("add", "s32"), ", to_apply=add") if folds else ("", "")
        add_file(corpus, f"{op}/s32_flat_pairs", f"s32[2,4] -> {pairs}", flat.format("{{0,2},{1,3}}", apply),
                 ("pairs", "the ids are those of devices", *four), computations=add, **GRID)
        add_file(corpus, f"{op}/s32_flat_alone", "s32[2,4] -> s32[2,4]", flat.format("{{0},{1}}", apply),
                 ("alone", "each device is a group", *four[:2]), computations=add,
                 **(TWO | {"devices": "num_partitions=2"}))
        add_file(corpus, f"{op}/s32_channel", every,
                 f"channel_id=1, replica_groups={{}}, dimensions={{{int(folds)}}}{apply}",
                 ("all", "with a channel the partitions of each replica take part", *four), computations=add, **GRID)
    add_file(corpus, "collective-reduce/s32_flat", "s32[2] -> s32[2]",
             "channel_id=1, replica_groups={{0},{1}}, use_global_device_ids=true, to_apply=add",
             ("alone", "each device is a group", [1, 2], [30, 40]), computations=combiner("add", "s32"),
             **(TWO | {"devices": "num_partitions=2"}))


def add_folds(corpus):
    """Adds collective-reduce and all-reduce of numbers that distinguish mutants."""
    def fold(op, name, kind, combine, *devices, reason):
        count = len(devices[0]) // (2 if kind == "c64" else 1)
        group = ",".join(map(str, range(len(devices))))
        add_file(corpus, f"{op}/{name}", f"{kind}[{count}] -> {kind}[{count}]",
                 f"replica_groups={{{{{group}}}}}, to_apply={combine}", ("fold", reason, *devices),
                 computations=combiner(combine, kind), **(TWO | {"devices": f"replica_count={len(devices)}"}))

    op = "collective-reduce"
    fold(op, "u64_digits", "u64", "add", [2**53 + 1, 2**63], [2**33, 5], reason=DIGITS)
    fold(op, "u64_order", "u64", "maximum", [2**63 + 1, 1], [1, 2**64 - 1], reason="no number is negative")
    fold(op, "u16_wraps", "u16", "add", [65535, 300], [2, 301], reason="sums wrap, past 16 bits and not past 8")
    fold(op, "c64_digits", "c64", "add", [2.0**23 + 1, 4097], [2, -1], reason=DIGITS)
    for name in ("collective-reduce", "all-reduce"):
        fold(name, "f16_once", "f16", "add", *[[n] for n in NEAR_TIES["f16"]], reason=SUMMED_ONCE)
    fold(op, "f16_tie", "f16", "add", *[[n] for n in TIES["f16"]], reason=TO_EVEN)


def add_permutes(corpus):
    """Adds collective-permute, which keeps the bits of its operand."""
    rows = {"f32": [[16777215, -4097], [LEAST["f32"], 3 * LEAST["f32"]]],
            "bf16": [[LEAST["bf16"], 1], [2, -3 * LEAST["bf16"]]],
            "f64": [[LEAST["f64"], 1], [2, -3 * LEAST["f64"]]]}
    for kind, values in rows.items():
        add_file(corpus, f"collective-permute/{kind}_numbers", f"{kind}[2] -> {kind}[2]",
                 "source_target_pairs={{0,1},{1,0}}", ("kept", "all digits, and " + GRADUAL, *values), **TWO)


def add_rows(corpus):
    """Adds ragged-all-to-all with as many rows as places, and a group that does not begin with the first device."""
    add_file(corpus, "ragged-all-to-all/turned_group", "s32[2] s32[2] s32[2] s32[2] s32[2] s32[2] -> s32[2]",
             "replica_groups={{1,0}}",
             ("turned", "the first block is for replica 1, and one number each is sent",
              [10, 11], [-1, -2], [1, 0], [1, 1], [0, 1], [1, 1], [20, 21], [-3, -4], [0, 1], [1, 1], [0, 1], [1, 1]),
             ("small", "the numbers that are sent are places too, and so are those that they replace",
              [1, 0], [1, 0], [0, 0], [1, 1], [0, 1], [1, 1], [0, 1], [1, 0], [0, 0], [1, 1], [0, 1], [1, 1]), **TWO)


def add_operand_places(corpus):
    """Permutes and reductions to places that are operands."""
    two = {"devices": "replica_count=2", "oracle": ORACLE}
    starts = ["p = (s32[]) tuple(c)", "q = (s32[]) tuple(d)"]
    add_file(corpus, "collective-permute/in_place", "s32[4] s32[3] s32[] s32[]",
             "s32[3] collective-permute(a, b, p, q), source_target_pairs={{0,1}}, slice_sizes={{2}}",
             ("devices",
              "two elements from the sender's start to the receiver's, which is clamped; replica 0 keeps its output",
              [1, 2, 3, 4], [-1, -2, -3], [1], [0], [5, 6, 7, 8], [-5, -6, -7], [0], [9]), body=starts, **two)
    slices = [*starts, "x = (s32[4], s32[4]) tuple(a, b)", "y = (s32[4], s32[4]) tuple(b, a)",
              "s = ((s32[]), (s32[])) tuple(p, q)", "t = ((s32[]), (s32[])) tuple(q, p)",
              "u = (((s32[]), (s32[])), ((s32[]), (s32[]))) tuple(s, t)"]
    rest = "(x, y, u, u), source_target_pairs={{0,1},{1,0},{0,0},{1,1}}, slice_sizes={{1},{2},{2},{1}}"
    case = ("devices", "each device sends two slices of two buffers: the first to the other, the second to itself",
            [1, 2, 3, 4], [-1, -2, -3, -4], [0], [2], [5, 6, 7, 8], [-5, -6, -7, -8], [3], [1])
    add_file(corpus, "collective-permute/in_place_slices", "s32[4] s32[4] s32[] s32[]",
             f"(s32[4], s32[4]) collective-permute{rest}", case, body=slices, **two)
    start = f"r = ((s32[4], s32[4]), (s32[4], s32[4]), u32[], u32[]) collective-permute-start{rest}"
    add_file(corpus, "collective-permute-start/in_place_slices", "s32[4] s32[4] s32[] s32[]",
             "(s32[4], s32[4]) collective-permute-done(r)", case, body=[*slices, start], root_name="done", **two)
    add_file(corpus, "collective-reduce/dynamic_root", "s32[2] s32[1] -> s32[2]",
             "replica_groups={{2,0},{1}}, has_dynamic_root=true, to_apply=add",
             ("devices", "the first device of the group, replica 2, names position 1, which is replica 0",
              [1, 2], [0], [10, 20], [0], [100, 200], [1]), computations=combiner("add", "s32"),
             **(two | {"devices": "replica_count=3"}))
    for op, rest in (("all-reduce", "replica_groups={}, to_apply=add"),
                     ("all-gather", "replica_groups={}, dimensions={0}"),
                     ("all-to-all", "replica_groups={{0}}, dimensions={0}"),
                     ("collective-permute", "source_target_pairs={}")):
        add_file(corpus, f"{op}/one_device", "s32[2] -> s32[2]", rest,
                 ("alone", "the only device meets nobody", [3, 4]),
                 computations=combiner("add", "s32") if "to_apply" in rest else "")


def add_starts(corpus):
    """Starts of collectives in groups."""
    add_file(corpus, "all-reduce-start/s32_groups", "s32[2]", "s32[2] all-reduce-done(s)",
             ("pairs", "only the devices of a group are added", *[[10**d, -d] for d in range(4)]),
             header="all_reduce_start_groups", computations=combiner("add", "s32", "sum"),
             body=["s = s32[2] all-reduce-start(a), replica_groups={{0,2},{1,3}}, to_apply=sum"],
             **(TWO | {"devices": "replica_count=4"}))
