"""A module runs on as many devices as its groups, pairs and shapes name, where header and command line name none.

Which device has which id is the specification's; the values follow from it by hand.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

GOLDEN = pathlib.Path(__file__).parents[2] / "golden" / "abs" / "s32.hlo"
ASSAY = os.environ["ASSAY"]
SUM = "sum { y = u32[] parameter(0) z = u32[] parameter(1) ROOT k = u32[] add(y, z) }\n"
ALL_REDUCE = "ROOT r = u32[] all-reduce(i), {}, to_apply=sum"
REPLICA, PARTITION = "i = u32[] replica-id()", "i = u32[] partition-id()"


def module(*instructions, header=""):
    return "\n".join([f"HloModule m{header}", SUM, "ENTRY e {", *instructions, "}"])


def assay(command, text, *flags):
    return subprocess.run([ASSAY, command, "-", *flags], input=text, capture_output=True, text=True)


class NamedDevices(unittest.TestCase):
    def assert_runs(self, text, values, note, *flags):
        ran = assay("run", text, *flags)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout.split("\n")[:-1], values)
        self.assertEqual(ran.stderr, f"note: {note}\n" if note else "")

    def test_groups_of_replicas(self):
        # 0 + 2 and 1 + 3.
        self.assert_runs(module(REPLICA, ALL_REDUCE.format("replica_groups={{0,2},{1,3}}")), ["2", "4", "2", "4"],
                         "replica_groups of r (line 6) name 4 devices: run on 4 replicas")

    def test_groups_of_partitions(self):
        text = module(PARTITION, "v = u32[2] broadcast(i), dimensions={}",
                      "ROOT r = u32[2] all-to-all(v), channel_id=1, replica_groups={{0,1}}, dimensions={0}")
        self.assert_runs(text, ["{0, 1}", "{0, 1}"], "replica_groups of r (line 7) name 2 devices: run on 2 partitions")

    def test_groups_of_replicas_with_all_their_partitions(self):
        # Partitions 0 to 2 of both replicas: 0 + 1 + 2, twice.
        groups = ALL_REDUCE.format("channel_id=1, replica_groups={{0,1}}")
        self.assert_runs(module(PARTITION, groups, header=", num_partitions=3"), ["6"] * 6,
                         "replica_groups of r (line 6) name 2 devices: run on 2 replicas of 3 partitions")

    def test_flattened_ids(self):
        flattened = ALL_REDUCE.format("channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2}}")
        self.assert_runs(module(REPLICA, flattened), ["3"] * 3,
                         "replica_groups of r (line 6) name 3 devices: run on 3 replicas")

    def test_source_target_pairs(self):
        one = "o = u32[] constant(1)\nj = u32[] add(i, o)\n"
        pairs = one + "ROOT r = u32[] collective-permute(j), source_target_pairs={{0,2},{2,1}}"
        self.assert_runs(module(REPLICA, pairs), ["0", "3", "1"],
                         "source_target_pairs of r (line 8) name 3 devices: run on 3 replicas")
        self.assert_runs(module(PARTITION, pairs + ", channel_id=1"), ["0", "3", "1"],
                         "source_target_pairs of r (line 8) name 3 devices: run on 3 partitions")

    def test_replicas_and_partitions(self):
        text = module(PARTITION, "p = u32[] collective-permute(i), source_target_pairs={{1,0}}, channel_id=1",
                      "ROOT r = u32[] all-reduce(p), replica_groups={{0,1}}, to_apply=sum")
        # Partition 0 has got 1, partition 1 nothing; two replicas add up.
        note = "replica_groups of r (line 7) name 2 devices: run on 2 replicas of 2 partitions"
        self.assert_runs(text, ["2", "0", "2", "0"], note)

    def test_pairs_of_transfers(self):
        pairs = 'frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}'
        text = module(REPLICA, "t = token[] after-all()",
                      f"s = (u32[], u32[], token[]) send(i, t), channel_id=1, {pairs}",
                      f"v = (u32[], u32[], token[]) recv(t), channel_id=1, {pairs}",
                      "sd = token[] send-done(s), channel_id=1", "vd = (u32[], token[]) recv-done(v), channel_id=1",
                      "g = u32[] get-tuple-element(vd), index=0", "ROOT r = u32[] subtract(g, i)")
        self.assert_runs(text, ["0", "4294967295"],
                         "the source-target pairs of s (line 7) name 2 devices: run on 2 replicas")

    def test_shapes(self):
        for line, expected in {
            "ROOT r = u32[3] all-gather(v), replica_groups={}, dimensions={0}": ["{0, 1, 2}"] * 3,
            "w = u32[3] broadcast(i), dimensions={}\n"
            "ROOT r = u32[1] reduce-scatter(w), replica_groups={}, dimensions={0}, to_apply=sum": ["{3}"] * 3,
            "s = (u32[1], u32[3]) all-gather-start(v), replica_groups={}, dimensions={0}\n"
            "ROOT r = u32[3] all-gather-done(s)": ["{0, 1, 2}"] * 3,
        }.items():
            with self.subTest(line):
                ran = assay("run", module(REPLICA, "v = u32[1] reshape(i)", line))
                self.assertEqual(ran.stdout.split("\n")[:-1], expected, ran.stderr)
                self.assertRegex(ran.stderr, r"note: the shapes of \w \(line \d\) need 3 devices: run on 3 replicas")

    def test_shapes_of_replicas_with_partitions(self):
        # Without a channel, the four replicas of each of the two partitions gather.
        text = module(PARTITION, "v = u32[1] reshape(i)",
                      "ROOT r = u32[4] all-gather(v), replica_groups={}, dimensions={0}", header=", num_partitions=2")
        self.assert_runs(text, ["{0, 0, 0, 0}", "{1, 1, 1, 1}"] * 4,
                         "the shapes of r (line 7) need 4 devices: run on 4 replicas of 2 partitions")

    def test_who_says_how_many_is_obeyed(self):
        groups = module(REPLICA, ALL_REDUCE.format("replica_groups={{0,1}}"))
        self.assert_runs(groups, ["1", "1"], "", "--replicas", "2")
        alone = assay("run", groups, "--replicas", "1")
        self.assertEqual(alone.returncode, 2)
        self.assertIn("replica_groups names 1, but only 1 run", alone.stderr)
        self.assertNotIn("note", alone.stderr)
        self.assert_runs(module(REPLICA, ALL_REDUCE.format("replica_groups={}")), ["0"], "")

    def test_more_than_anybody_has(self):
        ran = assay("run", module(REPLICA, "ROOT r = u32[] collective-permute(i), "
                                  "source_target_pairs={{0,9223372036854775807}}"))
        self.assertEqual(ran.returncode, 2)
        self.assertIn("note: source_target_pairs of r (line 6) name 9223372036854775807 devices, more than 1024: "
                      "run on 1", ran.stderr)

    def test_groups_that_do_not_fit_each_other(self):
        text = module(REPLICA, "q = u32[] all-reduce(i), replica_groups={{0,1,2}}, to_apply=sum",
                      "ROOT r = u32[] all-reduce(q), replica_groups={{0,1}}, to_apply=sum")
        ran = assay("run", text)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("note: replica_groups of q (line 6) name 3 devices, with which the module is illegal: run on 1",
                      ran.stderr)

    def test_all_commands_agree(self):
        text = module(REPLICA, ALL_REDUCE.format("replica_groups={{0,1}}"))
        note = "note: replica_groups of r (line 6) name 2 devices: run on 2 replicas\n"
        for command in (["verify"], ["diff", "--backend", "reference"], ["explain"]):
            with self.subTest(command):
                ran = assay(command[0], text, *command[1:])
                self.assertEqual((ran.returncode, ran.stderr), (0, note), ran.stdout)
        with tempfile.TemporaryDirectory() as folder:
            corpus, models = pathlib.Path(folder) / "corpus", pathlib.Path(folder) / "models"
            (corpus / "abs").mkdir(parents=True)
            shutil.copy(GOLDEN, corpus / "abs")
            models.mkdir()
            (models / "pair.hlo").write_text(text)
            report = pathlib.Path(folder) / "report"
            ran = subprocess.run([ASSAY, "check", "--corpus", corpus, "--models", models, "--report", report],
                                 capture_output=True, text=True)
            self.assertEqual((ran.returncode, ran.stderr), (0, f"note: {models}/pair.hlo: {note[6:]}"), ran.stdout)
            entry = json.loads((report / "results.json").read_text())["models"][0]
            self.assertEqual(entry["outputs"]["elements"], 2)

    def test_a_deadlock_says_who_is_missing(self):
        text = module("x = u32[] constant(1)", "t = token[] after-all()",
                      "s = (u32[], u32[], token[]) send(x, t), channel_id=1", "sd = token[] send-done(s), channel_id=1",
                      "ROOT r = u32[] add(x, x)")
        ran = assay("run", text)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("one device ran: it takes another to send to or to receive from", ran.stderr)
        permute = "p = u32[] collective-permute(x), source_target_pairs={{0,1}}\nROOT r"
        ran = assay("run", text.replace("ROOT r", permute), "--replicas", "1")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("source_target_pairs of p (line 9) name 2 devices: 1 ran", ran.stderr)
