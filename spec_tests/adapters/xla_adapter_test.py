"""The adapter of XLA:CPU and StableHLO, driven as a child over the process protocol.

Expected bits are worked out by hand from the formats of the element types.
"""

import importlib.util
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

if not importlib.util.find_spec("jaxlib"):
    raise unittest.SkipTest("no jaxlib here; tools/dev installs it")

# Bytes of an element, if there are several.
WIDE_TYPES = {"s16": 2, "u16": 2, "f16": 2, "bf16": 2, "s32": 4, "u32": 4, "f32": 4}
WIDE_TYPES |= {"s64": 8, "u64": 8, "f64": 8, "c64": 8, "c128": 16}
ADAPTER = pathlib.Path(__file__).parents[2] / "backends" / "adapters" / "xla_adapter.py"


def array(shape, data_hex):
    return {"shape": shape, "data_hex": data_hex}


def f32(*values):
    return struct.pack(f"<{len(values)}f", *values).hex()


def entry(*instructions, header="HloModule m"):
    return "\n".join([header, "ENTRY e {", *instructions, "}"])


def passing(shape):
    return entry(f"ROOT a = {shape} parameter(0)")


def binary(opcode, shape):
    return entry(f"a = {shape} parameter(0)", f"b = {shape} parameter(1)", f"ROOT r = {shape} {opcode}(a, b)")


ONES = array("f32[1,3,1]", f32(1, 2, 3)), array("f32[2,1,1]", f32(1, 10))
NEGATIVE_ZERO = array("f32[2]", "0000008000000000")


def convolution(kind):
    return entry("a = f32[1,3,1] parameter(0)", "b = f32[2,1,1] parameter(1)", "ROOT r = f32[1,2,1] convolution("
                 f"a, b), window={{size=2}}, dim_labels=b0f_0io->b0f, convolution_kind={kind}")


