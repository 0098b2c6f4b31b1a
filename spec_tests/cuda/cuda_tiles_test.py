"""Arrays of many tiles, on the backend cuda over the stand-ins of CUDA's libraries: sorts of several blocks, matrices of
several panels, scatters with many updates for one element, transforms with large prime factors, long windows, updates in
place."""

import collections
import json
import pathlib
import shutil

from spec_tests.cuda.cuda_test_case import ROOT, CudaTest
from spec_tests.nightly import is_nightly
from spec_tests.progress import without_progress
from spec_tests.sanitized import without_sanitizer

MODULES = pathlib.Path(__file__).parent / "tiles"
# The instructions around the tested one.
AROUND = {"dot", "reduce"}
# The others are exact.
APPROXIMATE = ("cholesky", "fft", "long_window_sums", "solve")


@without_sanitizer("it does not know the fibers of the stand-ins")
class CudaTilesTest(CudaTest):
    def test_arrays_of_many_tiles(self):
        report, modules = self.folder / "report", self.folder / "tiles"
        shutil.copytree(MODULES, modules)
        if not is_nightly("transforms of 30 and 1024 numbers and of three dimensions, the upper triangle of cholesky"):
            for name in ("fft_30", "fft_1024", "fft_3d", "cholesky_upper"):
                (modules / f"{name}.hlo").unlink()
        done = self.assay("check", "--backend", "cuda", "--corpus", ROOT / "golden", "--models", modules, "--filter",
                          "model/", "--report", report, ASSAY_CUDA_LOG=self.folder / "log")
        self.assertEqual((done.returncode, without_progress(done.stderr)), (0, ""), done.stdout)
        verdicts = {
            model["name"]: model["verdict"] for model in json.loads((report / "results.json").read_text())["models"]
        }
        self.assertEqual(len(verdicts), len(list(modules.glob("*.hlo"))))
        for name, verdict in verdicts.items():
            self.assertIn(verdict, {"EXACT", "LEGAL"} if name.startswith(APPROXIMATE) else {"EXACT"}, name)
        on_host = collections.Counter()
        for counts in self.counts():
            on_host.update(counts["host"])
        self.assertEqual(set(on_host) - AROUND, set())
