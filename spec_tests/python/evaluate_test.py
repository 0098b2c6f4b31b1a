"""`assay.evaluate` and `assay.exact` on NumPy arrays, and the child process behind them."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import assay
import ml_dtypes
import mpmath
import numpy as np
from assay import _session

from spec_tests.tools.command_line import each, ran

ADD = "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2] parameter(1)\n  ROOT r = f32[2] add(a, b)\n}\n"
# Counts from its argument to two thousand million.
ENDLESS = """HloModule m
c { p = s32[] parameter(0)  k = s32[] constant(2000000000)  ROOT r = pred[] compare(p, k), direction=LT }
b { p = s32[] parameter(0)  k = s32[] constant(1)  ROOT r = s32[] add(p, k) }
ENTRY e { x = s32[] parameter(0)  ROOT w = s32[] while(x), condition=c, body=b }
"""


def moved(element_type):
    """Returns a module that reshapes an array, and has an empty array and a token."""
    return f"""HloModule m
ENTRY e {{
  x = {element_type}[1,3] parameter(0)
  t = {element_type}[3,1] reshape(x)
  f = {element_type}[3] reshape(x)
  z = {element_type}[0] slice(f), slice={{[0:0]}}
  k = token[] after-all()
  ROOT r = ({element_type}[3,1], {element_type}[0], token[]) tuple(t, z, k)
}}"""


class Values(unittest.TestCase):
    def test_every_element_type_is_returned_unchanged(self):
        narrow = {"s2": "int2", "s4": "int4", "u2": "uint2", "u4": "uint4", "bf16": "bfloat16",
                  "f4e2m1fn": "float4_e2m1fn", "f6e2m3fn": "float6_e2m3fn", "f6e3m2fn": "float6_e3m2fn",
                  "f8e3m4": "float8_e3m4", "f8e4m3": "float8_e4m3",
                  "f8e4m3fn": "float8_e4m3fn", "f8e4m3b11fnuz": "float8_e4m3b11fnuz", "f8e4m3fnuz": "float8_e4m3fnuz",
                  "f8e5m2": "float8_e5m2", "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu"}  # fmt: skip
        kinds = {name: getattr(ml_dtypes, dtype) for name, dtype in narrow.items()}
        kinds |= {"pred": np.bool_, "c64": np.complex64, "c128": np.complex128}
        kinds |= {f"{kind}{bits}": f"{kind.replace('s', 'i')}{bits // 8}" for kind in "su" for bits in (8, 16, 32, 64)}
        kinds |= {f"f{bits}": f"f{bits // 8}" for bits in (16, 32, 64)}
        for name, dtype in kinds.items():
            with self.subTest(name):
                numbers = [1, 2, 1] if name == "f8e8m0fnu" else [1, 0, -1] if name[0] in "sfbc" else [1, 0, 1]
                array = np.array([numbers]).astype(dtype)
                reshaped, empty, token = assay.evaluate(moved(name), array)
                self.assertEqual((reshaped.dtype, reshaped.shape, empty.shape, token),
                                 (array.dtype, (3, 1), (0,), None))
                self.assertEqual(reshaped.tobytes(), array.tobytes())

    def test_large_arrays_are_the_same_as_small_ones(self):
        for elements in (3, 10_000, 3_000_000):
            array = np.arange(elements, dtype=np.int32)
            for _ in range(2):  # the second takes the file of the first
                array = array + 1
                shape = f"s32[{elements}]"
                module = f"HloModule m\nENTRY e {{ x = {shape} parameter(0) ROOT r = {shape} negate(x) }}"
                result = assay.evaluate(module, array)
                np.testing.assert_array_equal(result, -array)
                result[0] = 7  # the array is the caller's
                np.testing.assert_array_equal(assay.evaluate(module, array), -array)

    def test_numbers_and_lists_take_the_type_of_the_parameter(self):
        result = assay.evaluate(ADD, [1, 2.5], (0.5, float("inf")))
        self.assertEqual((result.dtype, result.tolist()), (np.float32, [1.5, float("inf")]))

    def test_sizes_of_the_run(self):
        module = "HloModule m\nENTRY e { a = s32[<=4] parameter(0) ROOT b = s32[<=4] negate(a) }"
        self.assertEqual(assay.evaluate(module, np.int32([5, -6])).tolist(), [-5, 6])

    def test_devices(self):
        module = (
            "HloModule m, replica_count=2\ns { x = f32[] parameter(0) y = f32[] parameter(1) "
            "ROOT z = f32[] add(x, y) }\nENTRY e { a = f32[2] parameter(0) "
            "ROOT r = f32[2] all-reduce(a), to_apply=s }"
        )
        both = assay.evaluate(module, per_device=[[[1, 2]], [[3, 4]]])
        self.assertEqual([result.tolist() for result in both], [[4, 6], [4, 6]])
        self.assertEqual([result.tolist() for result in assay.evaluate(module, [1, 2])], [[2, 4]] * 2)

    def test_forms_of_a_module(self):
        class Text:
            def as_text(self):
                return ADD

        stablehlo = """module @m {
          func.func public @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
            %0 = stablehlo.add %a, %b : tensor<2xf32>
            return %0 : tensor<2xf32>
          }
        }"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "m.hlo")
            path.write_text(ADD)
            for form in (ADD, path, str(path), Text(), ADD.encode(), stablehlo, stablehlo.encode()):
                self.assertEqual(assay.evaluate(form, [1, 2], [3, 4]).tolist(), [4, 6])
            path.write_text(ADD.replace("add(", "multiply("))
            self.assertEqual(assay.evaluate(path, [1, 2], [3, 4]).tolist(), [3, 8])


