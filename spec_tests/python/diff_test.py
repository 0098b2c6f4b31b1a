"""`assay.diff`, `judge`, `check`, `explain` and `repro`: verdicts as Python has them."""

import dataclasses
import json
import pathlib
import sys
import tempfile
import unittest

import assay
import ml_dtypes
import numpy as np
from assay._sources import Sources

TWO = """HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] add(x, x), metadata={op_name="jit(f)/add" source_file="/home/me/f.py" source_line=7}
  z = f32[4] floor(y), metadata={op_name="jit(f)/floor" source_file="/home/me/f.py" source_line=8}
  ROOT r = (f32[4], f32[4]) tuple(z, y)
}
"""
X = [0.25, -0.75, -1.25, 2]
FRAMES = """HloModule m

FileNames
1 "/home/me/a \\"b\\".py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=4 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY e {
  x = f32[] parameter(0)
  ROOT r = f32[] negate(x), metadata={op_name="neg" stack_frame_id=1}
}
"""


class Diff(unittest.TestCase):
    def test_a_failure_names_the_output_the_instruction_and_its_source(self):
        found = assay.diff(TWO, X, backend="mutant:floor_truncates")
        self.assertEqual(found.verdict, assay.Verdict.FAIL)
        self.assertTrue(found.verdict.is_failure)
        floor, add = found.outputs
        self.assertEqual((floor.verdict, floor.not_exact, add.verdict, add.worst), ("FAIL", 2, "EXACT", None))
        self.assertEqual(floor.want.tolist(), [0, -2, -3, 4])  # of 0.5, -1.5, -2.5, 4
        self.assertEqual(floor.got.tolist(), [0, -1, -2, 4])
        self.assertEqual((floor.worst.index, floor.worst.got, floor.worst.want),
                         ((1,), "xbf800000 (-1)", "xc0000000 (-2)"))
        self.assertEqual(floor.ulp_errors.tolist(), [0, 2**23, 2**22, 0])
        first = found.first_divergent
        self.assertEqual((first.line, first.verdict, first.source),
                         (5, "FAIL", assay.Source("/home/me/f.py", 8, "jit(f)/floor")))
        self.assertEqual(first.text, "%z = f32[4]{0} floor(%y)")
        self.assertEqual((found.region.lines, found.region.sources[0].line), ((5,), 8))
        self.assertEqual(assay.evaluate(found.region.hlo, [0.5, -1.5, -2.5, 4]).tolist(), [0, -2, -3, 4])
        text = str(found)
        self.assertRegex(text, r"^FAIL: m on mutant:floor_truncates \S+, profile xla\n")
        self.assertIn("    FAIL     line 5: %z = f32[4]{0} floor(%y)\n             /home/me/f.py:8 (jit(f)/floor)\n",
                      text)
        with self.assertRaises(AssertionError):
            found.raise_if_failed()

    def test_a_lawful_difference_names_the_instruction_too(self):
        module = "HloModule m\nENTRY e { x = f32[50] parameter(0) y = f32[50] add(x, x) ROOT r = f32[50] tanh(y) }"
        found = assay.diff(module, np.linspace(-1, 1, 50, dtype=np.float32), backend="lawful:xla:1")
        self.assertEqual((found.verdict, found.profile), ("LEGAL", "xla"))
        self.assertEqual(found.first_divergent.text, "%r = f32[50]{0} tanh(%y)")
        self.assertLessEqual(found.outputs[0].ulp_errors.max(), 5)
        self.assertIs(found.raise_if_failed(), found)

    def test_equal_outputs_are_exact(self):
        found = assay.diff(TWO, X, backend="reference")
        self.assertEqual((found.verdict, found.instructions, found.region), ("EXACT", (), None))
        self.assertEqual([output.verdict for output in found.outputs], ["EXACT", "EXACT"])
        with self.assertRaises(dataclasses.FrozenInstanceError):
            found.verdict = assay.Verdict.FAIL

    def test_arguments_are_made_from_a_seed(self):
        one, again, other = (assay.diff(TWO, backend="reference", seed=seed) for seed in (1, 1, 2))
        self.assertEqual(one.inputs[0][0].tolist(), again.inputs[0][0].tolist())
        self.assertNotEqual(one.inputs[0][0].tolist(), other.inputs[0][0].tolist())

    def test_a_command_is_a_backend(self):
        peer = [sys.executable, "-c", "import json, sys\nfor line in sys.stdin:\n  m = json.loads(line)\n"
                "  if 'bye' in m: break\n  h = {'hello': 1, 'name': 'none', 'version': '1'}\n"
                "  print(json.dumps(h if 'hello' in m else {'id': m['id'], 'status': 'error', 'message': 'tired'}))\n"
                "  sys.stdout.flush()"]  # fmt: skip
        found = assay.diff(TWO, X, backend=peer)
        self.assertEqual((found.verdict, found.reason, found.backend),
                         ("ERROR", "the backend reported an error: tired", "none 1"))
        with self.assertRaisesRegex(assay.Error, "unknown backend nobody"):
            assay.diff(TWO, X, backend="nobody")
        with self.assertRaises(assay.Error) as raised:
            assay.diff(TWO, X, backend=["false"])
        self.assertEqual(raised.exception.code, "backend")
        with self.assertRaisesRegex(assay.Error, "profile"):
            assay.diff(TWO, X, backend="reference", profile="none")


