"""shard_map passes each partition its tile of the whole arrays, and returns whole arrays. Values follow by hand.

By Shardy's description of its shardings, axes shard a dimension from major to minor, a part of an axis is
"axis":(size before it)size, and partitions are the places of the mesh in row-major order.
"""

from spec_tests.tools.command_line import CliTest, each

GRID = 'mesh = #sdy.mesh<["x"=2, "y"=4]>'
ROW = "s32[8] {0, 1, 2, 3, 4, 5, 6, 7}"
HALVES = "{0, 1, 2, 3}", "{4, 5, 6, 7}"
A = "a = s32[8] parameter(0)"


def quoted(text):
    return '"' + text.replace('"', '\\"') + '"'


def module(*instructions, mesh=GRID, header=""):
    meshes = f", frontend_attributes={{xla.sdy.meshes={{{mesh}}}}}" if mesh else ""
    return "\n".join([f"HloModule m{header}{meshes}", "ENTRY e {", *instructions, "}"])


def call(target, operand, shardings, axes='"x", "y"'):
    which = "in" if target == "GlobalToLocalShape" else "out"
    return (f'custom-call({operand}), custom_call_target="xla.sdy.{target}", custom_call_has_side_effect=true, '
            f'frontend_attributes={{xla.sdy.{which}_shardings={quoted(f"#sdy.sharding_per_value<[{shardings}]>")},'
            f'xla.sdy.manual_axes={quoted(f"#sdy<manual_axes{{{axes}}}>")}}}')


def taken(shape, sharding, axes='"x", "y"', **options):
    return module(A, f"ROOT r = {shape} " + call("GlobalToLocalShape", "a", sharding, axes), **options)


def joined(operand, root, sharding, axes='"x", "y"', **options):
    """Returns a module whose operand is made of the number of the partition."""
    whole = f"ROOT r = {root} " + call("LocalToGlobalShape", "a", sharding, axes)
    return module("i = u32[] partition-id()", operand, whole, **options)


MARKS = [f'{b} = s32[8] custom-call({a}), custom_call_target="{target}"'
         for a, b, target in [("a", "b", "Sharding"), ("b", "c", "xla.sdy.FuncResultSharding"),
                              ("c", "d", "xla.sdy.PropagationBarrier")]]