# A module, inputs, and the output.
VALUES = {
    "f32": (binary("add", "f32[2]"), [array("f32[2]", f32(1, -0.5)), array("f32[2]", f32(2, 4))],
            array("f32[2]", f32(3, 3.5))),
    # -8 + 7 = -1; 7 + 1 wraps to -8.
    "an element of s4 is a sign-extended byte": (
        binary("add", "s4[2]"), [array("s4[2]", "f807"), array("s4[2]", "0701")], array("s4[2]", "fff8")),
    "u4": (binary("add", "u4[2]"), [array("u4[2]", "0f08"), array("u4[2]", "0107")], array("u4[2]", "000f")),
    "pred": (binary("and", "pred[2]"), [array("pred[2]", "0101"), array("pred[2]", "0100")], array("pred[2]", "0100")),
    # (1 + 2i)(3 - i) = 5 + 5i
    "c64": (binary("multiply", "c64[1]"), [array("c64[1]", f32(1, 2)), array("c64[1]", f32(3, -1))],
            array("c64[1]", f32(5, 5))),
    "a result keeps the nesting of tuples": (
        entry("a = f32[1] parameter(0)", "n = f32[1] negate(a)", "k = token[] after-all()", "e = () tuple()",
              "i = (f32[1], token[], ()) tuple(n, k, e)", "ROOT r = (f32[1], (f32[1], token[], ())) tuple(a, i)"),
        [array("f32[1]", f32(3))],
        {"tuple": [array("f32[1]", f32(3)), {"tuple": [array("f32[1]", f32(-3)), {"token": True}, {"tuple": []}]}]}),
    "a tuple as a parameter": (
        entry("p = (s32[], (f32[1])) parameter(0)", "i = (f32[1]) get-tuple-element(p), index=1",
              "a = f32[1] get-tuple-element(i), index=0", "ROOT r = f32[1] negate(a)"),
        [{"tuple": [array("s32[]", "07000000"), {"tuple": [array("f32[1]", f32(2))]}]}], array("f32[1]", f32(-2))),
    "no parameters and an empty tuple": (entry("ROOT r = () tuple()"), [], {"tuple": []}),
    "no elements": (passing("f32[0,3]"), [array("f32[0,3]", "")], array("f32[0,3]", "")),
    "negative zero": (
        entry("a = f32[2] parameter(0)", "b = f32[2] constant({-0.0, 0})", "ROOT r = (f32[2], f32[2]) tuple(a, b)"),
        [NEGATIVE_ZERO], {"tuple": [NEGATIVE_ZERO] * 2}),
    # The transpose of [[1, 2, 3], [4, 5, 6]] is [[1, 4], [2, 5], [3, 6]], whatever their layouts.
    "layouts": (entry("a = f32[2,3]{0,1} parameter(0)", "ROOT r = f32[3,2]{0,1} transpose(a), dimensions={1,0}",
                      header="HloModule m, entry_computation_layout={(f32[2,3]{0,1})->f32[3,2]{0,1}}"),
                [array("f32[2,3]", f32(1, 2, 3, 4, 5, 6))], array("f32[3,2]", f32(1, 4, 2, 5, 3, 6))),
    "a layout in the shape of an input": (passing("f32[1,2]{0,1}"), [array("f32[1,2]{0,1}", f32(1, 2))],
                                          array("f32[1,2]", f32(1, 2))),
    "a called computation is not the entry": (
        entry("a = s8[] parameter(0)", "ROOT r = s8[] call(a), to_apply=negated",
              header="HloModule m\nnegated { x = s8[] parameter(0) ROOT y = s8[] negate(x) }"),
        [array("s8[]", "05")], array("s8[]", "fb")),
    # The conversion to StableHLO drops the kind, which means something for dgrad alone.
    "a convolution of the kind wgrad": (convolution("wgrad"), ONES, array("f32[1,2,1]", f32(21, 32))),
}
# A module, inputs, the status and words of the message.
REFUSED = [
    (passing("f6e2m3fn[1]"), [array("f6e2m3fn[1]", "00")], "unsupported", "f6e2m3fn"),
    (entry("a = f32[] parameter(0)", 'ROOT r = f32[] custom-call(a), custom_call_target="nobody"'),
     [array("f32[]", f32(1))], "unsupported", "nobody"),
    (convolution("dgrad"), ONES, "unsupported", "a convolution of the kind dgrad"),
    ("HloModule m\nENTRY e { ROOT r = f32[ }", [], "error", "Syntax error"),
    (passing("f32[2]"), [array("f32[3]", f32(1, 2, 3))], "error", "f32[2]", "f32[3]"),
    (passing("f32[2]"), [array("f32[2]", "00")], "error", "8 bytes"),
    (passing("f32[2]"), [array("f32[2]", "xyz")], "error"),
    (passing("f32[2]"), [], "error"),
]


