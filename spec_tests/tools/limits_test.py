"""The limits of the command line: time within an instruction, memory of everything, small texts of huge meaning.

How long a command really took is no part of this: only that it ended by its limit. ASSAY names the executable.
"""

import os
import subprocess
import sys
import threading

from command_line import ASSAY, CliTest, each, ran

COMPUTATIONS = """HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=GE }
lt { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }
either {
  a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3)
  less = pred[] compare(a, b), direction=LT
  less2 = pred[] compare(c, d), direction=LT
  ROOT r = pred[] or(less, less2)
}
"""
DOT = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
WINDOW = "window={size=301x301 pad=150_150x150_150}"
LAPACK = "api_version=API_VERSION_TYPED_FFI"

# Bodies of which each runs for at least some seconds.
SLOW = {
    "dot": f"a = f32[8000,8000] iota(), iota_dimension=0\n ROOT r = f32[8000,8000] dot(a, a), {DOT}",
    "dot of f64": f"a = f64[2500,2500] parameter(0)\n ROOT r = f64[2500,2500] dot(a, a), {DOT}",
    "dot of integers": f"a = s32[3000,3000] parameter(0)\n ROOT r = s32[3000,3000] dot(a, a), {DOT}",
    "dot of long rows": f"a = f32[128,2000000] parameter(0)\n b = f32[2000000,128] reshape(a)\n"
    f" ROOT r = f32[128,128] dot(a, b), {DOT}",
    "convolution": "a = f32[32,128,128,64] parameter(0)\n k = f32[3,3,64,128] parameter(1)\n"
    " ROOT r = f32[32,128,128,128] convolution(a, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
    "sort": "a = f32[50000000] parameter(0)\n ROOT r = f32[50000000] sort(a), dimensions={0}, to_apply=lt",
    "sort by a comparator": "a = f32[4000000] parameter(0)\n b = s32[4000000] iota(), iota_dimension=0\n"
    " ROOT r = (f32[4000000], s32[4000000]) sort(a, b), dimensions={0}, to_apply=either",
    "topk": "a = f32[8388608] parameter(0)\n ROOT r = (f32[8388608], s32[8388608]) topk(a), k=8388608, largest=true",
    "reduce-window": "a = f32[2000,2000] parameter(0)\n z = f32[] constant(0)\n"
    f" ROOT r = f32[2000,2000] reduce-window(a, z), {WINDOW}, to_apply=add",
    "select-and-scatter": "a = f32[2000,2000] parameter(0)\n z = f32[] constant(0)\n"
    f" ROOT r = f32[2000,2000] select-and-scatter(a, a, z), {WINDOW}, select=ge, scatter=add",
    "batch-norm-training": "a = f32[4000,4000] parameter(0)\n s = f32[4000] parameter(1)\n"
    " ROOT r = (f32[4000,4000], f32[4000], f32[4000]) batch-norm-training(a, s, s), epsilon=0.001, feature_index=1",
    "power": "a = f64[100000000] iota(), iota_dimension=0\n ROOT r = f64[100000000] power(a, a)",
    "tanh of complex": "a = c128[20000000] iota(), iota_dimension=0\n ROOT r = c128[20000000] tanh(a)",
    "cholesky": "a = f32[2000,2000] parameter(0)\n ROOT r = f32[2000,2000] cholesky(a), lower=true",
    "triangular-solve": "a = f32[2000,2000] parameter(0)\n ROOT r = f32[2000,2000] triangular-solve(a, a),"
    " left_side=true, lower=true, transpose_a=NO_TRANSPOSE",
    "fft": "a = c64[1048576] parameter(0)\n ROOT r = c64[1048576] fft(a), fft_type=FFT, fft_length={1048576}",
    "fft of prime length": "a = c64[1000003] parameter(0)\n ROOT r = c64[1000003] fft(a), fft_type=FFT,"
    " fft_length={1000003}",
    "getrf": "a = f32[2000,2000] parameter(0)\n ROOT r = (f32[2000,2000], s32[2000], s32[]) custom-call(a),"
    f' custom_call_target="lapack_sgetrf_ffi", {LAPACK}',
    # This one is a call of a library, which nothing interrupts.
    "gesdd": "a = f32[1500,1500] parameter(0)\n"
    " ROOT r = (f32[1500,1500], f32[1500], f32[1500,1500], f32[1500,1500], s32[]) custom-call(a),"
    f' custom_call_target="lapack_sgesdd_ffi", {LAPACK}, backend_config={{mode = 65 : ui8}}',
    # Here the arguments are slow.
    "parameters": "a = f64[300000000] parameter(0)\n b = f64[100000000] parameter(1)\n ROOT r = f64[100000000] copy(b)",
}

