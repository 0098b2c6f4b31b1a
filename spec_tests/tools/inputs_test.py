"""Inputs on the command line: .npy and JSON files, literals, seeds; good ones and bad ones. ASSAY names the executable."""

import os
import struct
import zipfile

import ml_dtypes
import numpy as np
from command_line import ADD, CliTest, each, entry, passing


def npy(header, data=b"", version=1, magic=b"\x93NUMPY"):
    header = header.encode()
    return magic + bytes([version, 0]) + struct.pack("<H", len(header)) + header + data


class NpyTest(CliTest):
    def header(self, descr="<f4", order="False", shape="(2,)"):
        return f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n"

    def test_malformed(self):
        path = self.file("m.hlo", passing("f32[2]"))
        good = np.array([1, 2], np.float32).tobytes()
        for name, content in {"bad magic": npy(self.header(), good, magic=b"\x93NUMPX"), "empty": b"",
                              "only magic": b"\x93NUMPY", "version 9": npy(self.header(), good, version=9),
                              "cut header": npy(self.header(), good)[:30],
                              "header longer than the file": b"\x93NUMPY\x01\x00\xff\xff{",
                              "too little data": npy(self.header(), good[:7]),
                              "too much data": npy(self.header(), good + b"x"),
                              "wrong type": npy(self.header(descr="<i4"), good),
                              "big endian": npy(self.header(descr=">f4"), good),
                              "objects": npy(self.header(descr="|O"), good),
                              "unclosed type": npy("{'descr': '<f4", good),
                              "wrong shape": npy(self.header(shape="(1, 2)"), good),
                              "huge shape": npy(self.header(shape="(1000000000000,)"), good),
                              "overflowing shape": npy(self.header(shape="(4294967296, 4294967296, 4)"), good),
                              "overflowing dimension": npy(self.header(shape="(99999999999999999999,)"), good),
                              "negative dimension": npy(self.header(shape="(-2,)"), good),
                              "no tuple": npy(self.header(shape="2"), good),
                              "unclosed tuple": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,", good),
                              "no header": npy("", good)}.items():
            with self.subTest(name):
                self.assert_fails(2, "input 0: " if "wrong" not in name else "f32[2]", "run", path,
                                  "--input", self.file("a.npy", content))

    def test_other_items_say_what_to_save(self):
        path = self.file("m.hlo", passing("f32[2]"))
        fields = np.array([(1, 2), (3, 4)], [("x", "<f4"), ("y", "<i4")])
        for array, hint in ((np.array([1, 2], ">f4"), "save array.astype(array.dtype.newbyteorder('<'))"),
                            (fields, "the items are structured: save each field, such as array['x'], as a file"),
                            (np.array(["a", "b"]), "convert the items to numbers, with array.astype"),
                            (np.array(["2026-11-26"], "M8[D]"), "convert the items to numbers")):  # fmt: skip
            with self.subTest(hint):
                np.save(self.folder / "a.npy", array)
                self.assert_fails(2, hint, "run", path, "--input", self.folder / "a.npy")
        # The hint leads to a file that is read.
        np.save(self.folder / "a.npy", np.array([1, 2], ">f4").astype("<f4"))
        self.assertEqual(self.assay("run", path, "--input", self.folder / "a.npy").stdout, "{1, 2}\n")

    def test_pred_bytes(self):
        path = self.file("m.hlo", passing("pred[2]"))
        data = self.file("a.npy", npy(self.header(descr="|b1"), b"\x00\x02"))
        self.assert_fails(2, "element 1", "run", path, "--input", data)

    def test_both_orders_and_all_types(self):
        for name, dtype in (("f32", "f4"), ("f64", "f8"), ("f16", "f2"), ("s8", "i1"), ("u16", "u2"), ("s64", "i8"),
                            ("c64", "c8"), ("c128", "c16"), ("pred", "?")):
            array = np.arange(6).reshape(2, 3).astype(dtype)
            path = self.file("m.hlo", passing(f"{name}[2,3]"))
            for order in "CF":
                with self.subTest(name=name, order=order):
                    np.save(self.folder / "a.npy", np.asarray(array, order=order))
                    out = self.folder / f"out-{name}-{order}"
                    result = self.assay("run", path, "--input", self.folder / "a.npy", "--out", out)
                    self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
                    back = np.load(out / "output.npy")
                    self.assertEqual(back.dtype, array.dtype)
                    np.testing.assert_array_equal(back, array)

    def test_raw_items_take_the_type_of_the_parameter(self):
        # As a view of raw items is saved. 1.0 is 3f80, -2.0 is c000.
        path = self.file("m.hlo", passing("bf16[2]"))
        data = self.file("a.npy", npy(self.header(descr="|V2"), bytes.fromhex("803f00c0")))
        self.assertEqual(self.assay("run", path, "--input", data, code=0).stdout, "{1, -2}\n")
        for descr in ("<V1", "<V4", "<V", "<V02"):
            data = self.file("a.npy", npy(self.header(descr=descr), bytes.fromhex("803f00c0")))
            self.assert_fails(2, f"the item type {descr} fits no element type", "run", path, "--input", data)

    @each((("f32[2]", "<V4"), ("f32[2]", "|V4"), ("s64[1]", "|V8"), ("f16[4]", "<V2"), ("pred[8]", "|V1")))
    def test_raw_items_are_no_numbers_of_a_type_that_numpy_names(self, shape, descr):
        size = int(shape.split("[")[1][:-1])
        path = self.file("m.hlo", passing(shape))
        data = self.file("a.npy", npy(self.header(descr=descr, shape=f"({size},)"), bytes(8)))
        self.assert_fails(2, f"the item type {descr} fits no element type, expected {shape}", "run", path,
                          "--input", data)

    def test_arrays_of_ml_dtypes_as_numpy_saves_them(self):
        for name, shape, numbers, text in (
            ("bfloat16", "bf16", [1.5, -2], "{1.5, -2}"), ("float8_e5m2", "f8e5m2", [1.5, -2], "{1.5, -2}"),
            ("float8_e4m3", "f8e4m3", [1.5, -2], "{1.5, -2}"), ("float8_e4m3fn", "f8e4m3fn", [1.5, -2], "{1.5, -2}"),
            ("float8_e4m3fnuz", "f8e4m3fnuz", [1.5, -2], "{1.5, -2}"),
            ("float8_e4m3b11fnuz", "f8e4m3b11fnuz", [1.5, -2], "{1.5, -2}"),
            ("float8_e5m2fnuz", "f8e5m2fnuz", [1.5, -2], "{1.5, -2}"), ("float8_e3m4", "f8e3m4", [1.5, -2], "{1.5, -2}"),
            ("float8_e8m0fnu", "f8e8m0fnu", [0.5, 4], "{0.5, 4}"), ("float6_e2m3fn", "f6e2m3fn", [1.5, -2], "{1.5, -2}"),
            ("float6_e3m2fn", "f6e3m2fn", [1.5, -2], "{1.5, -2}"), ("float4_e2m1fn", "f4e2m1fn", [1.5, -2], "{1.5, -2}"),
            ("int4", "s4", [-8, -1], "{-8, -1}"), ("int2", "s2", [-2, -1], "{-2, -1}"), ("int1", "s1", [-1, 0], "{-1, 0}"),
            ("uint4", "u4", [8, 15], "{8, 15}"), ("uint2", "u2", [3, 1], "{3, 1}"), ("uint1", "u1", [1, 0], "{1, 0}"),
        ):  # fmt: skip
            array = np.array([numbers, numbers], getattr(ml_dtypes, name))
            path = self.file("m.hlo", passing(f"{shape}[2,2]"))
            np.savez(self.folder / "a.npz", c=array, fortran=np.asfortranarray(array))
            np.save(self.folder / "saved.npy", array)
            with zipfile.ZipFile(self.folder / "a.npz") as archive:
                archive.extractall(self.folder)
            for file in ("saved.npy", "c.npy", "fortran.npy"):
                with self.subTest(name=name, file=file):
                    result = self.assay("run", path, "--input", self.folder / file)
                    self.assertEqual((result.returncode, "".join(result.stdout.split())),
                                     (0, "{" + ",".join([text.replace(" ", "")] * 2) + "}"), result.stderr)