class Compare(unittest.TestCase):
    AFTER = TWO.replace("y = f32[4] add(x, x)", "t = f32[] constant(2)\n  b = f32[4] broadcast(t), dimensions={}\n"
                        "  y = f32[4] multiply(x, b)")  # fmt: skip

    def test_the_same_bits(self):
        found = assay.compare(TWO, self.AFTER, X)
        self.assertEqual((found.verdict, found.backend, found.first_divergent), ("EXACT", "m", None))
        self.assertEqual(found.outputs[0].got.tolist(), [0, -2, -3, 4])

    def test_a_wrong_change_names_the_first_pair(self):
        found = assay.compare(TWO, self.AFTER.replace("multiply(x, b)", "maximum(x, b)"), X)
        self.assertEqual((found.verdict, found.first_divergent.line), ("FAIL", 4))
        self.assertEqual([output.verdict for output in found.outputs], ["FAIL", "FAIL"])
        self.assertIn("maximum", found.first_divergent.reason)
        self.assertEqual(found.first_divergent.source.line, 7)

    def test_a_partitioned_module(self):
        sharding = "sharding={devices=[2]<=[2]}"
        before = f"HloModule b\nENTRY e {{ x = f32[4] parameter(0), {sharding} ROOT r = f32[4] negate(x), {sharding} }}"
        after = "HloModule a, num_partitions=2\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] negate(x) }"
        found = assay.compare(before, after, X)
        self.assertEqual((found.verdict, found.outputs[0].got.tolist()), ("EXACT", [-0.25, 0.75, 1.25, -2]))

    def test_other_interfaces_are_errors(self):
        with self.assertRaisesRegex(assay.Error, "1 parameter array before, 0 after"):
            assay.compare(TWO, "HloModule m\nENTRY e { ROOT c = f32[4] constant({1, 2, 3, 4}) }", X)


