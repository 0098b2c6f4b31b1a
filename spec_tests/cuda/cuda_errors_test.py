"""The errors that a user of the backend cuda sees: one line says what is missing, and an error ends only the work that
needs the device.
"""

import collections
import json
import os
import shlex

from spec_tests.cuda.cuda_test_case import ROOT, CudaTest

EXPONENTIAL = """HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  ROOT y = f32[4] exponential(x)
}
"""
LOOP = """HloModule m
body {
  state = (s32[], f32[1000]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  x = f32[1000] get-tuple-element(state), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  half = f32[] constant(0.5)
  halves = f32[1000] broadcast(half), dimensions={}
  y = f32[1000] multiply(x, halves)
  ROOT r = (s32[], f32[1000]) tuple(next, y)
}
condition {
  state = (s32[], f32[1000]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  ten = s32[] constant(10)
  ROOT r = pred[] compare(i, ten), direction=LT
}
ENTRY e {
  x = f32[1000] parameter(0)
  zero = s32[] constant(0)
  state = (s32[], f32[1000]) tuple(zero, x)
  end = (s32[], f32[1000]) while(state), condition=condition, body=body
  ROOT r = f32[1000] get-tuple-element(end), index=1
}
"""
ZEROS = ("--input", "f32[4] {0, 0, 0, 0}")
ONES = "{1, 1, 1, 1}\n"


