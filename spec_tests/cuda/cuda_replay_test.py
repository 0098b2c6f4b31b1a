"""Modules that run again, on the backend cuda over the stand-ins of CUDA's libraries: from the second run on the device
repeats recorded launches with the numbers of each run, and launches anew if it cannot."""

import collections
import os
import subprocess

from spec_tests.cuda.cuda_test_case import CudaTest
from spec_tests.sanitized import without_sanitizer

ADD = "add {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT r = s32[] add(a, b)\n}\n"
# Two kernels and a constant on the device; a result that is an argument, one without elements, one that is on the host.
MODULE = f"""HloModule m
{ADD}ENTRY e {{
  x = s32[300] parameter(0)
  y = s32[300] parameter(1)
  none = s32[0] parameter(2)
  zero = s32[] constant(5)
  table = s32[4] constant({{1, 2, 3, 4}})
  t = s32[4] add(table, table)
  s = s32[300] sort(x), dimensions={{0}}, to_apply=less
  sum = s32[] reduce(s, zero), dimensions={{0}}, to_apply=add
  all = s32[300] broadcast(sum), dimensions={{}}
  z = s32[300] multiply(all, y)
  ROOT r = (s32[300], s32[300], s32[0], s32[4], s32[4]) tuple(z, y, none, table, t)
}}
""".replace("ENTRY", "less {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
            "  ROOT r = pred[] compare(a, b), direction=LT\n}\nENTRY", 1)
# Updates of an array without other users, and of an argument.
CALLED = """HloModule m
f {
  x = f32[64] parameter(0)
  ROOT y = f32[64] add(x, x)
}
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT
}
ENTRY e {
  x = f32[64] parameter(0)
  i = s32[] parameter(1)
  u = f32[1] parameter(2)
  y = f32[64] call(x), to_apply=f
  z = f32[64] dynamic-update-slice(y, u, i)
  v = f32[64] sort(z), dimensions={0}, to_apply=less
  w = f32[64] dynamic-update-slice(x, u, i)
  ROOT r = (f32[64], f32[64], f32[64]) tuple(v, w, x)
}
"""
LOOP = """HloModule m
body {
  s = (s32[], s32[100]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[100] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = s32[100] add(x, x)
  ROOT r = (s32[], s32[100]) tuple(next, y)
}
condition {
  s = (s32[], s32[100]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  three = s32[] constant(3)
  ROOT r = pred[] compare(i, three), direction=LT
}
ENTRY e {
  x = s32[100] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], s32[100]) tuple(zero, x)
  ROOT w = (s32[], s32[100]) while(s), condition=condition, body=body
}
"""
DOT = """HloModule m
ENTRY e {
  x = s8[6,7] parameter(0)
  y = s8[7,5] parameter(1)
  d = s32[6,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = s32[6,5] add(d, d)
}
"""


@without_sanitizer("it does not know the fibers of the stand-ins")
class Replay(CudaTest):
    def again(self, text, times=5, backend="cuda", beside=(), **settings):
        """Returns the lines and the exit code of `times` runs, and the calls of the driver."""
        log = self.folder / "calls"
        log.unlink(missing_ok=True)
        environment = {**os.environ, "ASSAY_CUDA_CACHE": str(self.cache), "HOST_DRIVER_LOG": str(log),
                       **{name: str(value) for name, value in settings.items()}}
        done = subprocess.run([os.environ["RUN_AGAIN"], backend, self.module(text), str(times), *beside], env=environment, text=True,
                              capture_output=True, check=False)
        self.calls = collections.Counter(line.split()[0] for line in (log.read_text().splitlines() if log.exists() else ()))
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines(), done.returncode

    def all_same(self, text, replays, **settings):
        lines, code = self.again(text, **settings)
        self.assertEqual((lines, code), (["the same"] * 5, 0))
        self.assertEqual(self.calls["replay"], replays)

    def test_other_numbers_each_time(self):
        self.all_same(MODULE, 4)
        launches = self.calls["launch"]
        # The one run and the recording are the only ones that launch.
        self.again(MODULE, times=1)
        self.assertEqual(launches, 2 * self.calls["launch"])
        self.all_same(CALLED, 4)

    def test_others_have_other_memory(self):
        for text in (MODULE, CALLED):
            self.all_same(text, 6, beside=["beside"])

    def test_unchanged_arguments_are_not_copied(self):
        self.again(MODULE, times=2)
        before = self.calls["upload"]
        self.again(MODULE, times=4)
        # One of the runs 3 and 4 has another first argument, and both have another second one.
        self.assertEqual(self.calls["upload"] - before, 3)

    def test_products_of_the_library(self):
        self.all_same(DOT, 4, ASSAY_CUDA_CUBLASLT=os.environ["HOST_CUBLASLT"])

    def test_plans_that_need_the_host_are_not_recorded(self):
        self.all_same(LOOP, 0)
        exponential = MODULE.replace("s32", "f32").replace("s = f32[300] sort(x), dimensions={0}, to_apply=less",
                                                           "s = f32[300] exponential(x)")
        lines, _ = self.again(exponential, backend="cuda:exact")
        self.assertEqual((len(lines), self.calls["replay"]), (5, 0))

    def test_a_driver_that_records_nothing(self):
        self.all_same(MODULE, 0, ASSAY_CUDA_DRIVER=os.environ["HOST_DRIVER_WITHOUT_GRAPHS"])

    def test_full_memory(self):
        # The memory suffices for the arrays of a run, but not also for those of a recording.
        for kilobytes in range(8, 80, 2):
            lines, code = self.again(MODULE, HOST_DRIVER_MEMORY=1024 * kilobytes, ASSAY_CUDA_ALLOCATE=None)
            if code == 0:
                break
        self.assertEqual((lines, self.calls["replay"]), (["the same"] * 5, 0))
        self.all_same(MODULE, 4, HOST_DRIVER_MEMORY=1 << 20)

    def test_kernels_are_timed_if_requested(self):
        self.again(MODULE, times=3)
        self.assertEqual(self.calls["event"], 0)
        launches, log = self.calls["launch"] // 2, self.folder / "log"
        self.all_same(MODULE, 4, ASSAY_CUDA_LOG=log)
        # The launches of the first run, and each replay as one.
        self.assertEqual(self.calls["event"], 2 * (launches + 4))
        times = [run["kernel_seconds"] for run in self.counts()]
        self.assertEqual(len(times), 5)
        self.assertTrue(all(seconds > 0 for seconds in times), times)

    def test_errors(self):
        number = 1
        while True:
            lines, code = self.again(MODULE, HOST_DRIVER_GRAPH=number)
            if code == 0:
                break
            self.assertEqual(code, 3)
            self.assertIn("CUDA_ERROR_INVALID_VALUE", lines[-1])
            self.assertEqual(set(lines[:-1]), {"the same"})
            number += 1
        # Begin, end, instantiate, four replays.
        self.assertEqual(number, 8)
        self.again(MODULE, times=1)
        lines, code = self.again(MODULE, HOST_DRIVER_LAUNCH=self.calls["launch"] + 1)
        self.assertEqual((lines[0], code), ("the same", 3))
        self.assertIn("CUDA_ERROR_LAUNCH_FAILED", lines[-1])

    def test_a_device_that_is_lost(self):
        calls = 1
        while True:
            lines, code = self.again(MODULE, times=3, HOST_DRIVER_LOST=calls)
            if code == 0:
                break
            self.assertEqual(code, 3)
            self.assertIn("CUDA_ERROR_DEVICE_UNAVAILABLE", lines[-1])
            calls += 1
        self.assertGreater(calls, 20)
