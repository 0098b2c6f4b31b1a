"""Several devices: dimensions, groups, pairs, folds and transfers."""

from golden.make.modules import add_file, combiner, entry, numbers, one_instruction
from golden.make.special_numbers import GRADUAL, LEAST, NEAR_TIES, SUMMED_ONCE, TIES, TO_EVEN

ORACLE = "exact arithmetic, XLA:CPU"


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


def file(corpus, path, grid, parameters, body, *cases, computations=()):
    """Adds a file with one module; a case is (name, reason, the arguments of each device in turn)."""
    op = path.split("/")[0]
    lines = [f"  {name} = {shape} parameter({i})" for i, (name, shape) in enumerate(zip("abcdef", parameters))]
    lines += [f"  {line}" for line in body]
    text = "\n\n".join([f"HloModule {op.replace('-', '_')}, {grid}", *computations,
                        "ENTRY main {\n" + "\n".join(lines) + "\n}"])
    kind = parameters[0].split("[")[0]
    case = corpus.file(path, text, f"{op} {kind} level2", ORACLE)
    for name, reason, *devices in cases:
        case(name, reason, *[(shape, value) for device in devices for shape, value in zip(parameters, device)])


def add_ids(corpus):
    """The ids of devices, and collective-permute."""
    text = one_instruction([], "u32[] partition-id()", "HloModule partition_ids, replica_count=2, num_partitions=2")
    case = corpus.file("partition-id/grid", text, "partition-id u32 level2", ORACLE)
    case("grid", "the partition, not the replica")
    text = one_instruction([], "u32[] replica-id()", "HloModule replica_ids, replica_count=2, num_partitions=2")
    case = corpus.file("replica-id/grid", text, "replica-id u32 level2", ORACLE)
    case("grid", "the replica, not the partition")
    text = one_instruction(["s32[2]"], "s32[2] collective-permute(a), source_target_pairs={{0,1},{1,2}}",
                           "HloModule collective_permute_chain, replica_count=3")
    case = corpus.file("collective-permute/chain", text, "collective-permute s32 level2", ORACLE)
    case("no_source", "a device to which nothing is sent has zeros", ("s32[2]", [1, 2]), ("s32[2]", [3, 4]),
         ("s32[2]", [5, 6]))


def add_dimensions(corpus):
    """Gathers and scatters along a dimension between others of the same size."""
    two = [[numbers(8)], [numbers(8, 11)]]
    reason = "along the second of three dimensions of one size"
    file(corpus, "all-gather/s32_middle", "replica_count=2", ["s32[2,2,2]"],
         ["ROOT r = s32[2,4,2] all-gather(a), replica_groups={}, dimensions={1}"], ("middle", reason, *two))
    file(corpus, "reduce-scatter/s32_middle", "replica_count=2", ["s32[2,2,2]"],
         ["ROOT r = s32[2,1,2] reduce-scatter(a), replica_groups={}, dimensions={1}, to_apply=add"],
         ("middle", reason, *two), computations=[combiner("add", "s32")])
    file(corpus, "all-gather-done/s32_odd", "replica_count=2", ["s32[1,3]"],
         ["s = (s32[1,3], s32[2,3]) all-gather-start(a), replica_groups={}, dimensions={0}",
          "ROOT r = s32[2,3] all-gather-done(s)"], ("rows", "an odd number of columns", [numbers(3)], [numbers(3, 4)]))


def add_mixed_types(corpus):
    """Operands of two floating types in one collective."""
    shapes, two = ["f32[1]", "bf16[1]"], [[[1.5], [-2.5]], [[3.25], [4]]]
    gathered, reduced = "(f32[2], bf16[2])", "(f32[1], bf16[1])"
    for op, lines in {
        "all-gather": [f"ROOT r = {gathered} all-gather(a, b), replica_groups={{}}, dimensions={{0}}"],
        "all-gather-start": [f"s = ({reduced}, {gathered}) all-gather-start(a, b), replica_groups={{}}, dimensions={{0}}",
                             f"ROOT r = {gathered} all-gather-done(s)"],
        "collective-permute": [f"ROOT r = {reduced} collective-permute(a, b), source_target_pairs={{{{0,1}},{{1,0}}}}"],
    }.items():
        file(corpus, f"{op}/two_types", "replica_count=2", shapes, lines,
             ("two_types", "an array of f32 beside one of bf16", *two))


