"""Collectives on grids of devices against numpy formulas written from the specification, and against XLA:CPU running on
as many host devices.
"""

import importlib.util
import json
import subprocess
import tempfile
import unittest

import numpy as np
from on_devices import ADD, ASSAY, from_json, run

from spec_tests.nightly import is_nightly

HAS_XLA = importlib.util.find_spec("jaxlib") is not None


class Grid:
    """replicas x partitions, and the devices that the ids of a mode denote."""

    def __init__(self, replicas, partitions):
        self.replicas, self.partitions = replicas, partitions
        self.devices = [(r, p) for r in range(replicas) for p in range(partitions)]

    def ids(self, mode):
        return {
            "cross_replica": self.replicas,
            "cross_partition": self.partitions,
            "cross_replica_and_partition": self.replicas,
            "flattened_id": self.replicas * self.partitions,
        }[mode]

    def id_of(self, mode, device):
        r, p = device
        return {"cross_partition": p, "flattened_id": r * self.partitions + p}.get(mode, r)

    def expand(self, mode, ids, device):
        """Returns the devices that a group of ids stands for, seen from one of them."""
        r, p = device
        if mode == "cross_replica":
            return [(i, p) for i in ids]
        if mode == "cross_partition":
            return [(r, i) for i in ids]
        if mode == "flattened_id":
            return [divmod(i, self.partitions) for i in ids]
        return [(i, q) for i in ids for q in range(self.partitions)]


def attributes(mode, groups, channel):
    text = "replica_groups={" + ",".join("{" + ",".join(map(str, g)) + "}" for g in groups) + "}"
    if mode != "cross_replica":
        text += f", channel_id={channel}"
    if mode == "flattened_id":
        text += ", use_global_device_ids=true"
    return text


def group_choices(count, mode):
    """Groups of equal size that name every id."""
    choices = [[list(range(count))], [list(reversed(range(count)))]]
    if count > 2:
        choices.append([list(range(k, count, 2)) for k in range(2)])
        choices.append([[k, k + 1] for k in range(0, count, 2)])
    if mode != "flattened_id":
        choices.append([])
    return choices