class Judge(unittest.TestCase):
    def test_outputs_computed_elsewhere(self):
        right = [np.float32([0, -2, -3, 4]), np.float32([0.5, -1.5, -2.5, 4])]
        self.assertEqual(assay.judge(TWO, [X], right).verdict, "EXACT")
        wrong = [right[0], np.float32([0.5, -1.5, -2.5, 5])]
        found = assay.judge(TWO, [X], wrong, name="mine")
        self.assertEqual((found.verdict, found.backend), ("FAIL", "mine"))
        self.assertEqual([output.verdict for output in found.outputs], ["EXACT", "FAIL"])
        self.assertEqual(found.outputs[1].worst.index, (3,))

    def test_a_backend_runs_the_parts(self):
        wrong = [np.float32([0, -1, -2, 4]), np.float32([0.5, -1.5, -2.5, 4])]
        found = assay.judge(TWO, [X], wrong, backend="mutant:floor_truncates")
        self.assertEqual((found.verdict, found.first_divergent.line), ("FAIL", 5))

    def test_outputs_of_another_shape_are_an_error(self):
        with self.assertRaisesRegex(assay.Error, r"f32\[4\]"):
            assay.judge(TWO, [X], [np.zeros(3, np.float32), np.zeros(4, np.float32)])


class Distance(unittest.TestCase):
    def test_counts_numbers_of_the_type(self):
        distance = assay.ulp_distance
        self.assertEqual(distance(np.float64([1, -0.0]), np.float64([np.nextafter(1, 2), 0])).tolist(), [1, 0])
        self.assertEqual(distance(np.float32(np.inf), np.float32(np.finfo(np.float32).max)), 1)
        self.assertEqual(distance(np.float32([np.nan, np.nan]), np.float32([np.nan, 1])).tolist(), [0, np.inf])
        f8 = ml_dtypes.float8_e4m3fn
        self.assertEqual(distance(np.array([1, -1]).astype(f8), np.array([1.125, 1]).astype(f8)).tolist(),
                         [1, 2 * 0x38])
        self.assertEqual(distance(np.array(-8).astype(ml_dtypes.int4), np.array(7).astype(ml_dtypes.int4)), 15)
        self.assertEqual(distance(np.complex64(1 + 1j),
                                  np.complex64(1 + np.nextafter(np.float32(1), np.float32(0)) * 1j)), 1)
        with self.assertRaises(assay.Error):
            distance(np.zeros(2), np.zeros(3))


class SourcesOfText(unittest.TestCase):
    def test_are_read_from_tables(self):
        self.assertEqual(Sources(FRAMES).of(17), assay.Source('/home/me/a "b".py', 3, "neg"))
        self.assertIsNone(Sources(FRAMES).of(16))
        self.assertIsNone(Sources(FRAMES).of(99))


class Corpus(unittest.TestCase):
    def test_check_grades_a_backend(self):
        found = assay.check("mutant:floor_truncates", filter="floor/f32/")
        self.assertEqual((found.exit_code, found.profile), (1, "xla"))
        self.assertEqual(sum(found.totals.values()), len(found.cases))
        self.assertEqual({case.verdict for case in found.failed}, {"FAIL"})
        self.assertTrue(all(case.op == "floor" for case in found.cases))
        self.assertRegex(repr(found), r"^<CheckReport of mutant:floor_truncates \S+, profile xla: .* FAIL.*>$")
        folder = self.enterContext(tempfile.TemporaryDirectory())
        clean = assay.check("reference", filter="floor/f32/", report=folder)
        self.assertEqual((clean.exit_code, clean.failed), (0, ()))
        self.assertEqual(json.loads(pathlib.Path(folder, "results.json").read_text()), clean.json)
        with self.assertRaisesRegex(assay.Error, "unknown backend nobody"):
            assay.check("nobody")

    def test_check_runs_again_under_other_settings(self):
        # 1 + 2^-24 + 2^-25 + 2^-25 is 1 in NumPy's order; all at once it is 1 + 2^-23, the exact sum.
        with tempfile.TemporaryDirectory() as folder:
            golden = pathlib.Path(folder, "reduce", "f32.hlo")
            golden.parent.mkdir()
            golden.write_text("""//! clause reduce
//! provenance derived
//! oracle by hand
//! case row of four
//! arg f32[4] 1 5.9604644775390625e-08 2.98023223876953125e-08 2.98023223876953125e-08
//! want f32[] 1.00000011920928955078125
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e { x = f32[4] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=add }
""")
            peer = pathlib.Path(__file__).parents[1] / "tools/summing_peer.py"
            found = assay.check(f"process:{sys.executable} {peer} ${{ORDER:-numpy}}", repeat=2, vary=["ORDER=numpy,fused"],
                                options=["--corpus", folder])  # fmt: skip
        self.assertEqual([case.flips["settings"] for case in found.cases], [{"ORDER=fused": 2}])
        self.assertIsNone(assay.check("simd", filter="floor/f32/ordinary", vary=["threads=1"]).cases[0].flips)

    def test_explain_derives_the_accepted_values(self):
        text = assay.explain(LateBackend.ONE, [0.5, 1], profile="xla", element=1)
        self.assertIn("element [1]: want x3f42f7d6 (0.7615941762924194)", text)
        self.assertNotIn("element [0]", text)
        self.assertIn("tanh/f32/specials", assay.explain("tanh/f32/specials", backend="reference"))
        with self.assertRaisesRegex(assay.Error, "no_such/case"):
            assay.explain("no_such/case")