def add_modes(corpus):
    """Adds groups of device ids, which differ from groups of replicas with all of their partitions."""
    four = [[numbers(8, 10 * d)] for d in range(4)]
    for op, flat, every in (("all-gather", "s32[4,4]", "s32[8,4]"), ("reduce-scatter", "s32[1,4]", "s32[1,2]")):
        add = [combiner("add", "s32")] if op == "reduce-scatter" else []
        apply = ", to_apply=add" if add else ""
        file(corpus, f"{op}/s32_flat_pairs", "replica_count=2, num_partitions=2", ["s32[2,4]"],
             [f"ROOT r = {flat} {op}(a), channel_id=1, replica_groups={{{{0,2}},{{1,3}}}}, use_global_device_ids=true, "
              f"dimensions={{0}}{apply}"], ("pairs", "the ids are those of devices", *four), computations=add)
        file(corpus, f"{op}/s32_flat_alone", "num_partitions=2", ["s32[2,4]"],
             [f"ROOT r = s32[2,4] {op}(a), channel_id=1, replica_groups={{{{0}},{{1}}}}, use_global_device_ids=true, "
              f"dimensions={{0}}{apply}"], ("alone", "each device is a group", *four[:2]), computations=add)
        if op == "all-gather":
            file(corpus, f"{op}/s32_channel", "replica_count=2, num_partitions=2", ["s32[2,4]"],
                 [f"ROOT r = {every} {op}(a), channel_id=1, replica_groups={{}}, dimensions={{0}}"],
                 ("all", "with a channel the partitions of each replica take part", *four))
        else:
            file(corpus, f"{op}/s32_channel", "replica_count=2, num_partitions=2", ["s32[1,8]"],
                 [f"ROOT r = {every} {op}(a), channel_id=1, replica_groups={{}}, dimensions={{1}}{apply}"],
                 ("all", "with a channel the partitions of each replica take part", *four), computations=add)
    file(corpus, "collective-reduce/s32_flat", "num_partitions=2", ["s32[2]"],
         ["ROOT r = s32[2] collective-reduce(a), channel_id=1, replica_groups={{0},{1}}, use_global_device_ids=true, "
          "to_apply=add"], ("alone", "each device is a group", [[1, 2]], [[30, 40]]),
         computations=[combiner("add", "s32")])


def add_folds(corpus):
    """Adds collective-reduce and all-reduce of numbers that distinguish mutants."""
    def fold(op, name, kind, combine, *devices, reason):
        count = len(devices[0]) // (2 if kind == "c64" else 1)
        file(corpus, f"{op}/{name}", f"replica_count={len(devices)}", [f"{kind}[{count}]"],
             [f"ROOT r = {kind}[{count}] {op}(a), replica_groups={{{{{','.join(map(str, range(len(devices))))}}}}}, "
              f"to_apply={combine}"], ("fold", reason, *[[d] for d in devices]), computations=[combiner(combine, kind)])

    op, digits = "collective-reduce", "more digits than a narrower type has"
    fold(op, "u64_digits", "u64", "add", [2**53 + 1, 2**63], [2**33, 5], reason=digits)
    fold(op, "u64_order", "u64", "maximum", [2**63 + 1, 1], [1, 2**64 - 1], reason="no number is negative")
    fold(op, "u16_wraps", "u16", "add", [65535, 300], [2, 301], reason="sums wrap, past 16 bits and not past 8")
    fold(op, "c64_digits", "c64", "add", [2.0**23 + 1, 4097], [2, -1], reason=digits)
    for name in ("collective-reduce", "all-reduce"):
        fold(name, "f16_once", "f16", "add", *[[n] for n in NEAR_TIES["f16"]], reason=SUMMED_ONCE)
    fold(op, "f16_tie", "f16", "add", *[[n] for n in TIES["f16"]], reason=TO_EVEN)


def add_permutes(corpus):
    """Adds collective-permute, which keeps the bits of its operand."""
    rows = {"f32": [[16777215, -4097], [LEAST["f32"], 3 * LEAST["f32"]]],
            "bf16": [[LEAST["bf16"], 1], [2, -3 * LEAST["bf16"]]],
            "f64": [[LEAST["f64"], 1], [2, -3 * LEAST["f64"]]]}
    for kind, (one, other) in rows.items():
        file(corpus, f"collective-permute/{kind}_numbers", "replica_count=2", [f"{kind}[2]"],
             [f"ROOT r = {kind}[2] collective-permute(a), source_target_pairs={{{{0,1}},{{1,0}}}}"],
             ("kept", "all digits, and " + GRADUAL, [one], [other]))


def add_rows(corpus):
    """Adds ragged-all-to-all with as many rows as places, and a group that does not begin with the first device."""
    shapes = ["s32[2]"] * 6
    root = "ROOT r = s32[2] ragged-all-to-all(a, b, c, d, e, f), replica_groups={{1,0}}"
    file(corpus, "ragged-all-to-all/turned_group", "replica_count=2", shapes, [root],
         ("turned", "the first block is for replica 1, and one number each is sent",
          [[10, 11], [-1, -2], [1, 0], [1, 1], [0, 1], [1, 1]],
          [[20, 21], [-3, -4], [0, 1], [1, 1], [0, 1], [1, 1]]),
         ("small", "the numbers that are sent are places too, and so are those that they replace",
          [[1, 0], [1, 0], [0, 0], [1, 1], [0, 1], [1, 1]], [[0, 1], [1, 0], [0, 0], [1, 1], [0, 1], [1, 1]]))