class Program:
    """One module of many collectives on x = s32[8,16] and f = f32[8], and the expected result of each."""

    def __init__(self, grid, x, f):
        self.grid, self.x, self.f = grid, x, f
        self.lines, self.results, self.expected = [], [], []
        self.channel = 0

    def participants(self, mode, groups, device):
        me = self.grid.id_of(mode, device)
        groups = groups or [list(range(self.grid.ids(mode)))]
        mine = [g for g in groups if me in g]
        return self.grid.expand(mode, mine[0], device) if mine else []

    def add(self, mode, groups, shape, text, formula):
        """formula(xs, fs, k): the value on the k-th participant."""
        self.channel += 1
        name = f"value{len(self.results)}"
        self.lines.append(f"{name} = {shape} {text.format(a=attributes(mode, groups, self.channel), name=name)}")
        values = {}
        for device in self.grid.devices:
            group = self.participants(mode, groups, device)
            k = group.index(device) if group else None
            values[device] = formula([self.x[d] for d in group], [self.f[d] for d in group], k, device)
        self.results.append((name, shape))
        self.expected.append(values)

    def add_all(self, mode, groups):
        count = len(self.participants(mode, groups, self.grid.devices[0]))
        columns = 16 // count
        self.add(mode, groups, "s32[8,16]", "all-reduce(x), {a}, to_apply=add", lambda xs, fs, k, d: sum(xs))
        self.add(mode, groups, "s32[8,16]", "all-reduce(x), {a}, to_apply=maximum",
                 lambda xs, fs, k, d: np.maximum.reduce(xs))
        self.add(mode, groups, "f32[8]", "all-reduce(f), {a}, to_apply=add_f32", lambda xs, fs, k, d: sum(fs))
        self.add(mode, groups, f"s32[{8 * count},16]", "all-gather(x), {a}, dimensions={{0}}",
                 lambda xs, fs, k, d: np.concatenate(xs, 0))
        self.add(mode, groups, f"s32[8,{16 * count}]", "all-gather(x), {a}, dimensions={{1}}",
                 lambda xs, fs, k, d: np.concatenate(xs, 1))
        self.add(mode, groups, f"s32[8,{columns}]", "reduce-scatter(x), {a}, dimensions={{1}}, to_apply=add",
                 lambda xs, fs, k, d: sum(xs)[:, k * columns : (k + 1) * columns])
        self.add(mode, groups, "s32[8,16]",
                 "all-reduce-start(x), {a}, to_apply=add\n  {name}_done = s32[8,16] all-reduce-done({name})",
                 lambda xs, fs, k, d: sum(xs))
        self.results[-1] = (self.results[-1][0] + "_done", "s32[8,16]")
        self.add(mode, groups, f"(s32[8,16], s32[{8 * count},16])",
                 f"all-gather-start(x), {{a}}, dimensions={{{{0}}}}\n  "
                 f"{{name}}_done = s32[{8 * count},16] all-gather-done({{name}})",
                 lambda xs, fs, k, d: np.concatenate(xs, 0))
        self.results[-1] = (self.results[-1][0] + "_done", f"s32[{8 * count},16]")

    def add_exchanges(self, mode, groups):
        """Ops whose channel means partitions."""
        count = len(self.participants(mode, groups, self.grid.devices[0]))
        columns = 16 // count
        self.add(mode, groups, "s32[8,16]", "all-to-all(x), {a}, dimensions={{1}}",
                 lambda xs, fs, k, d: np.concatenate([x[:, k * columns : (k + 1) * columns] for x in xs], 1))

    def add_broadcast(self, mode, groups):
        self.add(mode, groups, "s32[8,16]", "collective-broadcast(x), {a}", lambda xs, fs, k, d: xs[0])

    def add_permute(self, mode, pairs):
        self.channel += 1
        text = "source_target_pairs={" + ",".join(f"{{{s},{t}}}" for s, t in pairs) + "}"
        text += f", channel_id={self.channel}" if mode == "cross_partition" else ""
        name = f"value{len(self.results)}"
        self.lines.append(f"{name} = s32[8,16] collective-permute(x), {text}")
        self.results.append((name, "s32[8,16]"))
        values = {}
        for device in self.grid.devices:
            sources = [s for s, t in pairs if t == self.grid.id_of(mode, device)]
            values[device] = self.x[self.grid.expand(mode, sources, device)[0]] if sources else 0 * self.x[device]
        self.expected.append(values)

    def text(self):
        shapes = ", ".join(shape for _, shape in self.results)
        names = ", ".join(name for name, _ in self.results)
        lines = "\n  ".join(self.lines)
        return f"""HloModule m
{ADD}
ENTRY e {{
  x = s32[8,16] parameter(0)
  f = f32[8] parameter(1)
  {lines}
  ROOT t = ({shapes}) tuple({names})
}}
"""


GRIDS = [(2, 1), (1, 2), (4, 1), (2, 2), (1, 4), (8, 1), (4, 2), (2, 4), (1, 8)]


