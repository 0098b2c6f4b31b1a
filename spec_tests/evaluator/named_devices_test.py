"""A module runs on as many devices as its groups, pairs and shapes name, where header and command line name none.

Which device has which id is the specification's; the values follow from it by hand.
"""

import json
import shutil

from golden.witness.program import GOLDEN
from spec_tests.tools.command_line import CliTest

SUM = "sum { y = u32[] parameter(0) z = u32[] parameter(1) ROOT k = u32[] add(y, z) }\n"
ALL_REDUCE = "ROOT r = u32[] all-reduce(i), {}, to_apply=sum"
REPLICA, PARTITION = "i = u32[] replica-id()", "i = u32[] partition-id()"
ADD_ONE = "o = u32[] constant(1)\nj = u32[] add(i, o)\n"
PERMUTE = ADD_ONE + "ROOT r = u32[] collective-permute(j), source_target_pairs={{0,2},{2,1}}"
TRANSFERS = 'frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}'
VECTOR = "v = u32[1] reshape(i)"


def module(*instructions, header=""):
    return "\n".join([f"HloModule m{header}", SUM, "ENTRY e {", *instructions, "}"])


PAIR = module(REPLICA, ALL_REDUCE.format("replica_groups={{0,1}}"))
# Module, value on each device, note.
NAMED = {
    # 0 + 2 and 1 + 3.
    "groups of replicas": (module(REPLICA, ALL_REDUCE.format("replica_groups={{0,2},{1,3}}")), ["2", "4", "2", "4"],
                           "replica_groups of r (line 6) name 4 devices: run on 4 replicas"),
    "groups of partitions": (module(
        PARTITION, "v = u32[2] broadcast(i), dimensions={}",
        "ROOT r = u32[2] all-to-all(v), channel_id=1, replica_groups={{0,1}}, dimensions={0}"),
        ["{0, 1}", "{0, 1}"], "replica_groups of r (line 7) name 2 devices: run on 2 partitions"),
    # Partitions 0 to 2 of both replicas: 0 + 1 + 2, twice.
    "groups of replicas with all their partitions": (
        module(PARTITION, ALL_REDUCE.format("channel_id=1, replica_groups={{0,1}}"), header=", num_partitions=3"),
        ["6"] * 6, "replica_groups of r (line 6) name 2 devices: run on 2 replicas of 3 partitions"),
    "flattened ids": (
        module(REPLICA, ALL_REDUCE.format("channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2}}")),
        ["3"] * 3, "replica_groups of r (line 6) name 3 devices: run on 3 replicas"),
    "source-target pairs of replicas": (module(REPLICA, PERMUTE), ["0", "3", "1"],
                                        "source_target_pairs of r (line 8) name 3 devices: run on 3 replicas"),
    "source-target pairs of partitions": (module(PARTITION, PERMUTE + ", channel_id=1"), ["0", "3", "1"],
                                          "source_target_pairs of r (line 8) name 3 devices: run on 3 partitions"),
    # Partition 0 has got 1, partition 1 nothing; two replicas add up.
    "replicas and partitions": (
        module(PARTITION, "p = u32[] collective-permute(i), source_target_pairs={{1,0}}, channel_id=1",
               "ROOT r = u32[] all-reduce(p), replica_groups={{0,1}}, to_apply=sum"), ["2", "0", "2", "0"],
        "replica_groups of r (line 7) name 2 devices: run on 2 replicas of 2 partitions"),
    "pairs of transfers": (module(
        REPLICA, "t = token[] after-all()", f"s = (u32[], u32[], token[]) send(i, t), channel_id=1, {TRANSFERS}",
        f"v = (u32[], u32[], token[]) recv(t), channel_id=1, {TRANSFERS}", "sd = token[] send-done(s), channel_id=1",
        "vd = (u32[], token[]) recv-done(v), channel_id=1", "g = u32[] get-tuple-element(vd), index=0",
        "ROOT r = u32[] subtract(g, i)"), ["0", "4294967295"],
        "the source-target pairs of s (line 7) name 2 devices: run on 2 replicas"),
    "shapes of a gather": (module(REPLICA, VECTOR, "ROOT r = u32[3] all-gather(v), replica_groups={}, dimensions={0}"),
                           ["{0, 1, 2}"] * 3, "the shapes of r (line 7) need 3 devices: run on 3 replicas"),
    "shapes of a scatter": (module(
        REPLICA, "w = u32[3] broadcast(i), dimensions={}",
        "ROOT r = u32[1] reduce-scatter(w), replica_groups={}, dimensions={0}, to_apply=sum"),
        ["{3}"] * 3, "the shapes of r (line 7) need 3 devices: run on 3 replicas"),
    "shapes of a start": (module(
        REPLICA, VECTOR, "s = (u32[1], u32[3]) all-gather-start(v), replica_groups={}, dimensions={0}",
        "ROOT r = u32[3] all-gather-done(s)"), ["{0, 1, 2}"] * 3,
        "the shapes of s (line 7) need 3 devices: run on 3 replicas"),
    # Without a channel, the four replicas of each of the two partitions gather.
    "shapes of replicas with partitions": (
        module(PARTITION, VECTOR, "ROOT r = u32[4] all-gather(v), replica_groups={}, dimensions={0}",
               header=", num_partitions=2"), ["{0, 0, 0, 0}", "{1, 1, 1, 1}"] * 4,
        "the shapes of r (line 7) need 4 devices: run on 4 replicas of 2 partitions"),
    "no groups": (module(REPLICA, ALL_REDUCE.format("replica_groups={}")), ["0"], ""),
}
# Module, exit code, message.
REFUSED = {
    "more than a machine has": (
        module(REPLICA, "ROOT r = u32[] collective-permute(i), source_target_pairs={{0,9223372036854775807}}"), 2,
        "note: source_target_pairs of r (line 6) name 9223372036854775807 devices, more than 1024: run on 1"),
    "groups that do not fit each other": (
        module(REPLICA, "q = u32[] all-reduce(i), replica_groups={{0,1,2}}, to_apply=sum",
               "ROOT r = u32[] all-reduce(q), replica_groups={{0,1}}, to_apply=sum"), 2,
        "note: replica_groups of q (line 6) name 3 devices, with which the module is illegal: run on 1"),
    "a transfer of one device": (
        module("x = u32[] constant(1)", "t = token[] after-all()",
               "s = (u32[], u32[], token[]) send(x, t), channel_id=1", "ROOT sd = token[] send-done(s), channel_id=1"),
        1, "one device ran: it takes another to send to or to receive from"),
}