def add_operand_places(corpus):
    """Permutes and reductions to places that are operands."""

    def file(op, name, header, lines, parameters, reason, *values, blocks=()):
        body = [f"  {n} = {shape} parameter({i})" for i, (n, shape) in enumerate(zip("abcdefgh", parameters))]
        text = "\n\n".join([f"HloModule {op.replace('-', '_')}, {header}", *blocks,
                            "ENTRY main {\n" + "\n".join([*body, *(f"  {line}" for line in lines)]) + "\n}"])
        case = corpus.file(f"{op}/{name}", text, f"{op} s32 level1", "exact arithmetic, XLA:CPU")
        case("devices", reason, *[(shape, v) for device in values for shape, v in zip(parameters, device)])

    starts = ["p = (s32[]) tuple(c)", "q = (s32[]) tuple(d)"]
    file("collective-permute", "in_place", "replica_count=2",
         [*starts, "ROOT r = s32[3] collective-permute(a, b, p, q), source_target_pairs={{0,1}}, slice_sizes={{2}}"],
         ["s32[4]", "s32[3]", "s32[]", "s32[]"],
         "two elements from the sender's start to the receiver's, which is clamped; replica 0 keeps its output",
         ([1, 2, 3, 4], [-1, -2, -3], [1], [0]), ([5, 6, 7, 8], [-5, -6, -7], [0], [9]))
    slices = ["p = (s32[]) tuple(c)", "q = (s32[]) tuple(d)", "x = (s32[4], s32[4]) tuple(a, b)",
              "y = (s32[4], s32[4]) tuple(b, a)", "s = ((s32[]), (s32[])) tuple(p, q)",
              "t = ((s32[]), (s32[])) tuple(q, p)", "u = (((s32[]), (s32[])), ((s32[]), (s32[]))) tuple(s, t)"]
    pairs = "source_target_pairs={{0,1},{1,0},{0,0},{1,1}}, slice_sizes={{1},{2},{2},{1}}"
    for op, lines in [
        ("collective-permute", [f"ROOT r = (s32[4], s32[4]) collective-permute(x, y, u, u), {pairs}"]),
        ("collective-permute-start",
         [f"r = ((s32[4], s32[4]), (s32[4], s32[4]), u32[], u32[]) collective-permute-start(x, y, u, u), {pairs}",
          "ROOT done = (s32[4], s32[4]) collective-permute-done(r)"]),
    ]:
        file(op, "in_place_slices", "replica_count=2", slices + lines, ["s32[4]", "s32[4]", "s32[]", "s32[]"],
             "each device sends two slices of two buffers: the first to the other, the second to itself",
             ([1, 2, 3, 4], [-1, -2, -3, -4], [0], [2]), ([5, 6, 7, 8], [-5, -6, -7, -8], [3], [1]))
    file("collective-reduce", "dynamic_root", "replica_count=3",
         ["ROOT r = s32[2] collective-reduce(a, b), replica_groups={{2,0},{1}}, has_dynamic_root=true, to_apply=add"],
         ["s32[2]", "s32[1]"], "the first device of the group, replica 2, names position 1, which is replica 0",
         ([1, 2], [0]), ([10, 20], [0]), ([100, 200], [1]), blocks=[combiner("add", "s32")])
    for op, line in (("all-reduce", "all-reduce(a), replica_groups={}, to_apply=add"),
                     ("all-gather", "all-gather(a), replica_groups={}, dimensions={0}"),
                     ("all-to-all", "all-to-all(a), replica_groups={{0}}, dimensions={0}"),
                     ("collective-permute", "collective-permute(a), source_target_pairs={}")):
        add_file(corpus, f"{op}/one_device", "s32[2]", f"s32[2] {line}",
                 ("alone", "the only device meets nobody", [3, 4]),
                 computations=combiner("add", "s32") if "to_apply" in line else "")


def add_starts(corpus):
    """Starts of collectives in groups."""
    text = "\n\n".join(["HloModule all_reduce_start_groups, replica_count=4", combiner("add", "s32", "sum"),
                        entry(["s32[2]"], "s32[2] all-reduce-done(s)",
                              body=["s = s32[2] all-reduce-start(a), replica_groups={{0,2},{1,3}}, to_apply=sum"])])
    case = corpus.file("all-reduce-start/s32_groups", text, "all-reduce-start s32 level2", "exact arithmetic, XLA:CPU")
    case("pairs", "only the devices of a group are added", *[("s32[2]", [10**d, -d]) for d in range(4)])
