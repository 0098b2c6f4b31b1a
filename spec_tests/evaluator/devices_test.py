"""Collectives on several devices, where golden/ has no case: values by hand, and XLA:CPU on grids of devices."""

import importlib.util
import json
import unittest

import numpy as np
from on_devices import ADD, DevicesTest

# Replica 0 starts the all-reduces in one order, replica 1 in the other: each start goes on by itself.
CROSSING = """
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
# The instructions after the parameter x, x on each device, and the result on each device.
ROWS = {
    "uneven groups": ("ROOT r = s32[1] all-reduce(x), replica_groups={{0,2,3},{1}}, to_apply=add",
                      [[1], [2], [4], [8]], [[13], [2], [13], [13]]),
    "several arrays": ("y = s32[2] add(x, x)\n r = (s32[2], s32[2]) all-reduce(x, y), replica_groups={}, to_apply=add\n"
                       "ROOT y2 = s32[2] get-tuple-element(r), index=1", [[1, 2], [3, 4]], [[8, 12], [8, 12]]),
    # Device k gets operand k of every device, from the group's first on.
    "an exchange of a tuple": (
        "y = s32[1] negate(x)\n r = (s32[1], s32[1]) all-to-all(x, y), replica_groups={{1,0}}\n"
        "a = s32[1] get-tuple-element(r), index=0\n b = s32[1] get-tuple-element(r), index=1\n"
        "ROOT c = s32[2] concatenate(a, b), dimensions={0}", [[1], [3]], [[-3, -1], [3, 1]]),
    "two exchanges": ("y = s32[4] all-to-all(x), replica_groups={}, dimensions={0}\n"
                      "ROOT r = s32[4] all-to-all(y), replica_groups={}, dimensions={0}",
                      [[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 2, 3, 4], [5, 6, 7, 8]]),
    "a scatter and a gather": ("y = s32[2] reduce-scatter(x), replica_groups={}, dimensions={0}, to_apply=add\n"
                               "ROOT r = s32[4] all-gather(y), replica_groups={}, dimensions={0}",
                               [[1, 2, 3, 4], [5, 6, 7, 8]], [[6, 8, 10, 12]] * 2),
    "a device that no group names": ("ROOT r = s32[1] collective-broadcast(x), replica_groups={{2,0}}",
                                     [[1], [2], [3]], [[3], [0], [3]]),
    "a start of the general form": (
        "s = ((s32[4]), s32[2]) reduce-scatter-start(x), replica_groups={}, dimensions={0}, to_apply=add\n"
        "ROOT d = s32[2] reduce-scatter-done(s)", [[1, 2, 3, 4], [5, 6, 7, 8]], [[6, 8], [10, 12]]),
    "a permute that starts": (
        "s = (s32[1], s32[1], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,1},{1,2}}\n"
        "ROOT d = s32[1] collective-permute-done(s)", [[1], [2], [3]], [[0], [1], [2]]),
    "a fold on the root": (
        "root = s32[1] constant({2})\nROOT r = s32[1] collective-reduce(x, root), replica_groups={}, "
        "has_dynamic_root=true, to_apply=add", [[1], [2], [4], [8]], [[1], [2], [15], [8]]),
    # Each device sends its first element to device 0 and its second one to device 1, to the place of its own number.
    "ragged rows": (
        "i = u32[] replica-id()\n k = s32[] convert(i)\n places = s32[2] broadcast(k), dimensions={}\n"
        "o = s32[2] constant({-1, -1})\n starts = s32[2] constant({0, 1})\n sizes = s32[2] constant({1, 1})\n"
        "ROOT r = s32[2] ragged-all-to-all(x, o, starts, sizes, places, sizes), replica_groups={{0,1}}",
        [[1, 2], [3, 4]], [[1, 3], [2, 4]]),
    "starts that cross": (
        "i = u32[] replica-id()\n s = s32[] convert(i)\n"
        "ROOT r = s32[1] conditional(s, x, x), branch_computations={first, second}", [[3], [5]], [[3], [3]]),
}


class Collectives(DevicesTest):
    def test_values(self):
        for name, (lines, rows, wanted) in ROWS.items():
            with self.subTest(name):
                called = CROSSING if "first" in lines else ""
                text = f"HloModule m\n{ADD}{called}\nENTRY e {{ x = s32[{len(rows[0])}] parameter(0)\n {lines}\n}}"
                inputs = [[np.array(row, np.int32)] for row in rows]
                self.assertEqual(self.values(text, inputs=inputs, replicas=len(rows)), wanted)

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "no jaxlib here; tools/dev installs it")
    def test_groups_of_the_corpus_on_xla(self):
        """The group modes on two replicas of two partitions. XLA:CPU has no collective-broadcast."""
        report = self.folder / "report"
        self.assay("check", "--backend", "xla-cpu", "--report", report,
                   "--filter", "name=all-*/groups_*/* | name=reduce-scatter/groups_*/*", code=0)
        verdicts = [case["verdict"] for case in json.loads((report / "results.json").read_text())["cases"]]
        self.assertGreater(verdicts.count("EXACT"), 30)
        self.assertLessEqual(set(verdicts), {"EXACT", "UNSUPPORTED"})
