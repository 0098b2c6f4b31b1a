"""shard_map passes each partition its tile of the whole arrays, and returns whole arrays. Values follow by hand.

By Shardy's description of its shardings, axes shard a dimension from major to minor, a part of an axis is
"axis":(size before it)size, and partitions are the places of the mesh in row-major order.
"""

import os
import subprocess
import unittest

ASSAY = os.environ["ASSAY"]
GRID = 'mesh = #sdy.mesh<["x"=2, "y"=4]>'
ROW = "s32[8] {0, 1, 2, 3, 4, 5, 6, 7}"


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
    return module("a = s32[8] parameter(0)", f"ROOT r = {shape} " + call("GlobalToLocalShape", "a", sharding, axes),
                  **options)


def run(text, *values, flags=()):
    inputs = [argument for value in values for argument in ("--input", value)]
    return subprocess.run([ASSAY, "run", "-", *inputs, *flags], input=text, capture_output=True, text=True)


class ShardMaps(unittest.TestCase):
    def assert_runs(self, ran, values):
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout.split("\n")[:-1], values)

    def test_axes_from_major_to_minor(self):
        self.assert_runs(run(taken("s32[1]", '<@mesh, [{"x", "y"}]>'), ROW), [f"{{{i}}}" for i in range(8)])
        # Device (x, y) has tile 2 y + x.
        self.assert_runs(run(taken("s32[1]", '<@mesh, [{"y", "x"}]>'), ROW),
                         [f"{{{2 * y + x}}}" for x in range(2) for y in range(4)])

    def test_an_axis_of_which_nothing_is_sharded_gives_copies(self):
        self.assert_runs(run(taken("s32[4]", '<@mesh, [{"x"}], replicated={"y"}>'), ROW),
                         ["{0, 1, 2, 3}"] * 4 + ["{4, 5, 6, 7}"] * 4)

    def test_axes_that_are_not_manual_leave_the_value_whole(self):
        self.assert_runs(run(taken("s32[4]", '<@mesh, [{"x", "y", ?}p0]>', '"x"'), ROW),
                         ["{0, 1, 2, 3}"] * 4 + ["{4, 5, 6, 7}"] * 4)

    def test_a_part_of_an_axis(self):
        # The minor half of y: y % 2.
        self.assert_runs(run(taken("s32[4]", '<@mesh, [{"y":(2)2}]>'), ROW), ["{0, 1, 2, 3}", "{4, 5, 6, 7}"] * 4)
        # The major half: y / 2.
        self.assert_runs(run(taken("s32[4]", '<@mesh, [{"y":(1)2}]>'), ROW),
                         (["{0, 1, 2, 3}"] * 2 + ["{4, 5, 6, 7}"] * 2) * 2)

    def test_the_order_of_devices(self):
        mesh = 'mesh = #sdy.mesh<["x"=2], device_ids=[1, 0]>'
        self.assert_runs(run(taken("s32[4]", '<@mesh, [{"x"}]>', '"x"', mesh=mesh), ROW),
                         ["{4, 5, 6, 7}", "{0, 1, 2, 3}"])

    def test_the_mesh_in_the_sharding(self):
        self.assert_runs(run(taken("s32[4]", '<mesh<["x"=2]>, [{"x"}]>', '"x"', mesh=""), ROW),
                         ["{0, 1, 2, 3}", "{4, 5, 6, 7}"])

    def test_tiles_become_a_whole(self):
        # Device (x, y) brings its number; rows are y, columns x.
        text = module("i = u32[] partition-id()", "a = u32[1,1] reshape(i)",
                      "ROOT r = u32[4,2] " + call("LocalToGlobalShape", "a", '<@mesh, [{"y"}, {"x"}]>'))
        self.assert_runs(run(text), ["{ { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } }"] * 8)

    def test_copies_stay_apart(self):
        # Each y has the values of its own devices.
        text = module("i = u32[] partition-id()", "a = u32[1] reshape(i)",
                      "ROOT r = u32[2] " + call("LocalToGlobalShape", "a", '<@mesh, [{"x"}]>'))
        self.assert_runs(run(text), [f"{{{y}, {y + 4}}}" for y in range(4)] * 2)

    def test_several_values(self):
        text = module("a = s32[8] parameter(0)", "b = s32[] parameter(1)",
                      "ROOT r = (s32[2], s32[]) " + call("GlobalToLocalShape", "a, b", '<@mesh, [{"y"}]>, <@mesh, []>'))
        self.assert_runs(run(text, ROW, "s32[] 9"), [f"( {{{2 * y}, {2 * y + 1}}}, 9 )" for y in range(4)] * 2)

    def test_replicas_have_meshes_of_their_own(self):
        text = module("i = u32[] replica-id()", "j = u32[] partition-id()", "t = u32[] constant(10)",
                      "k = u32[] multiply(i, t)", "l = u32[] add(k, j)", "a = u32[1] reshape(l)",
                      "ROOT r = u32[2] " + call("LocalToGlobalShape", "a", '<@mesh, [{"x"}]>', '"x"'),
                      mesh='mesh = #sdy.mesh<["x"=2]>', header=", replica_count=2, num_partitions=2")
        self.assert_runs(run(text), ["{0, 1}"] * 2 + ["{10, 11}"] * 2)

    def test_marks_are_their_operand(self):
        marks = [f'{b} = s32[8] custom-call({a}), custom_call_target="{target}"'
                 for a, b, target in [("a", "b", "Sharding"), ("b", "c", "xla.sdy.FuncResultSharding"),
                                      ("c", "d", "xla.sdy.PropagationBarrier")]]
        group = '() custom-call(d), custom_call_target="xla.sdy.ShardingGroup", custom_call_has_side_effect=true'
        text = module("a = s32[8] parameter(0)", *marks, "g = " + group, "ROOT r = s32[8] negate(d)")
        self.assert_runs(run(text, ROW), ["{0, -1, -2, -3, -4, -5, -6, -7}"])

    def test_tiles_of_xla(self):
        tiles = "sharding={devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"
        text = module("a = s32[8] parameter(0)", f's = s32[8] custom-call(a), custom_call_target="Sharding", {tiles}',
                      'l = s32[2] custom-call(s), custom_call_target="SPMDFullToShardShape", sharding={manual}',
                      "i = u32[] partition-id()", "j = s32[] convert(i)", "k = s32[2] broadcast(j), dimensions={}",
                      "n = s32[2] add(l, k)", 'm = s32[2] custom-call(n), custom_call_target="Sharding", sharding={manual}',
                      f'ROOT r = s32[8] custom-call(m), custom_call_target="SPMDShardToFullShape", {tiles}',
                      mesh="", header=", num_partitions=8")
        # Tile t is on devices t and t + 4.
        self.assert_runs(run(text, ROW), ["{0, 1, 3, 4, 6, 7, 9, 10}"] * 4 + ["{4, 5, 7, 8, 10, 11, 13, 14}"] * 4)

    def test_seeded_inputs_are_the_same_on_every_device(self):
        text = module("a = s32[8] parameter(0)", "ROOT r = s32[8] negate(a)", header=", num_partitions=2")
        self.assertEqual(len(set(run(text).stdout.split("\n")[:-1])), 1)

    def assert_refused(self, text, *words, flags=()):
        ran = run(text, ROW, flags=flags)
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
        for word in (*words, "lower(...).as_text()"):
            self.assertIn(word, ran.stderr)

    def test_tiles_that_make_no_whole_array_are_refused(self):
        sharding = '<@mesh, [{"x"}]>'
        self.assert_refused(taken("s32[4]", sharding, mesh=""), "the mesh @mesh is lost")
        self.assert_refused(taken("s32[2]", sharding), "2 tiles of s32[2] do not make s32[8]")
        self.assert_refused(taken("s32[4]", sharding), "its mesh has 8 devices, the module 4 partitions",
                            flags=("--partitions", "4"))
        self.assert_refused(taken("s32[8]", '<@mesh, [{}], unreduced={"x"}>').replace("r = s32[8]", "r = s32[4]"),
                            "unreduced")
        self.assert_refused(taken("s32[4]", '<@mesh, [{"x", "x"}]>'), "some tiles have more devices than others")
        plain = 'ROOT r = s32[4] custom-call(a), custom_call_target="{}"'
        self.assert_refused(module("a = s32[8] parameter(0)", plain.format("xla.sdy.GlobalToLocalShape")), "are lost")
        self.assert_refused(module("a = s32[8] parameter(0)", plain.format("SPMDFullToShardShape")),
                            "the sharding of a is lost")

    def test_the_module_prints_as_it_was_written(self):
        text = taken("s32[4]", '<@mesh, [{"x"}]>')
        printed = subprocess.run([ASSAY, "print", "-"], input=text, capture_output=True, text=True).stdout
        self.assertIn("xla.sdy.GlobalToLocalShape", printed)