class Errors(unittest.TestCase):
    def error(self, *arguments, **options):
        with self.assertRaises(assay.Error) as raised:
            assay.evaluate(*arguments, **options)
        return raised.exception

    def test_have_a_code_a_place_and_a_rule(self):
        error = self.error(ADD.replace("ROOT r = f32[2]", "ROOT r = f32[3]"), [1, 2], [3, 4])
        self.assertEqual((error.code, error.rule), ("illegal", "r: add: declared f32[3], inferred f32[2]"))
        self.assertEqual((error.place.line, error.place.column), (5, 8))
        self.assertEqual(str(error), "5:8: illegal: r: add: declared f32[3], inferred f32[2]\n"
                                     "    ROOT r = f32[3] add(a, b)\n         ^")  # fmt: skip

    @each((
        ("parse", "end of the text", ("HloModule m\nENTRY e {",), {}),
        ("io", "No such file", ("/none.hlo",), {}),
        ("usage", "found int", (3,), {}),
        ("input", "expected 2 arguments, found 1", (ADD, [1, 2]), {}),
        ("input", r"argument 1 must be f32\[2\] \(dtype float32\), found float64\[2\]",
         (ADD, [1, 2], np.ones(2)), {}),
        ("input", r"argument 0 must be f32\[2\]", (ADD, [1, 2, 3], [1, 2]), {}),
        ("input", "argument 0 cannot be an array", (ADD, ["one", "two"], [1, 2]), {}),
        ("input", "replicas must be a number from 1", (ADD, [1, 2], [1, 2]), {"replicas": 0}),
        ("input", "for each of 1 devices", (ADD,), {"per_device": []}),
        ("usage", "memory must be", (ADD, [1, 2], [1, 2]), {"memory": "much"}),
        ("usage", "seconds must be", (ADD, [1, 2], [1, 2]), {"seconds": -1}),
    ))
    def test_name_what_is_wrong(self, code, rule, arguments, options):
        error = self.error(*arguments, **options)
        self.assertEqual(error.code, code)
        self.assertRegex(error.rule, rule)

    def test_limits(self):
        large = "HloModule m\nENTRY e { ROOT r = f32[5000,1000] iota(), iota_dimension=0 }"
        # Without its limit the first would not return.
        for arguments, limit, rule in (((ENDLESS, 0), {"seconds": 0.5}, "time limit of 0.5 s"),
                                       ((large,), {"memory": "10MiB"}, "memory limit of 10 MiB")):
            error = self.error(*arguments, **limit)
            self.assertEqual(error.code, "limit")
            self.assertIn(rule, error.rule)
        self.assertEqual(assay.evaluate(large, memory="1GiB").shape, (5000, 1000))


