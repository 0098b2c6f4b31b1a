"""Transfers between devices, infeed and outfeed, and what a deadlock says."""

import json

import numpy as np
from on_devices import ADD, DevicesTest, from_json, to_json

PAIRS = 'frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2},{2,0}}}'
SEND_FIRST = f"""HloModule ring
ENTRY e {{
  x = s32[1] parameter(0)
  t = token[] after-all()
  s = (s32[1], u32[], token[]) send(x, t), channel_id=1, {PAIRS}
  sd = token[] send-done(s), channel_id=1
  r = (s32[1], u32[], token[]) recv(sd), channel_id=1, {PAIRS}
  rd = (s32[1], token[]) recv-done(r), channel_id=1
  ROOT v = s32[1] get-tuple-element(rd), index=0
}}
"""
RECEIVE_FIRST = f"""HloModule ring
ENTRY e {{
  x = s32[1] parameter(0)
  t = token[] after-all()
  r = (s32[1], u32[], token[]) recv(t), channel_id=1, {PAIRS}
  s = (s32[1], u32[], token[]) send(x, t), channel_id=1, {PAIRS}, control-predecessors={{r}}
  sd = token[] send-done(s), channel_id=1
  rd = (s32[1], token[]) recv-done(r), channel_id=1
  ROOT v = s32[1] get-tuple-element(rd), index=0
}}
"""
LOOP = """HloModule loop
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
condition { p = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=1
  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=1
  v = s32[] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  w = s32[] all-reduce(v), replica_groups={}, to_apply=add
  ROOT r = (s32[], s32[], s32[]) tuple(j, n, w) }
ENTRY e {
  n = s32[] parameter(0)
  z = s32[] constant(0)
  one = s32[] constant(1)
  t = (s32[], s32[], s32[]) tuple(z, n, one)
  w = (s32[], s32[], s32[]) while(t), condition=condition, body=body
  ROOT r = s32[] get-tuple-element(w), index=2
}
"""