# The program itself takes so many MiB: its text, stacks, and memory that the allocator has not returned yet.
ROOM = 40

# Bodies, and a memory limit in MiB under which the op itself would take much more.
HUNGRY = {
    "sort": ("a = f32[4194304] parameter(0)\n ROOT r = f32[4194304] sort(a), dimensions={0}, to_apply=lt", 40),
    "topk": (
        "a = f32[8388608] parameter(0)\n ROOT r = (f32[8388608], s32[8388608]) topk(a), k=8388608, largest=true",
        100,
    ),
    "fft": ("a = c64[4194304] parameter(0)\n ROOT r = c64[4194304] fft(a), fft_type=FFT, fft_length={4194304}", 96),
    "fft of prime length": (
        "a = c64[1000003] parameter(0)\n ROOT r = c64[1000003] fft(a), fft_type=FFT, fft_length={1000003}",
        32,
    ),
    "cholesky": ("a = f32[2000,2000] parameter(0)\n ROOT r = f32[2000,2000] cholesky(a), lower=true", 64),
    "scatter": (
        "a = f32[4000000] parameter(0)\n i = s32[4000000,1] iota(), iota_dimension=0\n ROOT r = f32[4000000]"
        " scatter(a, i, a), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0},"
        " index_vector_dim=1, to_apply=add",
        64,
    ),
    "select-and-scatter": (
        "a = f32[4096,2048] parameter(0)\n s = f32[2048,1024] parameter(1)\n z = f32[] constant(0)\n"
        " ROOT r = f32[4096,2048] select-and-scatter(a, s, z), window={size=2x2 stride=2x2}, select=ge, scatter=add",
        96,
    ),
    "dot of bf16": (f"a = bf16[2048,2048] parameter(0)\n ROOT r = bf16[2048,2048] dot(a, a), {DOT}", 32),
    "syevd": (
        "a = f32[1500,1500] parameter(0)\n ROOT r = (f32[1500,1500], f32[1500], s32[]) custom-call(a),"
        f' custom_call_target="lapack_ssyevd_ffi", {LAPACK}, backend_config={{mode = 86 : ui8, uplo = 76 : ui8}}',
        24,
    ),
}


