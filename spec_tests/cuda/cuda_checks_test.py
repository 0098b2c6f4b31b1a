"""The checks of compute-sanitizer, made without a device: the stand-in of the driver checks each access of a kernel
(host_driver/checks.h). Here are planted faults; cuda_corpus, cuda_products, cuda_replay and cuda_tiles run a second
time with these checks.
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import unittest

from spec_tests.cuda.cuda_test_case import CudaTest
from spec_tests.nightly import is_nightly
from spec_tests.sanitized import without_sanitizer

TILES = pathlib.Path(__file__).parent / "tiles"
WORDS = 64  # of the array that the kernels get
KERNEL = 'extern "C" __global__ void kernel(unsigned* a, unsigned* b) {{ {} }}'
SHARED = "__shared__ unsigned s[32]; const unsigned t = threadIdx.x; "
# The code of a kernel of two blocks with 32 threads, and its finding. `a` is written, `b` is not.
FAULTS = {
    "a[64 + threadIdx.x % 2] = 0;": "bounds",
    "b[threadIdx.x + 32 * blockIdx.x] = a[(int)threadIdx.x - 1];": "bounds",
    "*(unsigned long long*)(a + 1) = 0;": "alignment",
    "a[threadIdx.x + 32 * blockIdx.x] = b[threadIdx.x];": "start",
    SHARED + "a[t + 32 * blockIdx.x] = s[t];": "start",
    # Shared memory does not last from one block to the next.
    SHARED + "if (blockIdx.x == 0) s[t] = t; a[t + 32 * blockIdx.x] = s[t];": "start",
    "b[threadIdx.x] = blockIdx.x;": "race",
    "b[0] = threadIdx.x;": "race",
    "a[threadIdx.x] = a[threadIdx.x + 1];": "race",
    SHARED + "s[t] = t; __syncthreads(); s[t] = 1; a[t + 32 * blockIdx.x] = s[t ^ 1];": "race",
    # Threads that hand each other numbers have not waited for each other's writes.
    SHARED + "s[t] = t; a[t] = __shfl_down_sync(~0u, t, 1); b[t] = s[31 - t];": "race",
    SHARED + "s[t] = t; __syncthreads(); s[t] = s[31 - t];": "race",
    "if (threadIdx.x < 16) __syncthreads();": "barrier",
    "if (threadIdx.x < 16) { __syncthreads(); }\nelse { __syncthreads(); }": "barrier",
}
SOUND = [
    "b[threadIdx.x + 32 * blockIdx.x] = a[63 - threadIdx.x];",
    "a[threadIdx.x + 32 * blockIdx.x] += 1;",
    "if (blockIdx.x == 0) *(unsigned long long*)(a + 2 * threadIdx.x) = 0;",
    "atomicAdd((unsigned long long*)a, 1ull);",
    SHARED + "s[t] = t; __syncthreads(); b[t + 32 * blockIdx.x] = s[31 - t];",
    SHARED + "s[t] = t; __syncthreads(); const unsigned x = s[31 - t]; __syncthreads(); s[t] = x;",
    SHARED + "s[t] = __shfl_down_sync(~0u, t, 1); __syncthreads(); b[t + 32 * blockIdx.x] = s[31 - t];",
]

ADD = "add {\n  a = T[] parameter(0)\n  b = T[] parameter(1)\n  ROOT r = T[] add(a, b)\n}\n"
RUNNING = """running {
  x = T[] parameter(0)
  y = T[] parameter(1)
  z = T[] add(y, x)
  ROOT t = (T[], T[]) tuple(z, z)
}
"""
# Kernels whose threads wait for each other, each with many blocks or many turns.
MEET = {
    "dot": "HloModule m\nENTRY e {\n  x = T[70,50] parameter(0)\n  y = T[50,80] parameter(1)\n"
    "  ROOT r = T[70,80] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n",
    "reduce": f"HloModule m\n{ADD}ENTRY e {{\n  x = T[9,70000] parameter(0)\n  z = T[] constant(0)\n"
    "  ROOT r = T[9] reduce(x, z), dimensions={1}, to_apply=add\n}\n",
    "reduce of the outer dimension": f"HloModule m\n{ADD}ENTRY e {{\n  x = T[7000,9] parameter(0)\n"
    "  z = T[] constant(0)\n  ROOT r = T[9] reduce(x, z), dimensions={0}, to_apply=add\n}\n",
    "scan": f"HloModule m\n{RUNNING}ENTRY e {{\n  a = T[3000] parameter(0)\n  b = T[] parameter(1)\n"
    "  ROOT r = (T[3000], T[]) scan(a, b), dimensions={0}, num_carries=1, is_associative=true, to_apply=running\n}\n",
}


def launch(text):
    """Compiles and launches a kernel by the libraries of the environment; the driver's result."""
    nvrtc = ctypes.CDLL(os.environ["ASSAY_CUDA_NVRTC"])
    driver = ctypes.CDLL(os.environ["ASSAY_CUDA_DRIVER"])
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), None, 0, None, None) == 0
    compiled = nvrtc.nvrtcCompileProgram(program, 0, None)
    if compiled != 0:
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        raise RuntimeError(log.value.decode())
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    code = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(program, code)
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    assert driver.cuModuleLoadData(ctypes.byref(module), code) == 0
    assert driver.cuModuleGetFunction(ctypes.byref(function), module, b"kernel") == 0
    arrays = [ctypes.c_ulonglong() for _ in range(2)]
    for array in arrays:
        assert driver.cuMemAlloc_v2(ctypes.byref(array), ctypes.c_size_t(4 * WORDS)) == 0
    numbers = (ctypes.c_uint * WORDS)(*range(WORDS))
    assert driver.cuMemcpyHtoDAsync_v2(arrays[0], numbers, ctypes.c_size_t(4 * WORDS), None) == 0
    words = (ctypes.c_void_p * 2)(*(ctypes.addressof(array) for array in arrays))
    return driver.cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, None, words, None)