class Transfers(DevicesTest):
    def deadlock(self, text, inputs, **grid):
        """Returns the lines of the diagnosis, which must be the same every time."""
        (message,) = {self.run_on(text, inputs=inputs, code=1, **grid).stderr for _ in range(3)}
        return message

    def test_a_ring_of_transfers(self):
        inputs = [[np.array([10 + d], np.int32)] for d in range(3)]
        self.assertEqual(self.values(RECEIVE_FIRST, inputs=inputs, replicas=3), [[12], [10], [11]])

    def test_a_ring_that_sends_before_it_receives_names_its_cycle(self):
        message = self.deadlock(SEND_FIRST, [[np.array([d], np.int32)] for d in range(3)], replicas=3)
        self.assertIn("<stdin>:5:3: error: deadlock", message)
        self.assertIn("replica 1 waits at s (line 5) for a recv on channel 1: missing replica 2", message)
        self.assertIn("cycle: replica 0 -> replica 1 -> replica 2 -> replica 0", message)

    def test_a_cycle_beside_a_device_that_waits_for_the_host(self):
        # Replica 0 misses replicas 1 and 2. Only replica 2 waits for replica 0.
        branch = "x = s32[] parameter(0)\n  ROOT r = s32[] all-reduce(x), replica_groups={}, to_apply=add"
        text = "\n".join(["HloModule m", ADD, "all {", branch.replace("{}", "{{0,1,2}}"), "}",
                          "two {", branch.replace("{}", "{{0,2},{1}}"), "}",
                          "fed { x = s32[] parameter(0)", "t = token[] after-all()", "i = (s32[], token[]) infeed(t)",
                          "ROOT r = s32[] get-tuple-element(i), index=0 }",
                          "ENTRY e { i = u32[] replica-id()", "k = s32[] convert(i)",
                          "ROOT c = s32[] conditional(k, k, k, k), branch_computations={all, fed, two} }"])
        message = self.deadlock(text, [[], [], []], replicas=3)
        self.assertIn("missing replica 1, replica 2", message)
        self.assertIn("cycle: replica 0 -> replica 2 -> replica 0", message)

    def test_a_replica_that_leaves_the_loop_early(self):
        inputs = [[np.array(n, np.int32)] for n in [5, 6, 5]]
        message = self.deadlock(LOOP, inputs, replicas=3)
        self.assertIn("replica 1 waits at w", message)
        self.assertIn("missing replica 0, replica 2; replica 0 has ended; replica 2 has ended", message)

    def test_a_recv_without_a_send(self):
        text = """HloModule m
ENTRY e { t = token[] after-all()
  r = (s32[], u32[], token[]) recv(t), channel_id=7
  d = (s32[], token[]) recv-done(r), channel_id=7
  ROOT v = s32[] get-tuple-element(d), index=0 }"""
        message = self.deadlock(text, [[], []], replicas=2)
        self.assertIn("replica 0 waits at d (line 4) for a send on channel 7: missing replica 1", message)

    def test_devices_that_meet_with_different_operations(self):
        text = """HloModule m
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
reduces { p = s32[2] parameter(0)
  ROOT sum = s32[2] all-reduce(p), replica_groups={{0,1}}, channel_id=1, to_apply=add }
gathers { p = s32[2] parameter(0)
  g = s32[4] all-gather(p), replica_groups={{0,1}}, channel_id=1, dimensions={0}
  ROOT r = s32[2] slice(g), slice={[0:2]} }
ENTRY e { x = s32[2] parameter(0)
  i = u32[] replica-id()
  s = s32[] convert(i)
  ROOT r = s32[2] conditional(s, x, x), branch_computations={reduces, gathers} }"""
        ran = self.run_on(text, inputs=[[np.zeros(2, np.int32)]] * 2, replicas=2, code=2)
        self.assertIn("replica 0 and replica 1 meet on channel 1 of {replica 0, replica 1} with different "
                      "operations: all-reduce of s32[2] at sum (line 6), all-gather of s32[2] at g (line 8)", ran.stderr)

    def test_groups_that_differ_on_one_channel(self):
        text = """HloModule m
sum { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
one { p = s32[2] parameter(0)
  ROOT first = s32[2] all-reduce(p), replica_groups={{0,1},{2}}, channel_id=1, to_apply=sum }
other { p = s32[2] parameter(0)
  ROOT second = s32[2] all-reduce(p), replica_groups={{0},{1,2}}, channel_id=1, to_apply=sum }
ENTRY e { x = s32[2] parameter(0)
  i = u32[] replica-id()
  s = s32[] convert(i)
  ROOT t = s32[2] conditional(s, x, x, x), branch_computations={one, other, one} }"""
        message = self.deadlock(text, [[np.zeros(2, np.int32)]] * 3, replicas=3)
        self.assertIn("replica 0 waits at first (line 6) for all-reduce on channel 1 of {replica 0, replica 1}: missing "
                      "replica 1; replica 1 waits on the same channel in another group", message)

    def test_sixty_four_devices_meet_a_thousand_times(self):
        # 64 to the power of 1000 is 0 modulo 2 to the power of 32.
        self.assertEqual(self.values(LOOP, inputs=[[np.array(1000, np.int32)]] * 64, replicas=64), [0] * 64)

    def test_a_group_of_devices_that_do_not_run(self):
        text = f"HloModule m\n{ADD}\nENTRY e {{ x = s32[1] parameter(0)\n" \
               "ROOT r = s32[1] all-reduce(x), replica_groups={{0,1}}, to_apply=add }"
        ran = self.run_on(text, inputs=[[np.zeros(1, np.int32)]], code=2)
        self.assertIn("replica_groups names 1, but only 1 run", ran.stderr)


FEEDS = """HloModule feeds
ENTRY e {
  t = token[] after-all()
  i = ((f32[2], s32[]), token[]) infeed(t)
  data = (f32[2], s32[]) get-tuple-element(i), index=0
  t1 = token[] get-tuple-element(i), index=1
  x = f32[2] get-tuple-element(data), index=0
  o = token[] outfeed(x, t1), outfeed_shape=f32[2]
  j = (s32[], token[]) infeed(o)
  ROOT n = s32[] get-tuple-element(j), index=0
}
"""


