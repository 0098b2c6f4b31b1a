"""The backend cuda declares CUDA's libraries as NVIDIA's headers do, if these are installed (headers.cc)."""

import pathlib
import shutil
import subprocess

from spec_tests.cuda.cuda_test_case import ROOT, CudaTest

TEXT = pathlib.Path(__file__).with_name("headers.cc")
LIBRARIES = pathlib.Path("backends/cuda/libraries")
HEADERS = ("cuda.h", "nvrtc.h", "cublasLt.h")


class CudaHeadersTest(CudaTest):
    def setUp(self):
        super().setUp()
        nvcc = shutil.which("nvcc")
        places = [pathlib.Path(nvcc).resolve().parents[1]] if nvcc else []
        places.append(pathlib.Path("/usr/local/cuda"))
        found = [place / "include" for place in places if all((place / "include" / header).exists() for header in HEADERS)]
        if not found:
            self.skipTest("not run, for CUDA's headers are not here: " + ", ".join(HEADERS))
        self.include = found[0]

    def compiled(self):
        """Headers in the test's folder go before those of the project."""
        return subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-I", self.folder, "-I", ROOT, "-I", self.include, TEXT],
                              capture_output=True, text=True, check=False, cwd=self.folder)

    def test_the_declarations_are_the_same(self):
        done = self.compiled()
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_others_are_not(self):
        own = self.folder / LIBRARIES
        own.mkdir(parents=True)
        for name, right, wrong in (
            ("driver.h", "CUresult(CUdeviceptr*, std::size_t)", "CUresult(CUdeviceptr*, unsigned)"),
            ("driver.h", "CUresult(CUmodule*, const void*)", "CUresult(CUmodule*, void*)"),
            ("driver.h", "CUresult(float*, CUevent, CUevent)", "CUresult(float*, CUevent)"),
            ("driver.h", "kMultiprocessorCount = 16", "kMultiprocessorCount = 17"),
            ("nvrtc.h", "nvrtcResult(nvrtcProgram, std::size_t*)", "nvrtcResult(nvrtcProgram, int*)"),
            ("cublas_lt.h", "float waves_count;", "double waves_count;"),
            ("cublas_lt.h", "kCompute64F = 70", "kCompute64F = 71"),
        ):
            with self.subTest(wrong):
                header = (ROOT / LIBRARIES / name).read_text()
                self.assertIn(right, header)
                (own / name).write_text(header.replace(right, wrong))
                done = self.compiled()
                (own / name).unlink()
                self.assertIn("error: static assertion failed", done.stderr)