class Collectives(unittest.TestCase):
    def program(self, replicas, partitions, for_xla=False):
        grid = Grid(replicas, partitions)
        random = np.random.default_rng(100 * replicas + partitions)
        x = {d: random.integers(-100, 100, (8, 16), np.int32) for d in grid.devices}
        f = {d: random.integers(-100, 100, 8).astype(np.float32) for d in grid.devices}
        program = Program(grid, x, f)
        for mode in ["cross_replica", "cross_replica_and_partition", "flattened_id"]:
            for groups in group_choices(grid.ids(mode), mode):
                program.add_all(mode, groups)
        for mode in ["cross_replica", "cross_partition"]:
            count = grid.ids(mode)
            for groups in group_choices(count, mode):
                # StableHLO, through which XLA:CPU is reached, has no all-to-all without groups, and XLA:CPU no
                # collective-broadcast.
                if groups or not for_xla:
                    program.add_exchanges(mode, groups)
                if not for_xla:
                    program.add_broadcast(mode, groups)
            program.add_permute(mode, [(i, (i + 1) % count) for i in range(count)])
            program.add_permute(mode, [(0, count - 1)])
        return program

    def check(self, program, *flags):
        grid = program.grid
        inputs = [[program.x[d], program.f[d]] for d in grid.devices]
        ran = run(program.text(), *flags, inputs=inputs, replicas=grid.replicas, partitions=grid.partitions)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        outputs = [from_json(value) for value in json.loads(ran.stdout)["outputs"]]
        self.assertEqual(len(outputs), len(grid.devices))
        for device, results in zip(grid.devices, outputs):
            for line, got, expected in zip(program.lines, results, program.expected):
                np.testing.assert_array_equal(got, expected[device], f"{device}: {line}", strict=True)

    def test_every_group_mode_equals_the_formula(self):
        for replicas, partitions in GRIDS:
            with self.subTest(replicas=replicas, partitions=partitions):
                self.check(self.program(replicas, partitions))

    @unittest.skipUnless(HAS_XLA, "no jaxlib here; tools/dev installs it")
    def test_every_group_mode_equals_xla_on_as_many_devices(self):
        grids = GRIDS if is_nightly("group modes on XLA:CPU on all grids of devices") else [(2, 4)]
        for replicas, partitions in grids:
            with self.subTest(replicas=replicas, partitions=partitions):
                self.check(self.program(replicas, partitions, for_xla=True), "--backend", "xla-cpu")

    def outputs(self, text, inputs=None, **grid):
        ran = run(text, inputs=inputs, **grid)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [from_json(value) for value in json.loads(ran.stdout)["outputs"]]

    def each_device(self, line, rows, more="", **grid):
        """Returns the values of one instruction on s32 rows x, one a device."""
        columns = len(rows[0])
        text = f"HloModule m\n{ADD}{more}\nENTRY e {{ x = s32[{columns}] parameter(0)\n {line}\n}}"
        return self.outputs(text, [[np.array(row, np.int32)] for row in rows], **grid)

    def test_the_specifications_examples(self):
        # AllGather and AllReduce: [1.0, 2.5] and [3.0, 5.25] on two replicas.
        inputs = [[np.array([1.0, 2.5], np.float32)], [np.array([3.0, 5.25], np.float32)]]
        head = f"HloModule m\n{ADD}\nENTRY e {{ x = f32[2] parameter(0)\n"
        gathered = "ROOT r = f32[4] all-gather(x), replica_groups={}, dimensions={0} }"
        reduced = "ROOT r = f32[2] all-reduce(x), replica_groups={}, to_apply=add_f32 }"
        for device in self.outputs(head + gathered, inputs, replicas=2):
            np.testing.assert_array_equal(device, [1.0, 2.5, 3.0, 5.25])
        for device in self.outputs(head + reduced, inputs, replicas=2):
            np.testing.assert_array_equal(device, [4.0, 7.75])
        # ReduceScatter: of [1.0, 2.25] and [3.0, 5.25] the first has [4.0], the second [7.5].
        scattered = "ROOT r = f32[1] reduce-scatter(x), replica_groups={}, dimensions={0}, to_apply=add_f32 }"
        inputs = [[np.array([1.0, 2.25], np.float32)], [np.array([3.0, 5.25], np.float32)]]
        np.testing.assert_array_equal(self.outputs(head + scattered, inputs, replicas=2), [[4.0], [7.5]])

    def test_members_of_a_group_are_ordered_by_replica_then_by_partition(self):
        # The order is XLA's; StableHLO's interpreter iterates over the partitions first.
        text = "HloModule m\nENTRY e { x = s32[1] parameter(0)\n" \
               "ROOT r = s32[4] all-gather(x), channel_id=1, replica_groups={{1,0}}, dimensions={0} }"
        inputs = [[np.array([10 * r + p], np.int32)] for r in range(2) for p in range(2)]
        for flags in [[], ["--backend", "xla-cpu"]] if HAS_XLA else [[]]:
            with self.subTest(flags):
                ran = run(text, *flags, inputs=inputs, replicas=2, partitions=2)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                got = [from_json(v).tolist() for v in json.loads(ran.stdout)["outputs"]]
                self.assertEqual(got, [[10, 11, 0, 1]] * 4)

    def test_all_reduce_of_uneven_groups(self):
        values = self.each_device("ROOT r = s32[1] all-reduce(x), replica_groups={{0,2,3},{1}}, to_apply=add",
                                  [[1], [2], [4], [8]], replicas=4)
        np.testing.assert_array_equal(np.ravel(values), [13, 2, 13, 13])

    def test_all_reduce_of_several_arrays(self):
        values = self.each_device(
            "y = s32[2] add(x, x)\n r = (s32[2], s32[2]) all-reduce(x, y), replica_groups={}, to_apply=add\n"
            "ROOT y2 = s32[2] get-tuple-element(r), index=1", [[1, 2], [3, 4]], replicas=2)
        np.testing.assert_array_equal(values, [[8, 12], [8, 12]])

    def test_sums_over_devices_are_exact(self):
        inputs = [[np.array([v], np.float32)] for v in [2.0**100, 1.0, -(2.0**100), 2.0**-20]]
        text = f"HloModule m\n{ADD}\nENTRY e {{ x = f32[1] parameter(0)\n ROOT r = f32[1] all-reduce(x), " \
               "replica_groups={}, to_apply=add_f32 }"
        for device in self.outputs(text, inputs, replicas=4):
            np.testing.assert_array_equal(device, [np.float32(1 + 2.0**-20)])

    def test_all_to_all_of_a_tuple(self):
        # Device k gets operand k of every device.
        values = self.each_device(
            "y = s32[2] negate(x)\n ROOT r = (s32[2], s32[2]) all-to-all(x, y), replica_groups={{1,0}}",
            [[1, 2], [3, 4]], replicas=2)
        np.testing.assert_array_equal(values[1], [[3, 4], [1, 2]])
        np.testing.assert_array_equal(values[0], [[-3, -4], [-1, -2]])

    def test_all_to_all_twice_is_the_identity(self):
        rows = np.arange(32, dtype=np.int32).reshape(4, 8).tolist()
        values = self.each_device(
            "y = s32[8] all-to-all(x), replica_groups={}, dimensions={0}\n"
            "ROOT r = s32[8] all-to-all(y), replica_groups={}, dimensions={0}", rows, replicas=4)
        np.testing.assert_array_equal(values, rows)

    def test_reduce_scatter_then_all_gather_is_all_reduce(self):
        rows = np.arange(32, dtype=np.int32).reshape(4, 8)
        values = self.each_device(
            "y = s32[2] reduce-scatter(x), replica_groups={}, dimensions={0}, to_apply=add\n"
            "ROOT r = s32[8] all-gather(y), replica_groups={}, dimensions={0}", rows.tolist(), replicas=4)
        np.testing.assert_array_equal(values, [rows.sum(0)] * 4)

    def test_collective_broadcast_leaves_out_whom_no_group_names(self):
        values = self.each_device("ROOT r = s32[1] collective-broadcast(x), replica_groups={{2,0}}",
                                  [[1], [2], [3]], replicas=3)
        np.testing.assert_array_equal(np.ravel(values), [3, 0, 3])

    def test_collective_permute_in_place(self):
        values = self.each_device(
            "y = s32[4] negate(x)\n one = s32[] constant(1)\n two = s32[] constant(2)\n"
            "from = (s32[]) tuple(one)\n to = (s32[]) tuple(two)\n"
            "ROOT r = s32[4] collective-permute(x, y, from, to), source_target_pairs={{0,1}}, slice_sizes={{2}}",
            [[1, 2, 3, 4], [5, 6, 7, 8]], replicas=2)
        np.testing.assert_array_equal(values, [[-1, -2, -3, -4], [-5, -6, 2, 3]])

    def test_collective_permute_start(self):
        values = self.each_device(
            "s = (s32[1], s32[1], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,1},{1,2}}\n"
            "ROOT d = s32[1] collective-permute-done(s)", [[1], [2], [3]], replicas=3)
        np.testing.assert_array_equal(np.ravel(values), [0, 1, 2])

    def test_ragged_all_to_all(self):
        # Device 0 keeps its row 0 and sends rows 1 and 2 to device 1; device 1 sends row 0 to device 0, keeps row 1.
        line = """
          i = u32[] replica-id()
          o = s32[4] constant({-1,-1,-1,-1})
          offsets = s32[2,2] constant({{0,1},{0,1}})
          sizes = s32[2,2] constant({{1,2},{1,1}})
          places = s32[2,2] constant({{0,0},{1,2}})
          received = s32[2,2] constant({{1,1},{2,1}})
          z = u32[] constant(0)
          a = s32[1,2] dynamic-slice(offsets, i, z), dynamic_slice_sizes={1,2}
          b = s32[1,2] dynamic-slice(sizes, i, z), dynamic_slice_sizes={1,2}
          c = s32[1,2] dynamic-slice(places, i, z), dynamic_slice_sizes={1,2}
          d = s32[1,2] dynamic-slice(received, i, z), dynamic_slice_sizes={1,2}
          a1 = s32[2] reshape(a)
          b1 = s32[2] reshape(b)
          c1 = s32[2] reshape(c)
          d1 = s32[2] reshape(d)
          ROOT r = s32[4] ragged-all-to-all(x, o, a1, b1, c1, d1), replica_groups={{0,1}}"""
        values = self.each_device(line, [[1, 2, 3], [4, 5, 6]], replicas=2)
        np.testing.assert_array_equal(values, [[1, 4, -1, -1], [2, 3, 5, -1]])

    def test_every_element_type(self):
        # Bytes 0 and 1 make a number of every type but s1, whose numbers are 0 and -1.
        table = json.loads(subprocess.run([ASSAY, "ops", "--json"], check=True, capture_output=True, text=True).stdout)
        types = {op["name"]: op["types"] for op in table["ops"]}
        ops = {
            "all-gather": ("[4]", "replica_groups={}, dimensions={0}", lambda a, b, k: a + b),
            "all-to-all": ("[2]", "replica_groups={}, dimensions={0}", lambda a, b, k: half(a, k) + half(b, k)),
            "collective-broadcast": ("[2]", "replica_groups={{1,0}}", lambda a, b, k: b),
            "collective-permute": ("[2]", "source_target_pairs={{0,1},{1,0}}", lambda a, b, k: a if k else b),
        }

        def half(data, k):
            return data[k * len(data) // 2 : (k + 1) * len(data) // 2]

        random = np.random.default_rng(7)
        for op, (result, attributes, formula) in ops.items():
            for kind in sorted(set(types[op]) - {"tuple"}):
                with self.subTest(op, kind=kind):
                    bits = {"pred": 8, "c64": 64, "c128": 128, "bf16": 16}.get(kind) or int(
                        "".join(c if c.isdigit() else " " for c in kind).split()[0])
                    size = max(bits // 8, 1) * 2
                    one = 255 if kind == "s1" else 1
                    data = [bytes(random.integers(0, 2, size, np.uint8) * np.uint8(one)) for _ in range(2)]
                    text = f"HloModule m\nENTRY e {{ x = {kind}[2] parameter(0)\n" \
                           f"ROOT r = {kind}{result} {op}(x), {attributes} }}"
                    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                        values = [[{"shape": f"{kind}[2]", "data_hex": part.hex()}] for part in data]
                        json.dump({"inputs_per_device": values}, file)
                        file.flush()
                        ran = run(text, "--inputs", file.name, replicas=2)
                    self.assertEqual(ran.stderr, "")
                    for k, output in enumerate(json.loads(ran.stdout)["outputs"]):
                        self.assertEqual(output["data_hex"], formula(*data, k).hex())

    def test_asynchronous_computations_may_cross(self):
        # Replica 0 starts the all-reduces in one order, replica 1 in the other: each start goes on by itself.
        branches = """
first { p = s32[1] parameter(0)
  a = s32[1] all-reduce-start(p), replica_groups={{0,1}}, channel_id=1, to_apply=add
  b = s32[1] all-reduce-start(p), replica_groups={{0,1}}, channel_id=2, to_apply=maximum
  ad = s32[1] all-reduce-done(a)
  bd = s32[1] all-reduce-done(b)
  ROOT r = s32[1] subtract(ad, bd) }
second { p = s32[1] parameter(0)
  b = s32[1] all-reduce-start(p), replica_groups={{0,1}}, channel_id=2, to_apply=maximum
  a = s32[1] all-reduce-start(p), replica_groups={{0,1}}, channel_id=1, to_apply=add
  bd = s32[1] all-reduce-done(b)
  ad = s32[1] all-reduce-done(a)
  ROOT r = s32[1] subtract(ad, bd) }
"""
        line = "i = u32[] replica-id()\n s = s32[] convert(i)\n" \
               "ROOT r = s32[1] conditional(s, x, x), branch_computations={first, second}"
        values = self.each_device(line, [[3], [5]], more=branches, replicas=2)
        np.testing.assert_array_equal(np.ravel(values), [3, 3])

    def test_wrapped_asynchronous_collectives(self):
        values = self.each_device(
            "s = ((s32[4]), s32[2]) reduce-scatter-start(x), replica_groups={}, dimensions={0}, to_apply=add\n"
            "ROOT d = s32[2] reduce-scatter-done(s)", [[1, 2, 3, 4], [5, 6, 7, 8]], replicas=2)
        np.testing.assert_array_equal(values, [[6, 8], [10, 12]])