class State(DevicesTest):
    def test_the_result_is_the_random_state_before_delta_is_added(self):
        lines = [f"{name} = u64[2] rng-get-and-update-state(), delta={delta}{after}" for name, delta, after in
                 (("a", 5, ""), ("b", 7, ", control-predecessors={a}"), ("c", 1, ", control-predecessors={b}"))]
        text = "\n".join(["HloModule m", "ENTRY e {", *lines, "ROOT r = (u64[2], u64[2], u64[2]) tuple(a, b, c)", "}"])
        states = [value["data_hex"] for value in json.loads(self.run_on(text).stdout)["outputs"][0]["tuple"]]
        first, second, third = (int.from_bytes(bytes.fromhex(state), "little") for state in states)
        self.assertEqual((second - first, third - second), (5, 7))


class Host(DevicesTest):
    def feed(self, infeed, text=FEEDS, **options):
        """Runs a module with an infeed. Its outfeed goes to out.json."""
        source = self.file("in.json", json.dumps(infeed))
        return self.run_on(text, "--infeed", source, "--outfeed", self.folder / "out.json", **options)

    def fed(self, infeed, *words, **options):
        """Returns the value on each device."""
        outputs = json.loads(self.feed(infeed, *words, **options).stdout)["outputs"]
        return [from_json(value).tolist() for value in outputs]

    def value(self, a, n):
        return {"tuple": [to_json(np.array(a, np.float32)), to_json(np.array(n, np.int32))]}

    def test_each_device_has_its_own_feed(self):
        feed = [[self.value([1, 2], 3), to_json(np.array(9, np.int32))],
                [self.value([4, 5], 6), to_json(np.array(8, np.int32))]]
        self.assertEqual(self.fed({"infeed_per_device": feed}, replicas=2), [9, 8])
        given = json.loads((self.folder / "out.json").read_text())
        got = [[from_json(v).tolist() for v in device] for device in given["outfeed_per_device"]]
        self.assertEqual(got, [[[1, 2]], [[4, 5]]])

    def test_one_feed_serves_every_device(self):
        feed = {"infeed": [self.value([1, 2], 3), to_json(np.array(9, np.int32))]}
        self.assertEqual(self.fed(feed, replicas=2), [9, 9])

    def test_a_feed_that_runs_dry(self):
        ran = self.feed({"infeed": [self.value([1, 2], 3)]}, code=1)
        self.assertIn("the device waits at j (line 9) for data from the host: the host has no more", ran.stderr)
        self.assertFalse((self.folder / "out.json").exists())

    # XLA operation semantics, Infeed: for an empty tuple no data is read.
    def test_an_empty_tuple_takes_nothing(self):
        empty = "HloModule m\nENTRY e {\n  t = token[] after-all()\n  i = ((), token[]) infeed(t)\n" \
                "  u = token[] get-tuple-element(i), index=1\n"
        before_another = "  j = (f32[2], token[]) infeed(u)\n  ROOT r = f32[2] get-tuple-element(j), index=0\n}\n"
        two = to_json(np.array([1, 2], np.float32))
        self.assertEqual(self.fed({"infeed": [two]}, empty + before_another), [[1, 2]])
        alone = "  ROOT r = () get-tuple-element(i), index=0\n}\n"
        self.assertEqual(json.loads(self.run_on(empty + alone).stdout)["outputs"], [{"tuple": []}])

    def test_infeeds_without_an_order_are_taken_in_that_of_the_text(self):
        text = "HloModule m\nENTRY e {\n  t = token[] after-all()\n  i = (f32[2], token[]) infeed(t)\n" \
               "  j = (f32[2], token[]) infeed(t)\n  a = f32[2] get-tuple-element(i), index=0\n" \
               "  b = f32[2] get-tuple-element(j), index=0\n  ROOT r = f32[2] subtract(b, a)\n}\n"
        feed = {"infeed": [to_json(np.array(v, np.float32)) for v in ([1, 2], [10, 30])]}
        self.assertEqual(self.fed(feed, text), [[9, 28]])

    def test_a_value_of_another_shape(self):
        ran = self.feed({"infeed": [to_json(np.array(9, np.int32))]}, code=2)
        self.assertIn("the host's next value for the device is s32[], i expects (f32[2], s32[])", ran.stderr)

    def test_a_file_that_is_no_feed(self):
        for infeed in [[], {"infeed": 3}, {"infeed_per_device": [[], []]}, {"infeed_per_device": [3]}]:
            with self.subTest(infeed):
                self.assertIn("in.json: ", self.feed(infeed, code=2).stderr)