class JsonInputsTest(CliTest):
    def test_malformed(self):
        array = {"shape": "f32[2]", "data_hex": "0000803f00000040"}
        deep = '{"tuple": [' * 100_000 + "]}" * 100_000
        for name, content, message in (
            ("no JSON", "{", "i.json: not valid JSON: line 1, column 2: the text ends"),
            ("empty", "", "i.json: not valid JSON: line 1, column 1: the text ends"),
            ("no JSON in line 3", '{"inputs":\n [\n  1, oops]}', "i.json: not valid JSON: line 3, column "),
            ("a key twice", '{"inputs": [], "inputs": []}', 'i.json: duplicate key "inputs" in one object'),
            ("an empty key twice", '{"": [], "": []}', 'i.json: duplicate key "" in one object'),
            ("an archive", b"PK\x03\x04" + b"x" * 50, "i.json: an archive (.npz): --input takes the .npy files"),
            ("a file that is none", {"inputs": [{"shape": "f32[2]", "data_file": "/dev/zero"}, array]},
             "i.json: input 0: data_file /dev/zero is not a regular file"),
            ("bad UTF-8", b'{"inputs": ["\xff"]}', "not valid JSON"),
            ("a list", [], "inputs"),
            ("no inputs", {"input": []}, "inputs"),
            ("inputs no list", {"inputs": 3}, "i.json: expected a list of 2 inputs, one for each parameter, found no list"),
            ("too few", {"inputs": [array]}, "i.json: expected a list of 2 inputs, one for each parameter, found 1"),
            ("too many", {"inputs": [array] * 3}, "2 inputs"),
            ("no devices", {"inputs_per_device": []}, "inputs_per_device"),
            ("device no list", {"inputs_per_device": [3]}, "list"),
            ("no object", {"inputs": [3, array]}, "input 0: "),
            ("no shape", {"inputs": [{"data_hex": ""}, array]}, "shape"),
            ("shape no string", {"inputs": [{"shape": 3, "data_hex": ""}, array]}, "shape"),
            ("bad shape", {"inputs": [{"shape": "f33[2]", "data_hex": ""}, array]}, "f33[2]"),
            ("tuple shape", {"inputs": [{"shape": "(f32[2])", "data_hex": ""}, array]}, "(f32[2])"),
            ("no data", {"inputs": [{"shape": "f32[2]"}, array]}, "data_hex"),
            ("data no string", {"inputs": [{"shape": "f32[2]", "data_hex": 7}, array]}, "data_hex"),
            ("odd digits", {"inputs": [{"shape": "f32[2]", "data_hex": "0000803f0000004"}, array]}, "16 digits"),
            ("short", {"inputs": [{"shape": "f32[2]", "data_hex": "0000803f"}, array]}, "16 digits"),
            ("no hex", {"inputs": [{"shape": "f32[2]", "data_hex": "0000803f0000004g"}, array]}, "hex"),
            ("huge", {"inputs": [{"shape": "f32[1000000000000]", "data_hex": "00"}, array]}, "digits"),
            ("overflow", {"inputs": [{"shape": "f32[4294967296,4294967296,4]", "data_hex": ""}, array]}, "input 0"),
            ("other shape", {"inputs": [{"shape": "f32[1]", "data_hex": "0000803f"}, array]}, "f32[2]"),
            ("other type", {"inputs": [{"shape": "s32[2]", "data_hex": "0000803f00000040"}, array]}, "f32[2]"),
            ("tuple for array", {"inputs": [{"tuple": [array]}, array]}, "f32[2]"),
            ("token for array", {"inputs": [{"token": True}, array]}, "f32[2]"),
            ("tuple no list", {"inputs": [{"tuple": 1}, array]}, "tuple"),
            ("deep", '{"inputs": [' + deep + "]}", "levels deep"),
        ):
            with self.subTest(name):
                self.assert_fails(2, message, "run", self.file("m.hlo", ADD), "--inputs", self.file("i.json", content))

    def test_a_pipe_is_not_opened(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        inputs = self.file("i.json", {"inputs": [{"shape": "f32[2]", "data_file": str(pipe)}]})
        self.assert_fails(2, "is not a regular file", "run", self.file("m.hlo", passing("f32[2]")), "--inputs", inputs)

    @each((
        ("s4[2]", "f807", True), ("s4[2]", "0800", False), ("s4[2]", "00f7", False), ("u4[1]", "0f", True),
        ("u4[1]", "10", False), ("s2[1]", "fe", True), ("s2[1]", "02", False), ("pred[2]", "0001", True),
        ("pred[2]", "0002", False), ("f4e2m1fn[1]", "0f", True), ("f4e2m1fn[1]", "10", False),
    ))
    def test_bytes_that_a_type_does_not_have(self, shape, data, ok):
        path = self.file("m.hlo", passing(shape))
        inputs = self.file("i.json", {"inputs": [{"shape": shape, "data_hex": data}]})
        if ok:
            outputs = self.run_json(path, "--inputs", inputs)["outputs"]
            self.assertEqual(outputs, [{"shape": shape, "data_hex": data}])
        else:
            self.assert_fails(2, "outside [", "run", path, "--inputs", inputs)


class InputsTest(CliTest):
    def test_count_and_shape(self):
        path = self.file("m.hlo", ADD)
        two = "f32[2] {1, 2}"
        self.assert_fails(2, "takes 2 inputs, found 1", "run", path, "--input", two)
        self.assert_fails(2, "takes 2 inputs, found 3", "run", path, *["--input", two] * 3)
        self.assert_fails(2, "expects f32[2], found f32[1]", "run", path, "--input", "f32[1] {1}", "--input", two)
        self.assert_fails(2, "input 1: ", "run", path, "--input", two, "--input", "f32[2] {1, 2")
        self.assert_fails(2, "input 1: ", "run", path, "--input", two, "--input", "")
        self.assert_fails(2, "no such file", "run", path, "--input", two, "--input", "none.npy")
        self.assert_fails(2, "is a directory", "run", path, "--input", two, "--input", self.folder)
        self.assert_fails(2, "exclude", "run", path, "--input", two, "--inputs", path)
        self.assert_fails(2, "", "run", path, "--inputs", self.folder / "none.json")

    def test_literal_and_literal_file(self):
        path = self.file("m.hlo", ADD)
        result = self.assay("run", path, "--input", "f32[2] {1, 2}", "--input", self.file("b", "f32[2] {0.5, -inf}"))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "{1.5, -inf}\n", ""))

    def test_a_literal_has_the_shape_of_its_parameter(self):
        for shape, values, printed in (("f32[3]", "{1,2,3}", "{1, 2, 3}"), ("s32[]", "-7", "-7"), ("f32[]", "nan", "nan"),
                                       ("pred[2]", "{true, false}", "{1, 0}"), ("c64[]", "(1, -2)", "(1, -2)"),
                                       ("f32[2,2]", "{{1,2},{3,4}}", "{ { 1, 2 }, { 3, 4 } }"),
                                       ("f32[2]", "{x3f800000, 2}", "{1, 2}")):  # fmt: skip
            with self.subTest(shape=shape):
                path = self.file("m.hlo", passing(shape))
                alone = self.assay("run", path, "--input", values)
                self.assertEqual((alone.returncode, alone.stderr), (0, ""))
                self.assertEqual(alone.stdout, self.assay("run", path, "--input", f"{shape} {values}").stdout)
                self.assertEqual(alone.stdout.split(), printed.split())
                in_file = self.assay("run", path, "--input", self.file("values", values + "\n"))
                self.assertEqual(in_file.stdout, alone.stdout)
        path = self.file("m.hlo", passing("f32[3]"))
        self.assert_fails(2, "input 0: ", "run", path, "--input", "{1, 2}")
        self.assert_fails(2, "expects f32[3], found f32[2]", "run", path, "--input", "f32[2] {1, 2}")

    def test_written_inputs_are_read_again(self):
        module = entry("x = f32[2] parameter(0)", "n = s4[3] parameter(1)",
                       "ROOT t = (f32[2], s4[3]) tuple(x, n)")  # fmt: skip
        path, written = self.file("m.hlo", module), self.folder / "written.json"
        seeded = self.run_json(path, "--seed", "7", "--write-inputs", written)
        self.assertEqual(self.run_json(path, "--inputs", written)["outputs"], seeded["outputs"])
        self.assertNotEqual(self.run_json(path)["outputs"], seeded["outputs"])
        # Every form of arguments is written; the bits survive.
        given = ("--input", "f32[2] {x7fc00001, -0}", "--input", "{1, -8, 7}")
        bits = self.run_json(path, *given, "--write-inputs", written)["outputs"]
        self.assertEqual(self.run_json(path, "--inputs", written)["outputs"], bits)
        # diff writes and reads the same, and triage reads it too.
        self.assay("diff", path, "--backend", "reference", "--seed", "7", "--write-inputs", written, code=0)
        self.assertEqual(self.run_json(path, "--inputs", written)["outputs"], seeded["outputs"])
        self.file("case/module.hlo", module)
        self.file("case/outputs-mine.json", seeded)
        run = self.assay("triage", self.folder / "case")
        self.assertIn("--write-inputs", run.stdout + run.stderr)
        self.file("case/inputs.json", written.read_bytes())
        self.assertIn("lawful", self.assay("triage", self.folder / "case", code=0).stdout)

    def test_seeded_arrays_that_cannot_fit_are_not_made(self):
        # The array alone fits into 4 GiB; with its negative it does not.
        path = self.file("m.hlo", entry("x = f32[1000000000] parameter(0)", "ROOT r = f32[1000000000] negate(x)"))
        run = self.assert_fails(4, "memory limit of 4 GiB (--memory-limit): arrays have 0 bytes, 7.451 GiB", "run", path)
        self.assertNotIn("made from seed", run.stderr)

    def test_numbers_by_their_bits(self):
        path = self.file("m.hlo", passing("f32[3]"))
        inputs = ("--input", "f32[3] {x006ce3ee, xff800000, 1.5}")
        self.assertEqual(self.run_json(path, *inputs)["outputs"][0]["data_hex"], "eee36c00" + "000080ff" + "0000c03f")
        path = self.file("c.hlo", passing("c64[1]"))
        self.assertEqual(self.run_json(path, "--input", "c64[1] {(x3f800000, -0)}")["outputs"][0]["data_hex"],
                         "0000803f" + "00000080")
        path = self.file("n.hlo", passing("f8e4m3fn[1]"))
        self.assertEqual(self.run_json(path, "--input", "f8e4m3fn[1] {x7f}")["outputs"][0]["data_hex"], "7f")
        for text, message in (("{x100}", "x100 is out of range for f8e4m3fn"), ("{x}", "expected a number"),
                              ("{xyz}", "expected a number")):
            self.assert_fails(2, message, "run", path, "--input", "f8e4m3fn[1] " + text)
        # HLO itself has decimals alone, and integers are no bits.
        self.assert_fails(2, "expected a number", "verify", self.file("k.hlo", entry("ROOT c = f32[1] constant({x3f800000})")))
        self.assert_fails(2, "expected an integer", "run", self.file("s.hlo", passing("s32[1]")), "--input", "s32[1] {x1}")

    def test_files_of_another_kind(self):
        path = self.file("m.hlo", passing("f32[2]"))
        self.assert_fails(2, "--inputs takes JSON", "run", path, "--input", self.file("i.json", '{"inputs": []}'))
        self.assert_fails(2, "an archive (.npz)", "run", path, "--input", self.file("a.npz", b"PK\x03\x04zip"))

    def test_huge_literal(self):
        path = self.file("m.hlo", passing("f32[1000000000000]"))
        result = self.assay("run", path, "--input", "f32[1000000000000] {1}")
        self.assertIn(result.returncode, (2, 4))
        self.assertIn("error: ", result.stderr)

    def test_seeded_inputs(self):
        path = self.file("m.hlo", passing("f32[2]"))
        first = self.run_json(path, "--seed", "5")
        self.assertEqual(first["outputs"], self.run_json(path, "--seed", "5")["outputs"])
        self.assertNotEqual(first["outputs"], self.run_json(path, "--seed", "6")["outputs"])
        # The generators that interpreter/hlo/fill.h and tools/inputs.h describe, in Python's own arithmetic.
        mask = 2**64 - 1

        def mix(z):
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
            return z ^ (z >> 31)

        want = [(mix((5 + (i + 1) * 0x9E3779B97F4A7C15) & mask) >> 11) * 2.0**-52 - 1 for i in range(2)]
        got = np.frombuffer(bytes.fromhex(first["outputs"][0]["data_hex"]), "<f4")
        # (x + 1) / 2, where x has been rounded to f32.
        np.testing.assert_array_equal(got, ((np.array(want, np.float32).astype(float) + 1) / 2).astype(np.float32))

    def test_seeded_inputs_are_announced(self):
        result = self.assay("run", self.file("m.hlo", ADD), "--seed", "5")
        self.assertEqual((result.returncode, result.stderr), (0, "note: no inputs given; made from seed 5\n"))

    def test_elided_constants(self):
        path = self.file("m.hlo", entry("a = s32[4] constant({...})", "b = s32[4] constant({...})",
                                        "ROOT t = (s32[4], s32[4]) tuple(a, b)"))
        first = self.assay("run", path, code=0)
        self.assertEqual(first.stderr, "note: 2 constants have no values in the text ({...}); filled from seed 0\n")
        self.assertEqual(self.assay("run", path).stdout, first.stdout)
        self.assertNotEqual(self.assay("run", path, "--seed", "1").stdout, first.stdout)
        tuple_ = self.run_json(path)["outputs"][0]["tuple"]
        self.assertNotEqual(tuple_[0]["data_hex"], tuple_[1]["data_hex"])

    def test_big_seeded_arrays_are_the_small_ones_continued(self):
        small = self.run_json(self.file("s.hlo", passing("s16[10]")))["outputs"][0]["data_hex"]
        big = self.run_json(self.file("b.hlo", passing("s16[200000]")))["outputs"][0]["data_hex"]
        self.assertTrue(big.startswith(small))
        values = np.frombuffer(bytes.fromhex(big), "<i2")
        self.assertEqual((values.min(), values.max()), (0, 8))
        self.assertNotEqual(list(values[:65536]), list(values[65536:131072]))
