"""Programs that JAX lowers for several devices, in every form of meshes/: the reference, NumPy and XLA:CPU agree.

Before XLA partitions a module its arrays are whole on each device, so every device has the whole result.
"""

import concurrent.futures
import importlib.util
import json
import pathlib
import subprocess
import tempfile
import unittest

from spec_tests.tools.command_line import ASSAY
from spec_tests.nightly import nightly

for package in ("jaxlib", "numpy", "scipy"):
    if not importlib.util.find_spec(package):
        raise unittest.SkipTest(f"no {package} here; tools/dev installs it")
import numpy as np  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "meshes"
WHOLE = ("mlir", "hlo", "before_optimizations.txt")


def numbers(*shape):
    """Small integers, of which every sum and product here is exact."""
    return (np.arange(np.prod(shape)) * 7 % 11 - 5).astype(np.float32).reshape(shape)


def moves(a):
    blocks = 2 * a.reshape(2, 4, 4, 4)  # x, row, y, column
    return a, np.concatenate([a[4:], a[:4]]), blocks.transpose(1, 2, 0, 3).reshape(4, 32)


PROGRAMS = {
    "psum": (lambda a: (2 * a.reshape(4, 2, 4).sum(0),), 4, (8, 4)),
    "product": (lambda a, b: (a @ b,), 8, (8, 16), (16, 4)),
    "moves": (moves, 8, (8, 16)),
    "one_axis": (lambda a: (a[:4] + a[4:],), 8, (8, 4)),
}


def run(path, *arguments):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        values = [{"shape": f"f32[{','.join(map(str, a.shape))}]", "data_hex": a.tobytes().hex()} for a in arguments]
        json.dump({"inputs": values}, file)
        file.flush()
        command = [ASSAY, "run", path, "--format", "json", "--inputs", file.name]
        return subprocess.run(command, capture_output=True, text=True)


def arrays(value):
    """Returns the arrays of a value of the process protocol."""
    if "tuple" in value:
        return [array for element in value["tuple"] for array in arrays(element)]
    sizes = [int(size) for size in value["shape"][4:-1].split(",")]
    return [np.frombuffer(bytes.fromhex(value["data_hex"]), np.float32).reshape(sizes)]


class JaxMeshes(unittest.TestCase):
    def outputs(self, path, *arguments):
        ran = run(path, *arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [arrays(output) for output in json.loads(ran.stdout)["outputs"]]

    def test_whole_programs(self):
        for name, (function, devices, *shapes) in PROGRAMS.items():
            arguments = [numbers(*shape) for shape in shapes]
            wanted = function(*arguments)
            for form in WHOLE:
                with self.subTest(f"{name}.{form}"):
                    outputs = self.outputs(FOLDER / f"{name}.{form}", *arguments)
                    self.assertEqual(len(outputs), devices)
                    for output in outputs:
                        self.assertEqual(len(output), len(wanted))
                        for got, want in zip(output, wanted):
                            np.testing.assert_array_equal(got, want)

    def test_shardings_of_arguments_change_no_value(self):
        x, w = numbers(8, 16), numbers(16, 4)
        for form in WHOLE:
            with self.subTest(form):
                for ((got,)) in self.outputs(FOLDER / f"named.{form}", x, w):
                    np.testing.assert_array_equal(got, x @ w)

    def test_lapack(self):
        a = numbers(6, 4)
        for form in WHOLE:
            with self.subTest(form):
                ((q, r),) = self.outputs(FOLDER / f"qr.{form}", a)
                np.testing.assert_allclose(q @ r, a, atol=1e-5)
                np.testing.assert_allclose(q.T @ q, np.eye(4), atol=1e-6)
                np.testing.assert_array_equal(r, np.triu(r))

    def test_agree_on_xla_cpu(self):
        self.assert_agree([FOLDER / f"{name}.hlo" for name in ("psum", "moves", "named")])

    @nightly
    def test_agree_on_xla_cpu_in_every_form(self):
        paths = sorted(path for path in FOLDER.iterdir())
        self.assertEqual(len(paths), 24)
        self.assert_agree(paths)

    def assert_agree(self, paths):
        def diff(path):
            command = [ASSAY, "diff", path, "--backend", "xla-cpu"]
            return subprocess.run(command, capture_output=True, text=True)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for path, ran in zip(paths, pool.map(diff, paths)):
                with self.subTest(path.name):
                    self.assertEqual(ran.returncode, 0, ran.stdout[:2000] + ran.stderr[-2000:])
                    self.assertIn(ran.stdout.split(":")[0], ("EXACT", "LEGAL"), ran.stdout[:2000])