class LimitsTest(CliTest):
    def assay(self, *arguments, timeout=600):
        """Returns the exit code, standard error, and the peak of memory in MiB."""
        with open(self.folder / "err", "w+b") as err:
            process = subprocess.Popen([ASSAY, *map(str, arguments)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=err)
            killer = threading.Timer(timeout, process.kill)
            killer.start()
            _, status, usage = os.wait4(process.pid, 0)
            killer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            err.seek(0)
            return process.returncode, err.read().decode(), usage.ru_maxrss / 1024

    def skip_where_memory_is_held_back(self):
        _, _, peak = self.assay("run", self.file("one.hlo", "HloModule m\nENTRY e { ROOT c = f32[] constant(1) }"))
        if peak > 60:
            self.skipTest(f"a constant takes {peak:.0f} MiB here: a sanitizer has memory of its own")

    @each(SLOW)
    def test_the_clock_is_looked_at_within_instructions(self, body):
        path = self.file("m.hlo", COMPUTATIONS + "ENTRY e {\n " + body + "\n}\n")
        code, err, _ = self.assay("run", path, "--time-limit", "0.1", "--memory-limit", "8GiB")
        self.assertEqual(code, 4, err)
        self.assertIn("time limit of 0.1 s (--time-limit)", err)

    def test_names_the_constant_that_exceeds_memory(self):
        path = self.file("constant.hlo", "HloModule m\nENTRY e {\n  ROOT c = f32[512,1024] constant(0)\n}\n")
        code, err, _ = self.assay("run", path, "--memory-limit", "1MiB")
        self.assertEqual(code, 4)
        self.assertIn(f"{path}:3:35: error: memory limit of 1 MiB (--memory-limit): arrays have 0 bytes, 2 MiB more", err)

    def test_the_place_of_a_limit_is_shown(self):
        def product_of(shape):
            body = f"a = {shape} iota(), iota_dimension=0\n product = {shape} dot(a, a), {DOT}"
            return self.file("m.hlo", f"HloModule m\nENTRY e {{\n {body}\n ROOT r = {shape} negate(product)\n}}\n")

        # A thousandth of the time goes to the operand.
        path = product_of("f64[6000,6000]")
        _, err, _ = self.assay("run", path, "--time-limit", "3")
        self.assertIn(f"{path}:4:2: error: time limit of 3 s (--time-limit), met at product after 2 instructions", err)
        path = product_of("f32[3000,3000]")
        _, err, _ = self.assay("run", path, "--memory-limit", "50MiB")
        self.assertIn(
            f"{path}:4:2: error: memory limit of 50 MiB (--memory-limit): arrays have 34.33 MiB, 68.66 MiB more needed,"
            " met at product after 2 instructions",
            err,
        )

    def test_memory_beside_the_arrays_counts(self):
        self.skip_where_memory_is_held_back()
        for name, (body, limit) in HUNGRY.items():
            with self.subTest(name):
                path = self.file("m.hlo", COMPUTATIONS + "ENTRY e {\n " + body + "\n}\n")
                code, err, peak = self.assay("run", path, "--memory-limit", f"{limit}MiB")
                self.assertEqual(code, 4, err)
                self.assertIn(f"memory limit of {limit} MiB (--memory-limit)", err)
                self.assertLess(peak, 1.25 * limit + 64 + ROOM)

    def test_a_scatter_has_one_list_of_its_updates(self):
        # Arrays of 61 MiB and a list of 16 bytes an update: 122 of the 184 MiB of --memory-limit, a quarter and 64 MiB.
        path = self.file("m.hlo", COMPUTATIONS + "ENTRY e {\n " + HUNGRY["scatter"][0] + "\n}\n")
        code, err, peak = self.assay("run", path, "--memory-limit", "96MiB")
        self.assertEqual(code, 0, err)
        self.skip_where_memory_is_held_back()
        self.assertLess(peak, 184 + ROOM)

    def test_judging_ends_by_its_budget(self):
        body = "a = f32[64] parameter(0)\n t = f32[64] tanh(a)\n ROOT r = f32[64] exponential(t)"
        path = self.file("m.hlo", "HloModule m\nENTRY e {\n " + body + "\n}\n")
        command = [ASSAY, "diff", path, "--backend", "lawful:xla:1", "--profile", "exact"]
        judged = ran(*command, timeout=600)
        self.assertTrue(judged.stdout.startswith("FAIL: "), judged.stdout)
        undecided = ran(*command, "--budget", "0.000000001", timeout=600)
        self.assertTrue(undecided.stdout.startswith("WEAK: "), undecided.stdout + undecided.stderr)
        self.assertIn("a limit ended the judging", undecided.stdout)
        self.assertIn("(--budget)", undecided.stdout)
        self.assertEqual(undecided.returncode, 0)

    def test_a_verdict_outlives_the_budget_of_the_search(self):
        """A peer that dies of every request is CRASH, however soon the search for the smallest part ends."""
        lines = [f"x{i} = f32[3000] tanh(x{i - 1})" for i in range(1, 40)]
        text = ["HloModule m", "ENTRY e {", "x0 = f32[3000] parameter(0)", *lines, "ROOT r = f32[3000] floor(x39)", "}"]
        path = self.file("deep.hlo", "\n".join(text))
        hello = {"hello": 1, "name": "dies", "version": "1"}
        peer = self.file("peer.py", "import json, sys\nsys.stdin.readline()\n"
                                    f"print(json.dumps({hello}), flush=True)\nsys.stdin.readline()\n")
        for budget in ("0.0001", "0.001", "0.01", "0.1", "0.3", "1"):
            with self.subTest(budget=budget):
                command = [ASSAY, "diff", path, "--backend", f"process:{sys.executable} {peer}", "--budget", budget]
                run = ran(*command, timeout=600)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertTrue(run.stdout.startswith("CRASH: "), run.stdout)

    def test_memory_of_inputs_counts(self):
        self.skip_where_memory_is_held_back()
        path = self.file("m.hlo", "HloModule m\nENTRY e { ROOT a = u8[64000000] parameter(0) }")
        # Not held here as a whole: a child's peak starts from its parent's size.
        inputs = self.folder / "in.json"
        with open(inputs, "w", encoding="ascii") as file:
            file.write('{"inputs":[{"shape":"u8[64000000]","data_hex":"')
            for _ in range(1000):
                file.write("00" * 64000)
            file.write('"}]}')
        code, err, peak = self.assay("run", path, "--inputs", inputs, "--memory-limit", "64MiB")
        self.assertEqual(code, 4, err)
        self.assertIn("memory limit of 64 MiB", err)
        self.assertLess(peak, 1.5 * 64 + 100)

    def test_small_texts_that_mean_much(self):
        doubling = ["t0 = f32[] parameter(0)"] + [f"t{i} = tuple(t{i - 1}, t{i - 1})" for i in range(1, 41)]
        code, err, peak = self.assay("verify", self.file("m.hlo", "HloModule m\nENTRY e {\n" + "\n".join(doubling) + "\n}"))
        self.assertEqual(code, 4, err)
        self.assertIn("m.hlo:24:7: error: the shapes of a module's instructions may have 4194304 parts in all", err)
        self.assertLess(peak, 1000)
        nested = ["t0 = f32[] parameter(0)"] + [f"t{i} = tuple(t{i - 1})" for i in range(1, 901)]
        nested += [f"t{i} = get-tuple-element(t{i - 1}), index=0" for i in range(901, 1801)]
        code, err, _ = self.assay("verify", self.file("m.hlo", "HloModule m\nENTRY e {\n" + "\n".join(nested) + "\n}"))
        self.assertEqual(code, 0, err)

    def test_deep_calls_need_no_deep_stack(self):
        calls = "c_0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n"
        for i in range(1, 990):
            calls += f"c_{i} {{ p = f32[] parameter(0) t = pred[] constant(true) ROOT r = f32[] conditional(t, p, p),"
            calls += f" true_computation=c_{i - 1}, false_computation=c_{i - 1} }}\n"
        main = "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=c_989 }\n"
        path = self.file("m.hlo", "HloModule m\n" + calls + main)
        command = f'ulimit -s 256; "{ASSAY}" run "{path}" --input "f32[] 1"'
        result = ran("sh", "-c", command, timeout=600)
        self.assertEqual((result.returncode, result.stdout), (0, "-1\n"), result.stderr)

    def test_deep_calls_need_no_deep_stack_on_the_threads_of_a_check(self):
        nested = "c_0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n"
        for i in range(1, 500):
            nested += f"c_{i} {{ p = f32[] parameter(0) t = pred[] constant(true) ROOT r = f32[] conditional(t, p, p),"
            nested += f" true_computation=c_{i - 1}, false_computation=c_{i - 1} }}\n"
        fold = ("fold { a = f32[] parameter(0) b = f32[] parameter(1) s = f32[] add(a, b)"
                " ROOT r = f32[] call(s), to_apply=c_499 }\n")
        main = ("ENTRY e { p = f32[2,2] parameter(0) z = f32[] constant(0)"
                " ROOT r = f32[2] reduce(p, z), dimensions={1}, to_apply=fold }\n")
        for name in ("one", "two"):
            self.file(f"models/{name}.hlo", "HloModule m\n" + nested + fold + main)
        command = f'ulimit -s 256; "{ASSAY}" check --models "{self.models}" --filter model/ --jobs 2'
        result = ran("sh", "-c", command, timeout=600)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_wrong_shape_is_reported_once(self):
        path = self.file("m.hlo", "HloModule m\nENTRY e { ROOT p = f32[10000000000,10000000000] parameter(0) }")
        code, err, _ = self.assay("verify", path)
        self.assertEqual((code, err.count("error:")), (4, 1), err)

    def test_devices_are_bounded(self):
        header = "HloModule m, replica_count={}, num_partitions={}\nENTRY e {{ ROOT c = f32[] constant(1) }}"
        for replicas, partitions in ((4294967295, 1), (4096, 4096), (1, 4097)):
            code, err, peak = self.assay("run", self.file("m.hlo", header.format(replicas, partitions)))
            self.assertEqual(code, 4, err)
            self.assertIn(f"{replicas} replicas of {partitions} partitions are more than 4096 devices", err)
            self.assertLess(peak, 1000)
        code, err, _ = self.assay("run", self.file("m.hlo", header.format(64, 64)))
        self.assertEqual(code, 0, err)