class Child(unittest.TestCase):
    def test_that_dies_is_an_exception_and_another_one_takes_over(self):
        assay.evaluate(ADD, [1, 2], [3, 4])
        child = _session._idle[-1].process.pid
        threading.Timer(0.5, os.kill, (child, signal.SIGKILL)).start()
        with self.assertRaises(assay.Error) as raised:
            assay.evaluate(ENDLESS, 0)
        self.assertEqual(raised.exception.code, "backend")
        self.assertIn("signal 9", raised.exception.rule)
        self.assertEqual(assay.evaluate(ADD, [1, 2], [3, 4]).tolist(), [4, 6])

    def test_ends_with_an_interrupted_call(self):
        assay.evaluate(ADD, [1, 2], [3, 4])
        child = _session._idle[-1].process.pid
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            assay.evaluate(ENDLESS, 0)
        self.assertFalse(pathlib.Path(f"/proc/{child}").exists())
        self.assertEqual(assay.evaluate(ADD, [1, 2], [3, 4]).tolist(), [4, 6])

    def test_threads_have_children_of_their_own_and_python_goes_on(self):
        results = {}

        def work(i):
            for _ in range(20):
                results.setdefault(i, set()).update(assay.evaluate(ADD, [i, 0], [1, 0]).tolist())

        threads = [threading.Thread(target=work, args=(i,)) for i in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, {i: {i + 1.0, 0.0} for i in range(5)})
        waiting = threading.Thread(target=assay.evaluate, args=(ENDLESS, 1_995_000_000))
        waiting.start()
        turns = 0
        while waiting.is_alive():
            turns += 1
        self.assertGreater(turns, 1000)

    def test_a_fork_starts_its_own(self):
        assay.evaluate(ADD, [1, 2], [3, 4])
        code = ("import assay, os\n" f"m = {ADD!r}\n" "assay.evaluate(m, [1, 2], [3, 4])\npid = os.fork()\n"
                "assert assay.evaluate(m, [1, 2], [3, 4]).tolist() == [4, 6]\n"
                "assert pid == 0 or os.waitpid(pid, 0)[1] == 0\n")  # fmt: skip
        done = ran(sys.executable, "-W", "ignore", "-c", code)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_the_process_leaves_no_child_and_no_files(self):
        code = ("import assay, numpy, os, pathlib\nfrom assay import _session\n"
                "m = 'HloModule m\\nENTRY e { x = f32[50000] parameter(0) ROOT r = f32[50000] negate(x) }'\n"
                "kept = assay.evaluate(m, numpy.ones(50000, numpy.float32))\n"
                "child = _session._idle[0]\nprint(child.process.pid, child.folder)\n")  # fmt: skip
        pid, folder = ran(sys.executable, "-c", code, check=True).stdout.split()
        self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())
        self.assertFalse(pathlib.Path(folder).exists())
        # The next process removes the arrays of one that was killed.
        killed = code + "import signal\nos.sys.stdout.flush()\nos.kill(os.getpid(), signal.SIGKILL)\n"
        done = ran(sys.executable, "-c", killed)
        folder = pathlib.Path(done.stdout.split()[1])
        self.assertTrue(folder.exists())
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        self.assertFalse(folder.exists())