class Repro(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_writes_the_folder_of_assay_repro(self):
        found = assay.diff(TWO, X, backend="mutant:floor_truncates")
        for options in ({"backend": "mutant:floor_truncates"}, {}):  # that of the comparison
            names = assay.repro(found, self.folder, **options)
            self.assertEqual(names, ("comparison.txt", "expected.json", "issue.md", "module.hlo", "repro.py"))
            self.assertIn("floor", pathlib.Path(self.folder, "issue.md").read_text())

    def test_of_a_failure_that_does_not_repeat_writes_the_module_and_its_arguments(self):
        found = assay.judge(TWO, [X], [np.zeros(4, np.float32)] * 2)
        self.assertEqual(assay.repro(found, self.folder), ("comparison.txt", "inputs.json", "module.hlo"))
        names = assay.repro(found, self.folder, backend="reference")
        self.assertEqual(names, ("comparison.txt", "inputs.json", "module.hlo", "repro.py"))
        inputs = json.loads(pathlib.Path(self.folder, "inputs.json").read_text())["inputs_per_device"]
        self.assertEqual(bytes.fromhex(inputs[0][0]["data_hex"]), np.float32(X).tobytes())


class LateBackend(unittest.TestCase):
    """A backend that runs parts of a module whose outputs are known: it is started when it is needed."""

    NO_PROGRAM = ["/nonexistent/program"]
    ONE = "HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] tanh(x) }"
    TWO = "HloModule m\nENTRY e { x = f32[2] parameter(0) t = f32[2] tanh(x) ROOT r = f32[2] negate(t) }"

    def judge(self, module, outputs, **options):
        return assay.judge(module, [np.float32([0.5, 1])], [outputs], backend=self.NO_PROGRAM, profile="xla", **options)

    def test_is_not_started_for_an_exact_module(self):
        exact = np.float32([0.46211717, 0.7615942])  # tanh(0.5), tanh(1), rounded
        self.assertEqual(self.judge(self.TWO, -exact, name="other").verdict, "EXACT")
        with self.assertRaises(assay.Error) as raised:
            self.judge(self.TWO, -exact)  # its own name is wanted
        self.assertEqual(raised.exception.code, "backend")

    def test_is_not_started_for_the_only_instruction(self):
        near = np.nextafter(np.float32([0.46211717, 0.7615942]), np.float32(1))
        found = self.judge(self.ONE, near, name="other")
        self.assertEqual((found.verdict, found.backend), ("LEGAL", "other"))
        self.assertIn(" tanh(", found.first_divergent.text)

    def test_that_cannot_be_started_is_an_error(self):
        with self.assertRaises(assay.Error) as raised:
            self.judge(self.TWO, np.float32([-0.5, -0.7]), name="other")
        self.assertEqual(raised.exception.code, "backend")