GROUP = 'g = () custom-call(d), custom_call_target="xla.sdy.ShardingGroup", custom_call_has_side_effect=true'
TILES = "sharding={devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"
# Module, further inputs, value on each device.
CASES = {
    "axes from major to minor": (taken("s32[1]", '<@mesh, [{"x", "y"}]>'), [], [f"{{{i}}}" for i in range(8)]),
    # Device (x, y) has tile 2 y + x.
    "axes in the other order": (taken("s32[1]", '<@mesh, [{"y", "x"}]>'), [],
                                [f"{{{2 * y + x}}}" for x in range(2) for y in range(4)]),
    "an axis by which nothing is sharded makes copies": (
        taken("s32[4]", '<@mesh, [{"x"}], replicated={"y"}>'), [], [HALVES[0]] * 4 + [HALVES[1]] * 4),
    "axes that are not manual leave the value whole": (
        taken("s32[4]", '<@mesh, [{"x", "y", ?}p0]>', '"x"'), [], [HALVES[0]] * 4 + [HALVES[1]] * 4),
    # y % 2, and y / 2.
    "the minor half of an axis": (taken("s32[4]", '<@mesh, [{"y":(2)2}]>'), [], [*HALVES] * 4),
    "the major half of an axis": (
        taken("s32[4]", '<@mesh, [{"y":(1)2}]>'), [], [*[HALVES[0]] * 2, *[HALVES[1]] * 2] * 2),
    "the order of devices": (
        taken("s32[4]", '<@mesh, [{"x"}]>', '"x"', mesh='mesh = #sdy.mesh<["x"=2], device_ids=[1, 0]>'), [],
        [*HALVES[::-1]]),
    "the mesh in the sharding": (taken("s32[4]", '<mesh<["x"=2]>, [{"x"}]>', '"x"', mesh=""), [], [*HALVES]),
    # Device (x, y) brings its number; rows are y, columns x.
    "tiles become a whole": (joined("a = u32[1,1] reshape(i)", "u32[4,2]", '<@mesh, [{"y"}, {"x"}]>'), [],
                             ["{ { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } }"] * 8),
    # Each y has the values of its own devices.
    "copies stay apart": (joined("a = u32[1] reshape(i)", "u32[2]", '<@mesh, [{"x"}]>'), [],
                          [f"{{{y}, {y + 4}}}" for y in range(4)] * 2),
    "the first term of a sum is the value": (
        taken("s32[4]", '<@mesh, [{"x"}], unreduced={"y":(1)2}>'), [],
        [half if y < 2 else "{0, 0, 0, 0}" for half in HALVES for y in range(4)]),
    "terms of a sum are added up": (
        joined("a = u32[1] reshape(i)", "u32[2]", '<@mesh, [{"x"}], unreduced={"y"}>'), [], ["{6, 22}"] * 8),
    # Devices y and y + 1 of each x.
    "copies of a sum stay apart": (
        joined("a = u32[1] reshape(i)", "u32[2]", '<@mesh, [{"x"}], unreduced={"y":(2)2}>'), [],
        [*["{1, 9}"] * 2, *["{5, 13}"] * 2] * 2),
    "several values": (
        module(A, "b = s32[] parameter(1)",
               "ROOT r = (s32[2], s32[]) " + call("GlobalToLocalShape", "a, b", '<@mesh, [{"y"}]>, <@mesh, []>')),
        ["s32[] 9"], [f"( {{{2 * y}, {2 * y + 1}}}, 9 )" for y in range(4)] * 2),
    "replicas have meshes of their own": (
        joined("j = u32[] replica-id()\nt = u32[] constant(10)\nk = u32[] multiply(j, t)\nl = u32[] add(k, i)\n"
               "a = u32[1] reshape(l)", "u32[2]", '<@mesh, [{"x"}]>', '"x"', mesh='mesh = #sdy.mesh<["x"=2]>',
               header=", replica_count=2, num_partitions=2"), [], ["{0, 1}"] * 2 + ["{10, 11}"] * 2),
    "marks are their operand": (module(A, *MARKS, GROUP, "ROOT r = s32[8] negate(d)"), [],
                                ["{0, -1, -2, -3, -4, -5, -6, -7}"]),
    # Tile t is on devices t and t + 4.
    "tiles of XLA": (module(
        A, f's = s32[8] custom-call(a), custom_call_target="Sharding", {TILES}',
        'l = s32[2] custom-call(s), custom_call_target="SPMDFullToShardShape", sharding={manual}',
        "i = u32[] partition-id()", "j = s32[] convert(i)", "k = s32[2] broadcast(j), dimensions={}",
        "n = s32[2] add(l, k)", 'm = s32[2] custom-call(n), custom_call_target="Sharding", sharding={manual}',
        f'ROOT r = s32[8] custom-call(m), custom_call_target="SPMDShardToFullShape", {TILES}',
        mesh="", header=", num_partitions=8"), [],
        ["{0, 1, 3, 4, 6, 7, 9, 10}"] * 4 + ["{4, 5, 7, 8, 10, 11, 13, 14}"] * 4),
    # Devices 4 t to 4 t + 3 hold tile t: two copies of two terms each.
    "terms of XLA": (module(
        "i = u32[] partition-id()", "a = u32[1] reshape(i)",
        'ROOT r = u32[2] custom-call(a), custom_call_target="SPMDShardToFullShape", '
        "sharding={devices=[2,2,2]<=[8] last_tile_dims={unreduced, replicated}}", mesh="", header=", num_partitions=8"),
        [], ["{2, 10}", "{4, 12}"] * 4),
    "terms of XLA's mesh": (module(
        "i = u32[] partition-id()", "a = u32[1] reshape(i)",
        'ROOT r = u32[2] custom-call(a), custom_call_target="SPMDShardToFullShape", '
        "sharding={mesh['x'=2,'y'=4], [{'x'}], unreduced={'y'}}", mesh="", header=", num_partitions=8"),
        [], ["{6, 22}"] * 8),
}
PLAIN = 'ROOT r = s32[4] custom-call(a), custom_call_target="{}"'
# Module, options, message.
REFUSED = [
    (taken("s32[4]", '<@mesh, [{"x"}]>', mesh=""), [], "the mesh @mesh is lost"),
    (taken("s32[2]", '<@mesh, [{"x"}]>'), [], "2 tiles of s32[2] do not make s32[8]"),
    (taken("s32[4]", '<@mesh, [{"x"}]>'), ["--partitions", 4], "its mesh has 8 devices, the module 4 partitions"),
    (taken("s32[4]", '<@mesh, [{}], unreduced=max{"x"}>'), [], "expected { at 'max"),
    (taken("s32[4]", '<@mesh, [{"x", "x"}]>'), [], "some tiles have more devices than others"),
    (module(A, PLAIN.format("xla.sdy.GlobalToLocalShape")), [], "are lost"),
    (module(A, PLAIN.format("SPMDFullToShardShape")), [], "the sharding of a is lost"),
]


class ShardMaps(CliTest):
    @each(CASES)
    def test_values(self, text, further, values):
        inputs = [word for value in [ROW, *further] for word in ("--input", value)] if A in text else []
        self.assertEqual(self.assay("run", "-", *inputs, stdin=text, code=0).stdout.split("\n")[:-1], values)

    def test_seeded_inputs_are_the_same_on_every_device(self):
        text = module(A, "ROOT r = s32[8] negate(a)", header=", num_partitions=2")
        self.assertEqual(len(set(self.assay("run", "-", stdin=text, code=0).stdout.split("\n")[:-1])), 1)

    @each(REFUSED)
    def test_tiles_that_make_no_whole_array_are_refused(self, text, options, message):
        ran = self.assert_fails(2, message, "run", "-", "--input", ROW, *options, stdin=text)
        self.assertIn("lower(...).as_text()", ran.stderr)

    def test_the_module_prints_as_it_was_written(self):
        printed = self.assay("print", "-", stdin=taken("s32[4]", '<@mesh, [{"x"}]>'), code=0)
        self.assertIn("xla.sdy.GlobalToLocalShape", printed.stdout)