class Peer:
    def __init__(self, *flags):
        self.process = subprocess.Popen([sys.executable, str(ADAPTER), *flags], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.requests = 0

    def ask_line(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def run(self, hlo, *inputs, replicas=1, partitions=1, per_device=None, stablehlo=None):
        self.requests += 1
        request = {"id": self.requests, "hlo": hlo, "replicas": replicas, "partitions": partitions}
        if stablehlo is not None:
            request["stablehlo_hex"] = (stablehlo if isinstance(stablehlo, bytes) else stablehlo.encode()).hex()
        request["inputs"] = per_device or [list(inputs)]
        reply = self.ask_line(json.dumps(request))
        assert reply["id"] == self.requests, reply
        return reply

    def close(self):
        self.process.stdin.write('{"bye": true}\n')
        rest = self.process.communicate(timeout=600)[0]
        return self.process.returncode, rest


class OnPeer:
    """A session with a peer, which `flags` chooses."""

    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.peer = Peer(*cls.flags)
        cls.greeting = cls.peer.ask_line('{"hello": 1}')

    @classmethod
    def tearDownClass(cls):
        cls.peer.process.stdin.close()
        cls.peer.process.wait(timeout=600)
        cls.peer.process.stdout.close()

    def assert_outputs(self, reply, *outputs):
        self.assertEqual(reply, {"id": reply["id"], "status": "ok", "outputs": list(outputs)})


class CommonCases(OnPeer):
    """The requirements on both peers."""

    def assert_status(self, reply, status, *words):
        self.assertEqual(reply["status"], status, reply)
        for word in words:
            self.assertIn(word, reply["message"])

    def test_hello(self):
        self.assertEqual(self.greeting["hello"], 1)
        self.assertEqual(self.greeting["name"], self.name)
        self.assertTrue(self.greeting["version"].startswith("jaxlib "))
        self.assertTrue(self.greeting["files"])
        self.assertIn("f8e4m3fn", self.greeting["types"])

    def test_values(self):
        for name, (hlo, inputs, output) in VALUES.items():
            with self.subTest(name):
                self.assert_outputs(self.peer.run(hlo, *inputs), output)

    def test_every_type_passes_through_unchanged(self):
        # Distinct bytes, and for the narrow types every bit pattern.
        patterns = {"pred": "0001", "s2": "0001feff", "u2": "00010203", "s4": "f8ff0007", "u4": "00070f08"}
        patterns |= {"f4e2m1fn": "0001080f"}
        for element_type in self.greeting["types"]:
            with self.subTest(element_type):
                data = patterns.get(element_type, "000102030405060780818283f0f1f2f3")
                width = WIDE_TYPES.get(element_type, 1)
                shape = f"{element_type}[{len(data) // 2 // width}]"
                self.assert_outputs(self.peer.run(passing(shape), array(shape, data)), array(shape, data))

    def test_the_same_module_twice_with_other_inputs(self):
        hlo = binary("multiply", "s32[1]")
        first = self.peer.run(hlo, array("s32[1]", "03000000"), array("s32[1]", "05000000"))
        second = self.peer.run(hlo, array("s32[1]", "03000000"), array("s32[1]", "ffffffff"))
        self.assert_outputs(first, array("s32[1]", "0f000000"))
        self.assert_outputs(second, array("s32[1]", "fdffffff"))

    def test_big_arrays_travel_in_files(self):
        count = (1 << 16) // 4 + 1
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "input")
            pathlib.Path(path).write_bytes(struct.pack("<f", 1.5) * count)
            shape = f"f32[{count}]"
            hlo = entry(f"a = {shape} parameter(0)", f"ROOT r = {shape} negate(a)")
            reply = self.peer.run(hlo, {"shape": shape, "data_file": path})
            self.assertEqual(reply["status"], "ok", reply)
            output = reply["outputs"][0]
            self.assertEqual(output["shape"], shape)
            self.assertEqual(os.path.dirname(output["data_file"]), folder)
            self.assertEqual(pathlib.Path(output["data_file"]).read_bytes(), struct.pack("<f", -1.5) * count)

    def test_requests_without_a_value_say_why(self):
        for hlo, inputs, status, *words in REFUSED:
            with self.subTest(hlo, inputs=inputs):
                self.assert_status(self.peer.run(hlo, *inputs), status, *words)
        self.assert_status(self.peer.run(passing("f32[]"), replicas=9), "unsupported", "9 devices")

    def test_lines_that_are_no_request(self):
        for line in ("garbage", "[" * 100000, "[1]", "3", "{", '{"id": 5}', '{"id": 6, "hlo": 1, "inputs": []}'):
            with self.subTest(line[:10]):
                self.assertEqual(self.peer.ask_line(line)["status"], "error")
        self.assertEqual(self.peer.ask_line('{"id": 5}')["id"], 5)

    def test_bytes_that_are_no_text(self):
        peer = Peer(*self.flags)
        peer.process.stdin.buffer.write(b'{"id": "\xff"}\n')
        peer.process.stdin.flush()
        self.assertEqual(json.loads(peer.process.stdout.readline())["status"], "error")
        self.assertEqual(peer.close(), (0, ""))

    def test_bye_ends_the_process_quietly(self):
        peer = Peer(*self.flags)
        peer.ask_line('{"hello": 1}')
        self.assertEqual(peer.close(), (0, ""))


class XlaCpuTest(CommonCases, unittest.TestCase):
    name = "xla-cpu"

    def test_replicas(self):
        hlo = "\n".join(["HloModule m",
                         "add { p = f32[] parameter(0) q = f32[] parameter(1) ROOT r = f32[] add(p, q) }",
                         "ENTRY e { a = f32[1] parameter(0) i = u32[] replica-id()",
                         "s = f32[1] all-reduce(a), replica_groups={}, to_apply=add",
                         "ROOT r = (f32[1], u32[]) tuple(s, i) }"])
        inputs = [[array("f32[1]", f32(device))] for device in range(4)]
        expected = [{"tuple": [array("f32[1]", f32(6)), array("u32[]", f"0{i}000000")]} for i in range(4)]
        self.assert_outputs(self.peer.run(hlo, replicas=4, per_device=inputs), *expected)

    def test_partitions_run_the_module_as_it_is(self):
        hlo = entry("a = f32[1] parameter(0)", "i = u32[] partition-id()",
                    "s = f32[1] collective-permute(a), source_target_pairs={{0,1}}, channel_id=1",
                    "ROOT r = (f32[1], u32[], f32[1]) tuple(s, i, a)")
        inputs = [[array("f32[1]", f32(5))], [array("f32[1]", f32(6))]]
        expected = [{"tuple": [array("f32[1]", f32(0)), array("u32[]", "00000000"), array("f32[1]", f32(5))]},
                    {"tuple": [array("f32[1]", f32(5)), array("u32[]", "01000000"), array("f32[1]", f32(6))]}]
        self.assert_outputs(self.peer.run(hlo, partitions=2, per_device=inputs), *expected)

    def test_an_unsigned_start_with_the_high_bit(self):
        # 200 stays 200; 4294967295 is beyond the end, so that the last elements are taken.
        for start, size, first in (("u8[] constant(200)", 300, 200), ("u32[] constant(4294967295)", 8, 5)):
            hlo = entry(f"a = f32[{size}] parameter(0)", f"i = {start}",
                        "ROOT r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}")  # fmt: skip
            reply = self.peer.run(hlo, array(f"f32[{size}]", f32(*range(size))))
            self.assert_outputs(reply, array("f32[3]", f32(first, first + 1, first + 2)))

    def test_unsupported_reshape_of_a_run_time_size(self):
        add = "add { x = s32[] parameter(0) y = s32[] parameter(1) ROOT z = s32[] add(x, y) }"
        hlo = entry("a = s32[2,4,4] parameter(0)", "n = s32[] constant(2)", "o = s32[] constant(0)",
                    "d = s32[2,<=4,4] set-dimension-size(a, n), dimensions={1}",
                    "s = s32[<=16,2] reshape(d), inferred_dimension=0",
                    "ROOT r = s32[] reduce(s, o), dimensions={0,1}, to_apply=add",
                    header=f"HloModule m\n{add}")  # fmt: skip
        self.assert_status(self.peer.run(hlo, array("s32[2,4,4]", "00" * 128)), "unsupported", "is not supported")

    def test_a_module_that_stablehlo_would_change_is_declined(self):
        hlo = entry("a = f32[2,2] parameter(0)", "ROOT r = s32[2,2]{0,1} bitcast(a)")
        reply = self.peer.run(hlo, array("f32[2,2]", f32(1, 2, 3, 4)))
        self.assert_status(reply, "unsupported", "StableHLO changes the module", "{0,1} bitcast", "{1,0} bitcast")

    def test_a_bitcast_between_layouts_moves_elements(self):
        # Column-major memory 1 2 3 4 5 6 of [2,3] has the rows 1 3 5 and 2 4 6.
        hlo = entry("a = f32[3,2] parameter(0)", "ROOT r = f32[2,3]{0,1} bitcast(a)")
        reply = self.peer.run(hlo, array("f32[3,2]", f32(1, 2, 3, 4, 5, 6)))
        self.assert_outputs(reply, array("f32[2,3]", f32(1, 3, 5, 2, 4, 6)))

    def test_a_bitcast_in_the_input_is_refused_by_the_compiler_if_it_does_anything(self):
        six = array("f32[2,3]", f32(1, 2, 3, 4, 5, 6))
        hlo = entry("a = f32[2,3] parameter(0)", "ROOT r = f32[3,2] bitcast(a)")
        self.assert_status(self.peer.run(hlo, six), "unsupported", "Unexpected bitcast")
        self.assert_outputs(self.peer.run(hlo.replace("[3,2]", "[2,3]"), six), six)

    def test_run_time_sizes_at_the_entry(self):
        hlo = entry(
            "t = (f32[<=3,2], s32[]) parameter(1)", "a = f32[<=4] parameter(0)", "n = f32[<=4] negate(a)",
            "z = s32[] get-dimension-size(n), dimensions={0}", "b = f32[<=3,2] get-tuple-element(t), index=0",
            "c = s32[] get-tuple-element(t), index=1", "s = f32[4] set-dimension-size(n, z), dimensions={0}",
            "u = (f32[<=3,2], f32[<=4]) tuple(b, n)", "ROOT r = ((f32[<=3,2], f32[<=4]), s32[]) tuple(u, z)",
        ).replace("s = f32[4] set", "s = f32[<=4] set")  # fmt: skip
        for count in (0, 1, 4):
            with self.subTest(count):
                values = [1.5, -2, 3, 4][:count]
                pair = {"tuple": [array("f32[1,2]", f32(5, 6)), array("s32[]", "07000000")]}
                reply = self.peer.run(hlo, array(f"f32[{count}]", f32(*values)), pair)
                negated = array(f"f32[{count}]", f32(*(-value for value in values)))
                inner = {"tuple": [array("f32[1,2]", f32(5, 6)), negated]}
                self.assert_outputs(reply, {"tuple": [inner, array("s32[]", struct.pack("<i", count).hex())]})

    def test_run_time_sizes_count_in_a_reduction(self):
        add = "HloModule m\nadd { x = f32[] parameter(0) y = f32[] parameter(1) ROOT z = f32[] add(x, y) }"
        hlo = entry("a = f32[<=3,<=4] parameter(0)", "k = f32[] constant(0)",
                    "ROOT r = f32[<=3] reduce(a, k), dimensions={1}, to_apply=add", header=add)  # fmt: skip
        self.assert_outputs(self.peer.run(hlo, array("f32[2,3]", f32(1, 2, 3, 4, 5, 6))), array("f32[2]", f32(6, 15)))

    def test_an_input_beyond_its_bounds(self):
        hlo = passing("f32[<=2,3]")
        for shape in ("f32[3,3]", "f32[2,2]", "f32[2]", "s32[2,3]", "f32"):
            self.assert_status(self.peer.run(hlo, array(shape, "")), "error", "f32[<=2,3]", shape)

    def test_random_bits_come_back_in_the_declared_type(self):
        # Philox of state [1, 2], first four words; XLA:CPU returns them as u32.
        words = [0x7D34A749, 0xA9B8BBE8, 0x7BA423D7, 0x2FB324D9]
        hlo = entry("a = u64[2] parameter(0)", "ROOT r = (u64[2], f32[4]) rng-bit-generator(a), algorithm=rng_philox")
        reply = self.peer.run(hlo, array("u64[2]", struct.pack("<2Q", 1, 2).hex()))
        self.assertEqual(reply["outputs"][0]["tuple"][1], array("f32[4]", struct.pack("<4I", *words).hex()))


class StableHloTest(CommonCases, unittest.TestCase):
    flags = ("--stablehlo",)
    name = "stablehlo"

    def test_dot_in_its_plainer_form(self):
        hlo = entry("a = f32[2,2] parameter(0)", "b = f32[2] parameter(1)",
                    "ROOT r = f32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}")
        reply = self.peer.run(hlo, array("f32[2,2]", f32(1, 2, 3, 4)), array("f32[2]", f32(10, 1)))
        self.assert_outputs(reply, array("f32[2]", f32(12, 34)))

    def test_an_op_that_the_interpreter_lacks(self):
        hlo = entry("a = f32[1,1] parameter(0)", "ROOT r = f32[1,1] cholesky(a), lower=true")
        self.assert_status(self.peer.run(hlo, array("f32[1,1]", f32(4))), "unsupported", "cholesky")
        # The peer is still there.
        self.assert_outputs(self.peer.run(passing("f32[1]"), array("f32[1]", f32(1))), array("f32[1]", f32(1)))