@without_sanitizer("it does not know the fibers of the stand-ins")
class CudaChecksTest(CudaTest):
    def launched(self, body):
        done = subprocess.run([sys.executable, __file__, KERNEL.format(body)], capture_output=True, text=True, check=False,
                              timeout=600, env={**os.environ, "HOST_DRIVER_CHECKS": "1"})
        self.assertIn(done.stdout, ("0\n", "719\n"), done.stderr)
        return done.stdout == "0\n", done.stderr

    def test_planted_faults_are_found(self):
        for body, kind in FAULTS.items():
            with self.subTest(body):
                is_clean, finding = self.launched(body)
                self.assertFalse(is_clean)
                self.assertIn(f"launch 1: {kind}: ", finding)

    def test_sound_kernels_pass(self):
        for body in SOUND:
            with self.subTest(body):
                self.assertEqual(self.launched(body), (True, ""))

    def run_with_checks(self, text, *arguments, **settings):
        return self.run_module(text, "--seed", 1, *arguments, HOST_DRIVER_CHECKS=1, ASSAY_CUDA_ALLOCATE="each",
                               ASSAY_CUDA_CACHE="", **settings)

    def test_no_barrier_of_the_kernels_can_be_left_out(self):
        modules = {f"{name} {type}": text.replace("T[", f"{type}[")
                   for name, text in MEET.items() for type in ("s32", "f32")}
        tiles = ["cholesky_lower", "scatter_sums_of_one", "solve_upper_left", "sort_tiles"]
        if not is_nightly("barriers of folds of s32, of a scatter and of a triangular system"):
            modules = {name: text for name, text in modules.items() if name.endswith("f32")}
            tiles = ["cholesky_lower", "sort_tiles"]
        step = 1 if is_nightly("two of three barriers of a kernel") else 3
        for name in tiles:
            modules[name] = (TILES / f"{name}.hlo").read_text()
        for name, text in modules.items():
            with self.subTest(name):
                texts = self.folder / name
                texts.mkdir()
                done = self.run_with_checks(text, ASSAY_CUDA_DUMP=texts)
                self.assertEqual(done.returncode, 0, done.stderr)
                barriers = max(path.read_text().count("__syncthreads();") for path in texts.iterdir())
                self.assertGreater(barriers, 0)
                for number in range(1, barriers + 1, step):
                    done = self.run_with_checks(text, HOST_NVRTC_LEAVES_OUT=number)
                    self.assertIn("host driver: launch", done.stderr, number)


if __name__ == "__main__":
    if len(sys.argv) == 2 and "kernel(" in sys.argv[1]:
        print(launch(sys.argv[1]))
    else:
        unittest.main()
