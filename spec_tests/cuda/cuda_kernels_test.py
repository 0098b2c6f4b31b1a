"""Compiles the kernels that the corpus and arrays of many tiles need with the real NVRTC, if there is one: kernels that
differ in more than numbers and types, for one generation of devices. Nightly tests compile those of the whole corpus
that differ in more than numbers, for three generations. Other runs use a tenth of the quick cases.
"""

import os
import pathlib
import re
import subprocess

from spec_tests.cuda.cuda_test_case import ROOT, CudaTest
from spec_tests.nightly import is_nightly, nightly

TILES = pathlib.Path(__file__).parent / "tiles"
NUMBERS = re.compile(r"0x[0-9a-f]+|\b\d+\b")
NAMES_AND_TYPES = re.compile(r"\b(?:[vpc]\d+|(?:[sufc]|bf)\d+\w*|pred|complex)\b")
ARCHITECTURES = ("compute_80", "compute_90", "compute_100")
# The number of texts that nightly tests also compile to machine code: ptxas may refuse legal PTX.
MACHINE_CODE = 40


def distinct(paths, *patterns):
    """Returns the first of the texts whose kernels are equal without the matches of the patterns."""
    first = {}
    for path in paths:
        text = path.read_text()
        kernel = text[text.index('extern "C" __global__'):]
        for pattern in patterns:
            kernel = pattern.sub("0", kernel)
        first.setdefault(kernel, path)
    return list(first.values())


class CudaKernelsTest(CudaTest):
    def compiled(self, texts, *architectures):
        """Compiles the files of texts without the stand-in for NVRTC."""
        environment = {name: value for name, value in os.environ.items() if name != "ASSAY_CUDA_NVRTC"}
        return subprocess.run([os.environ["COMPILE_KERNELS"], *architectures], env=environment, text=True,
                              input="".join(f"{text}\n" for text in texts), capture_output=True, check=False)

    def test_nvrtc_takes_those_of_some_quick_cases(self):
        self.check_nvrtc("--quick", "--shard", "2/20", at_least=15)

    @nightly
    def test_nvrtc_takes_those_of_the_corpus(self):
        self.check_nvrtc(at_least=4000)

    def check_nvrtc(self, *options, at_least):
        done = self.compiled([], "compute_90")
        if done.returncode == 77:
            self.skipTest(f"no NVRTC here: {done.stdout.strip()}")
        dump = self.folder / "dump"
        dump.mkdir()
        for backend in ("cuda", "cuda:exact"):
            checked = self.assay("check", "--backend", backend, "--corpus", ROOT / "golden", "--models", TILES,
                                 *options, ASSAY_CUDA_DUMP=dump,
                                 ASSAY_CUDA_CACHE=os.environ["ASSAY_CUDA_CACHE"])
            self.assertIn(checked.returncode, (0, 1), checked.stderr)
        texts = sorted(pathlib.Path(dump).glob("*.cu"))
        self.assertGreater(len(texts), at_least)
        of_types, of_forms = distinct(texts, NUMBERS), distinct(texts, NAMES_AND_TYPES, NUMBERS)
        compiled = [(("compute_90",), of_forms), (("sm_80", "sm_90", "sm_100"), of_forms[:MACHINE_CODE // 8])]
        if is_nightly("kernels that differ in types, and of three generations"):
            compiled = [(("compute_90",), of_types), (ARCHITECTURES, of_forms),
                        (("sm_80", "sm_90", "sm_100"), of_forms[:MACHINE_CODE])]
        for architectures, some in compiled:
            done = self.compiled(some, *architectures)
            self.assertEqual(done.returncode, 0, done.stdout[-4000:])
            self.assertIn(f"{len(some) * len(architectures)} compiled, 0 refused", done.stdout)