class QuantizedTypes(unittest.TestCase):
    SUM = """func.func @main(%x: tensor<4x!quant.uniform<TYPE:f32, 0.5:3>>, %y: tensor<4x!quant.uniform<TYPE:f32, 0.25>>)
    -> tensor<4x!quant.uniform<TYPE:f32, 0.5:3>> {
  %s = "stablehlo.add"(%x, %y) : (tensor<4x!quant.uniform<TYPE:f32, 0.5:3>>, tensor<4x!quant.uniform<TYPE:f32, 0.25>>)
      -> tensor<4x!quant.uniform<TYPE:f32, 0.5:3>>
  return %s : tensor<4x!quant.uniform<TYPE:f32, 0.5:3>>
}
"""

    def test_arrays_hold_storage_integers(self):
        # 0 + 0.25 is a tie, 0.5 * 3.5; the third saturates.
        for name, dtype, most in (("i8", np.int8, 127), ("i4", ml_dtypes.int4, 7)):
            text, x, y = self.SUM.replace("TYPE", name), np.array([3, 4, most, -8], dtype), np.array([1, 2, 3, 4], dtype)
            result = assay.evaluate(text, x, y)
            self.assertEqual((result.dtype, result.tolist()), (np.dtype(dtype), [4, 5, most, -6]))
            self.assertEqual(assay.diff(text, x, y, backend="simd").verdict.name, "EXACT")
            self.assertEqual(assay.judge(text, [x, y], [x]).verdict.name, "FAIL")
        with self.assertRaisesRegex(assay.Error, r"argument 0 must be s4\[4\] \(dtype int4\), found float32\[4\]"):
            assay.evaluate(text, np.float32([1, 2, 3, 4]), y)


class UnknownSizes(unittest.TestCase):
    TWICE = """func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %y, %i : tensor<?xf32>, tensor<?xi32>
}
"""

    def test_sizes_are_those_of_the_arrays(self):
        for size, count in [(2, 3), (5, 1), (2, 3), (2, 4)]:
            x = np.arange(size, dtype=np.float32)
            twice, iota = assay.evaluate(self.TWICE, x, count)
            self.assertEqual((twice.tolist(), iota.tolist()), ((x + x).tolist(), list(range(count))))
        found = assay.diff(self.TWICE, np.ones(7, np.float32), 2, backend="simd")
        self.assertEqual(found.verdict.name, "EXACT")
        self.assertEqual([output.want.shape for output in found.outputs], [(7,), (2,)])
        self.assertEqual(assay.judge(self.TWICE, [[1, 2], 1], [np.float32([2, 5]), np.int32([0])]).verdict.name, "FAIL")

    def test_wrong_arguments(self):
        for arrays, rule in [(([1, 2],), "expected 2 arguments, found 1"),
                             ((np.float32([[1]]), 1), "argument 0 must be a tensor<?xf32>, found f32[1,1]")]:  # fmt: skip
            with self.assertRaises(assay.Error) as caught:
                assay.evaluate(self.TWICE, *arrays)
            self.assertIn(rule, str(caught.exception))


class Exact(unittest.TestCase):
    def test_functions_are_correctly_rounded(self):
        functions = {"exp": mpmath.exp, "log": mpmath.log, "tanh": mpmath.tanh, "sin": mpmath.sin,
                     "expm1": mpmath.expm1,
                     "erf": mpmath.erf, "cbrt": mpmath.cbrt, "sqrt": mpmath.sqrt}  # fmt: skip
        x = np.float64([0.1, 0.7, 1.3, 2.9, 11.1])
        for name, function in functions.items():
            with self.subTest(name), mpmath.workprec(200):
                found = getattr(assay.exact, name)(x)
                self.assertEqual(found.tolist(), [float(function(mpmath.mpf(value))) for value in x.tolist()])

    def test_operands_are_broadcast_and_keep_their_type(self):
        x = np.array([[1], [3]], ml_dtypes.bfloat16)
        found = assay.exact.divide(x, np.array([1, 3], ml_dtypes.bfloat16))
        self.assertEqual((found.dtype, found.astype(float).tolist()), (x.dtype, [[1, 0.333984375], [3, 1]]))
        self.assertEqual(assay.exact.power(np.float32(2), 3), np.float32(8))
        self.assertEqual(assay.exact.abs(np.complex64(3 + 4j)), np.float32(5))
        with self.assertRaises(assay.Error):
            assay.exact.add(np.float32(1), np.float64(1))

    def test_every_name_is_a_function(self):
        for name in assay.exact.__all__:
            function, one = getattr(assay.exact, name), np.float32(1)
            self.assertEqual(function(*[one] * function.__code__.co_argcount).dtype, np.float32, name)