class NamedDevices(CliTest):
    def test_a_module_runs_on_the_devices_that_it_names(self):
        for name, (text, values, note) in NAMED.items():
            with self.subTest(name):
                ran = self.assay("run", "-", stdin=text, code=0)
                self.assertEqual(ran.stdout.split("\n")[:-1], values)
                self.assertEqual(ran.stderr, f"note: {note}\n" if note else "")

    def test_devices_that_cannot_run_are_named(self):
        for name, (text, code, message) in REFUSED.items():
            with self.subTest(name):
                self.assertIn(message, self.assay("run", "-", stdin=text, code=code).stderr)
        sends, _, _ = REFUSED["a transfer of one device"]
        permute = "p = u32[] collective-permute(x), source_target_pairs={{0,1}}\nROOT sd"
        ran = self.assay("run", "-", "--replicas", "1", stdin=sends.replace("ROOT sd", permute), code=1)
        self.assertIn("source_target_pairs of p (line 8) name 2 devices: 1 ran", ran.stderr)

    def test_who_says_how_many_is_obeyed(self):
        ran = self.assay("run", "-", "--replicas", "2", stdin=PAIR, code=0)
        self.assertEqual((ran.stdout, ran.stderr), ("1\n1\n", ""))
        alone = self.assay("run", "-", "--replicas", "1", stdin=PAIR, code=2)
        self.assertIn("replica_groups names 1, but only 1 run", alone.stderr)
        self.assertNotIn("note", alone.stderr)

    def test_all_commands_agree(self):
        note = "note: replica_groups of r (line 6) name 2 devices: run on 2 replicas\n"
        for command, *options in (["verify"], ["diff", "--backend", "reference"], ["explain"]):
            with self.subTest(command):
                self.assertEqual(self.assay(command, "-", *options, stdin=PAIR, code=0).stderr, note)
        corpus, models, report = (self.folder / name for name in ("corpus", "models", "report"))
        (corpus / "abs").mkdir(parents=True)
        shutil.copy(GOLDEN / "abs/s32.hlo", corpus / "abs")
        models.mkdir()
        (models / "pair.hlo").write_text(PAIR)
        ran = self.assay("check", "--corpus", corpus, "--models", models, "--report", report, code=0)
        self.assertEqual(ran.stderr, f"note: {models}/pair.hlo: {note[6:]}")
        self.assertEqual(json.loads((report / "results.json").read_text())["models"][0]["outputs"]["elements"], 2)
