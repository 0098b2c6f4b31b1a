"""The output of `run`: every number in a %g form of C that reads back, braces as in HLO text, large arrays described.

The expectations are numpy's and Python's. ASSAY names the executable.
"""

import itertools
import json

import numpy as np
from command_line import CliTest, passing


def number(value, kind):
    """Returns the shorter of two forms that reads back to the same number."""
    if np.isnan(value):
        return None
    if np.isinf(value):
        return "inf" if value > 0 else "-inf"
    short, full = ("%.6g", "%.9g") if kind == np.float32 else ("%.15g", "%.17g")
    text = short % value
    return text if kind(text) == value else full % value


def braces(elements, sizes, dimension=0, index=0):
    """HLO's text of an array: elements are an iterator over texts."""
    is_last = dimension == len(sizes) - 1
    blanks = not is_last or (len(sizes) > 1 and sizes[dimension] > 1)
    comment = f"/*i{dimension - 1}={index}*/ " if len(sizes) > 3 and dimension > 0 and not is_last else ""
    inside = [next(elements) if is_last else braces(elements, sizes, dimension + 1, i) for i in range(sizes[dimension])]
    text = ("{ " if blanks else "{") + comment + ", ".join(inside)
    return text + ("}" if not blanks or comment and not inside else " }")


class OutputTest(CliTest):
    def run_on(self, shape, *arguments):
        return self.assay("run", self.file("m.hlo", passing(shape)), *arguments, code=0).stdout.rstrip("\n")

    def saved(self, array):
        path = self.folder / "in.npy"
        np.save(path, array)
        return path

    def test_numbers(self):
        random = np.random.default_rng(11)
        for kind, bits in ((np.float32, np.uint32), (np.float64, np.uint64)):
            values = [
                random.integers(0, np.iinfo(bits).max, 20000, bits, endpoint=True).view(kind),
                random.integers(0, 2**20, 2000, bits).view(kind),  # subnormal ones
                np.round(random.normal(size=5000), 3).astype(kind),
                kind(2) ** np.arange(-1074 if kind == np.float64 else -149, 128).astype(kind),
                kind(10) ** np.arange(-30, 30).astype(kind),
                np.array([0, -0.0, np.inf, -np.inf, 1, 999999, 1000000, 1e15, 1e16, 9.999995], kind),
            ]
            values = np.concatenate(values)
            values = values[~np.isnan(values)]
            name = "f32" if kind == np.float32 else "f64"
            found = self.run_on(f"{name}[{len(values)}]", "--input", self.saved(values)).strip("{}").split(", ")
            self.assertEqual(found, [number(value, kind) for value in values])

    def test_braces(self):
        for rank in range(1, 6):
            for sizes in itertools.islice(itertools.product((0, 1, 2, 3), repeat=rank), 0, None, 1 if rank < 4 else 7):
                with self.subTest(sizes=sizes):
                    values = np.arange(np.prod(sizes), dtype=np.int32).reshape(sizes)
                    shape = f"s32[{','.join(map(str, sizes))}]"
                    expected = braces(map(str, values.reshape(-1).tolist()), sizes)
                    self.assertEqual(self.run_on(shape, "--input", self.saved(values)), expected)

    def test_pieces_fit_together(self):
        values = np.arange(300_000, dtype=np.int32).reshape(3, 1000, 100)
        text = self.run_on("s32[3,1000,100]", "--input", self.saved(values), "--full-output")
        self.assertEqual(text, braces(map(str, values.reshape(-1).tolist()), values.shape))

    def test_large_arrays_are_described(self):
        values = np.linspace(-3, 5, 100_001, dtype=np.float32)
        values[7] = np.nan
        self.assertEqual(
            self.run_on("f32[100001]", "--input", self.saved(values)),
            "{...} /*f32[100001]: 100001 elements, minimum -3, maximum 5, mean nan, more than 1000 distinct values, 1 NaN*/",
        )
        self.assertEqual(self.run_on("s32[100,2000]", "--input", self.saved(np.full((100, 2000), -7, np.int32))),
                         "{...} /*s32[100,2000]: 200000 elements, minimum -7, maximum -7, mean -7, 1 distinct value*/")
        pair = np.tile(np.array([1 + 2j, 3 - 4j], np.complex64), 60_000)
        self.assertEqual(self.run_on("c64[120000]", "--input", self.saved(pair)),
                         "{...} /*c64[120000]: 120000 elements, mean (2, -1), 2 distinct values*/")
        self.assertEqual(self.run_on("f32[2000000000,0]"), "{...} /*f32[2000000000,0]: 0 elements*/")
        # Exactly as many as are printed.
        few = self.run_on("s32[100000]", "--input", self.saved(np.arange(100_000, dtype=np.int32)))
        self.assertTrue(few.endswith(", 99998, 99999}"))

    def test_json_and_files_hold_everything(self):
        values = np.random.default_rng(5).normal(size=(300, 500)).astype(np.float32)
        output = json.loads(self.run_on("f32[300,500]", "--input", self.saved(values), "--format", "json"))["outputs"][0]
        self.assertEqual(output, {"shape": "f32[300,500]", "data_hex": values.tobytes().hex()})
        self.run_on("f32[300,500]", "--input", self.saved(values), "--out", self.folder / "out")
        np.testing.assert_array_equal(np.load(self.folder / "out" / "output.npy"), values)