class Open(CudaTest):
    def refused(self, message, **settings):
        """Checks that each command prints the message in one line and exits with 3."""
        done = self.run_module(EXPONENTIAL, *ZEROS, **settings)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn(message, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        done = self.assay("check", "--backend", "cuda", "--corpus", ROOT / "golden", "--filter", "add/f32/", **settings)
        self.assertEqual(done.returncode, 3)
        self.assertIn(message, done.stderr)

    def test_no_driver(self):
        self.refused("the CUDA driver, libcuda.so.1, was not found", ASSAY_CUDA_DRIVER="/none/libcuda.so.1")

    def test_no_compiler(self):
        self.refused("CUDA's run-time compiler, libnvrtc.so, was not found", ASSAY_CUDA_NVRTC="/none/libnvrtc.so")

    def test_no_device(self):
        self.refused("the CUDA driver finds no device", HOST_DRIVER_DEVICES=0)

    def test_an_old_driver(self):
        self.refused("the CUDA driver is of CUDA 11.8, the backend cuda needs 12.0 or newer", HOST_DRIVER_VERSION=11080)

    def test_an_old_compiler(self):
        self.refused("is of CUDA 11.8, the backend cuda needs 12.0 or newer", HOST_NVRTC_VERSION="11.8")

    def test_a_library_that_is_another(self):
        self.refused("lacks cuInit", ASSAY_CUDA_DRIVER="libm.so.6")

    def test_one_word_goes_behind_a_colon(self):
        done = self.assay("run", self.module(EXPONENTIAL), "--backend", "cuda:0", *ZEROS)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the backend cuda may have :exact behind it, found :0", done.stderr)


class Run(CudaTest):
    def test_full_memory(self):
        done = self.run_module(EXPONENTIAL, *ZEROS, HOST_DRIVER_MEMORY=600)
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("the memory of the CUDA device is full", done.stderr)
        self.assertIn("CUDA_ERROR_OUT_OF_MEMORY", done.stderr)

    def test_unused_memory_is_freed(self):
        # An array of each size is freed before the next is allocated; together they exceed the memory.
        text = "HloModule m\nENTRY e {\n  x0 = f32[4096] parameter(0)\n"
        for i in range(1, 6):
            text += f"  y{i} = f32[{4096 * i}] sort(x{i - 1}), dimensions={{0}}, to_apply=less\n"
            text += f"  x{i} = f32[{4096 * (i + 1)}] pad(y{i}, zero), padding=0_4096\n"
        text += "  ROOT r = f32[] reduce(x5, zero), dimensions={0}, to_apply=most\n}\n"
        text = text.replace("x0 = f32", "zero = f32[] constant(0)\n  x0 = f32")
        text = text.replace("HloModule m\n", "HloModule m\nless {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
                            "  ROOT r = pred[] compare(a, b), direction=LT\n}\nmost {\n  a = f32[] parameter(0)\n"
                            "  b = f32[] parameter(1)\n  ROOT r = f32[] maximum(a, b)\n}\n")
        wanted = self.assay("run", self.module(text), "--seed", 3)
        self.assertEqual(wanted.returncode, 0, wanted.stderr)
        done = self.run_module(text, "--seed", 3, HOST_DRIVER_MEMORY=4096 * 4 * 24)
        self.assertEqual((done.returncode, done.stdout), (0, wanted.stdout), done.stderr)

    def test_a_launch_that_fails(self):
        done = self.run_module(EXPONENTIAL, *ZEROS, HOST_DRIVER_LAUNCH=1)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("CUDA_ERROR_LAUNCH_FAILED", done.stderr)

    def test_a_check_continues_after_an_error(self):
        report = self.folder / "report"
        done = self.assay("check", "--backend", "cuda", "--corpus", ROOT / "golden", "--filter", "add/f32/", "--jobs", 1,
                          "--report", report, HOST_DRIVER_LAUNCH=2)
        self.assertEqual(done.returncode, 1, done.stderr)
        cases = json.loads((report / "results.json").read_text())["cases"]
        self.assertEqual({case["verdict"] for case in cases}, {"EXACT"})
        failed = [case["died_once"] for case in cases if "died_once" in case]
        self.assertEqual(len(failed), 1)
        self.assertIn("CUDA_ERROR_LAUNCH_FAILED", failed[0])

    def test_a_device_that_is_lost(self):
        calls = 1
        while True:
            done = self.run_module(EXPONENTIAL, *ZEROS, HOST_DRIVER_LOST=calls)
            if done.returncode == 0:
                break
            self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
            self.assertIn("CUDA_ERROR_DEVICE_UNAVAILABLE", done.stderr)
            self.assertEqual(done.stderr.count("error: "), 1)
            calls += 1
        self.assertEqual(done.stdout, ONES)
        self.assertGreater(calls, 8)

    def test_a_kernel_that_is_refused_is_the_hosts(self):
        done = self.run_module(EXPONENTIAL, *ZEROS, HOST_NVRTC_FAILS="of(exponential(", ASSAY_CUDA_LOG=self.folder / "log")
        self.assertEqual((done.returncode, done.stdout), (0, ONES))
        self.assertEqual(done.stderr.count("is left to the host, for its kernel was refused"), 1, done.stderr)

    def test_a_device_that_is_lost_in_a_process_of_its_own_is_lost_for_one_case(self):
        def crashed(backend):
            report = self.folder / "report"
            done = self.assay("check", "--backend", backend, "--corpus", ROOT / "golden", "--filter", "op=subtract", "--jobs", 1,
                              "--report", report, HOST_DRIVER_LOST=400)
            self.assertEqual(done.returncode, 1, done.stderr)
            cases = json.loads((report / "results.json").read_text())["cases"]
            messages = [case.get("died_once") or case["reason"] for case in cases
                        if case["verdict"] == "CRASH" or "died_once" in case]
            for message in messages:
                self.assertIn("CUDA_ERROR_DEVICE_UNAVAILABLE", message)
            return len(messages), len(cases)

        here, cases = crashed("cuda")
        there, _ = crashed(f"process:exec {shlex.quote(os.environ['ASSAY'])} serve --backend cuda")
        self.assertGreater(here, cases // 2)
        self.assertGreater(there, 0)
        self.assertLess(there, cases // 10)

    def test_files_that_cannot_be_written(self):
        (self.folder / "file").write_text("")
        for name in ("ASSAY_CUDA_DUMP", "ASSAY_CUDA_LOG"):
            done = self.run_module(EXPONENTIAL, *ZEROS, **{name: self.folder / "file" / "inside"})
            self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
            self.assertIn(f"error: {name}: cannot write {self.folder / 'file' / 'inside'}", done.stderr)

    def test_an_empty_name_is_none(self):
        here = self.folder / "here"
        here.mkdir()
        done = self.run_module(EXPONENTIAL, *ZEROS, cwd=here, ASSAY_CUDA_DUMP="", ASSAY_CUDA_LOG="")
        self.assertEqual((done.stdout, done.stderr), (ONES, ""))
        self.assertEqual(list(here.iterdir()), [])

    def test_the_folder_of_texts_is_made(self):
        texts = self.folder / "some" / "texts"
        self.assertEqual(self.run_module(EXPONENTIAL, *ZEROS, ASSAY_CUDA_DUMP=texts).stdout, ONES)
        (text,) = texts.iterdir()
        self.assertIn("exponential(", text.read_text())

    def test_loops_move_their_predicate_alone(self):
        log = self.folder / "calls"
        done = self.run_module(LOOP, "--seed", 1, HOST_DRIVER_LOG=log)
        self.assertEqual(done.returncode, 0, done.stderr)
        moved = collections.Counter()
        for line in log.read_text().splitlines():
            call, number = line.split()
            moved[call, int(number)] += 1
        self.assertEqual((moved["upload", 4000], moved["download", 4000]), (1, 1))
        self.assertEqual(moved["download", 1], 11)
        self.assertEqual(done.stdout, self.assay("run", self.module(LOOP), "--seed", 1).stdout)


class Cache(CudaTest):
    def test_kernels_are_compiled_once(self):
        self.assertEqual(self.run_module(EXPONENTIAL, *ZEROS).stdout, ONES)
        files = list(self.cache.iterdir())
        self.assertEqual(len(files), 1)
        done = self.run_module(EXPONENTIAL, *ZEROS, HOST_NVRTC_FAILS="kernel")
        self.assertEqual((done.stdout, done.stderr), (ONES, ""))

    def test_damage_is_mended(self):
        self.run_module(EXPONENTIAL, *ZEROS)
        (file,) = self.cache.iterdir()
        whole = file.read_bytes()
        for damaged in (whole[:-1], whole[:100], b"", whole[:-9] + b"!" + whole[-8:], whole.replace(b"EXP", b"")[1:]):
            file.write_bytes(damaged)
            done = self.run_module(EXPONENTIAL, *ZEROS)
            self.assertEqual((done.stdout, done.stderr), (ONES, ""))
            self.assertEqual(len(list(self.cache.iterdir())), 1)
            self.assertEqual(file.read_bytes()[:40], whole[:40])

    def test_a_folder_that_cannot_be_made(self):
        (self.folder / "file").write_text("")
        done = self.run_module(EXPONENTIAL, *ZEROS, ASSAY_CUDA_CACHE=self.folder / "file" / "kernels")
        self.assertEqual((done.stdout, done.stderr), (ONES, ""))
