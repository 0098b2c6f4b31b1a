"""Linear algebra that JAX lowers to custom calls of GPUs and TPUs.

One function, exported for the CPU and for other platforms, has the same value on the reference. Its results have no
free sign or basis: products of factors, solutions, sorted eigenvalues. The values of the CPU are tested against NumPy
in lapack_test.py. JAX's own records add what real GPUs and TPUs gave.
"""

import importlib
import pkgutil
import re
import unittest

import assay
import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax._src.internal_test_util import export_back_compat_test_data as records

jax.config.update("jax_enable_x64", True)
linalg = lax.linalg
PLATFORMS = ("cpu", "cuda", "rocm", "tpu")


def adjoint(a):
    return jnp.swapaxes(a.conj(), -1, -2)


def svd(algorithm, full):
    def function(a):
        u, s, vh = linalg.svd(a, full_matrices=full, algorithm=algorithm)
        k = s.shape[-1]
        values = linalg.svd(a, compute_uv=False, algorithm=algorithm)
        product = (u[..., :k] * s[..., None, :]) @ vh[..., :k, :]
        return s, values, product, adjoint(u) @ u, vh @ adjoint(vh)

    return function


def eigh(lower, implementation=None):
    def function(a):
        v, w = linalg.eigh(a, lower=lower, symmetrize_input=False, implementation=implementation)
        return w, (v * w[..., None, :]) @ adjoint(v), adjoint(v) @ v

    return function


def eig(left):
    def function(a):
        w, *vectors, right = linalg.eig(a, compute_left_eigenvectors=left)
        of_left = [adjoint(v) @ a - w[..., :, None] * adjoint(v) for v in vectors]
        return jnp.sort(w.real), a @ right - right * w[..., None, :], jnp.linalg.norm(right, axis=-2), *of_left

    return function


def qr(pivoting):
    def function(a):
        q, r, *order = linalg.qr(a, pivoting=pivoting)
        return q @ r, adjoint(q) @ q, *order

    return function


class Platforms(unittest.TestCase):
    """The values of functions on the reference, for each platform that lowers them."""

    def setUp(self):
        self.rng = np.random.default_rng(1)

    def random(self, dtype, *shape):
        a = self.rng.standard_normal(shape)
        if np.dtype(dtype).kind == "c":
            a = a + 1j * self.rng.standard_normal(shape)
        return a.astype(dtype)

    def value(self, platform, function, arrays, exported=None):
        """Returns the value, or None if JAX has no lowering for the platform. `exported` are the arguments of which
        the module is made, if their shapes are not those of the arrays."""
        allowed = set()
        while True:
            checks = [export.DisabledSafetyCheck.custom_call(target) for target in allowed]
            try:
                module = export.export(jax.jit(function), platforms=[platform], disabled_checks=checks)(*exported or arrays)
            except NotImplementedError:
                return None
            except ValueError as error:  # targets without a promise of compatibility
                named = set(re.findall(r"\b\w+(?:_ffi|_perturbed|_geqp3|_eig_real|_eig_comp)\b", str(error)))
                if named <= allowed:
                    raise
                allowed |= named
                continue
            value = assay.evaluate(module, *arrays)
            return value if isinstance(value, tuple) else (value,)

    def check(self, function, *arrays, at_least=3, others=PLATFORMS[1:], tolerance=None):
        kind = np.finfo(arrays[0].dtype)
        tolerance = tolerance or 200 * kind.eps
        wanted = self.value("cpu", function, arrays)
        found = 0
        for platform in others:
            value = self.value(platform, function, arrays)
            if value is None:
                continue
            found += 1
            for i, (want, got) in enumerate(zip(wanted, value, strict=True)):
                with self.subTest(platform=platform, result=i, type=str(arrays[0].dtype)):
                    self.assertEqual((want.shape, want.dtype), (got.shape, got.dtype))
                    scale = max(np.abs(want).max(initial=1), np.abs(arrays[0]).max(initial=1))
                    np.testing.assert_allclose(got, want, rtol=0, atol=tolerance * scale)
        self.assertGreaterEqual(found, at_least)

    def test_singular_values(self):
        for dtype, shape in ((np.float32, (4, 4)), (np.complex128, (2, 5, 3)), (np.complex64, (3, 5))):
            a = self.random(dtype, *shape)
            for full in (True, False):
                self.check(svd(None, full), a, tolerance=1e-4)  # the TPU's polar decomposition iterates in f32
                self.check(svd(linalg.SvdAlgorithm.QR, full), a, at_least=2)
        wide = self.random(np.float32, 34, 40)
        self.check(svd(None, False), wide, at_least=2, others=("cuda", "rocm"))

    def test_eigenvalues(self):
        for dtype, shape in ((np.float64, (4, 4)), (np.complex64, (2, 5, 5))):
            a = self.random(dtype, *shape)
            for left in (True, False):
                self.check(eig(left), a, at_least=2)
            hermitian = a + np.swapaxes(a.conj(), -1, -2)
            for lower in (True, False):
                self.check(eigh(lower), hermitian, at_least=2, others=("cuda", "rocm"))
                self.check(lambda a, lower=lower: linalg.tridiagonal(a, lower=lower), hermitian, at_least=2)

    def test_factorizations_and_solutions(self):
        for dtype, shape in ((np.float64, (4, 4)), (np.complex64, (2, 5, 3)), (np.float32, (3, 5))):
            a = self.random(dtype, *shape)
            self.check(qr(False), a)
            self.check(qr(True), a, at_least=2)
            self.check(linalg.lu, a)
        for dtype, batch in ((np.float32, ()), (np.complex128, (2,))):
            a, b = self.random(dtype, *batch, 4, 4), self.random(dtype, *batch, 4, 2)
            self.check(jnp.linalg.solve, a, b, tolerance=1e-4 if dtype == np.float32 else None)
            self.check(jnp.linalg.slogdet, a)
            self.check(linalg.cholesky, a @ np.swapaxes(a.conj(), -1, -2) + np.eye(4, dtype=dtype))
            below, above = self.random(dtype, *batch, 4), self.random(dtype, *batch, 4)
            below[..., 0] = above[..., -1] = 0
            self.check(linalg.tridiagonal_solve, below, self.random(dtype, *batch, 4) + 5, above, b)

    def test_matrices_without_elements(self):
        for shape in ((0, 3), (3, 0), (0, 3, 3), (2, 0, 0)):
            a = np.zeros(shape, np.float32)
            self.check(svd(None, False), a, at_least=2)
            self.check(qr(False), a)
            self.check(linalg.lu, a)
            if shape[-1] == shape[-2]:
                self.check(eigh(True), a, at_least=2)
                self.check(eig(False), a, at_least=2)
                self.check(linalg.cholesky, a)

    def test_updates(self):
        factor = np.linalg.cholesky(np.diag([4.0, 5, 6]) + 1).T.copy()
        self.check(linalg.cholesky_update, factor, self.random(np.float64, 3))
        update = lambda a, c: jnp.tril(linalg.symmetric_product(a, c, alpha=2.0, beta=3.0))
        self.check(update, self.random(np.float32, 2, 3, 5), self.random(np.float32, 2, 3, 3))

    def test_batches_of_unknown_size(self):
        a = self.random(np.float32, 2, 4, 4)
        batch = jax.ShapeDtypeStruct(export.symbolic_shape("b, 4, 4"), a.dtype)
        for function in (qr(False), linalg.lu, linalg.cholesky, svd(None, False), eigh(True), jnp.linalg.inv):
            wanted = self.value("cpu", function, (a,))
            for platform in ("cpu", "cuda", "rocm") if function is not linalg.lu else PLATFORMS:
                value = self.value(platform, function, (a,), (batch,))
                for want, got in zip(wanted, value, strict=True):
                    with self.subTest(platform=platform):
                        np.testing.assert_allclose(got, want, rtol=0, atol=2e-5)

    def test_selections_are_exact_on_the_reference(self):
        a = self.random(np.float32, 3, 2000)
        for platform in PLATFORMS:
            values, indices = self.value(platform, lambda a: lax.approx_min_k(a, 4), (a,))
            np.testing.assert_array_equal(values, np.sort(a, axis=-1)[:, :4])
            np.testing.assert_array_equal(indices, np.argsort(a, axis=-1)[:, :4])


# The results of JAX's records that have no free signs.
UNIQUE = {"eigh": [1], "Eigh": [1], "svd": [1]}
NOT_KNOWN = {"hipsolver_syevj", "hipsolver_syevd"}  # their configuration is a structure of the library


def recorded(data):
    if isinstance(data, dict) and "mlir_module_serialized" in data:
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from recorded(value)


class Records(unittest.TestCase):
    """JAX's records of what modules gave on GPUs and TPUs."""

    def test_real_devices_agree(self):
        found = 0
        for module in pkgutil.iter_modules(records.__path__):
            device, kind = (module.name.split("_") + [""])[:2]
            if device not in ("cuda", "gpu", "rocm", "tpu") or kind in ("Sharding", "stablehlo"):
                continue
            data = vars(importlib.import_module(f"{records.__name__}.{module.name}"))
            for record in (r for name, value in data.items() if name.startswith("data") for r in recorded(value)):
                if NOT_KNOWN & set(record["custom_call_targets"]):
                    continue
                found += 1
                value = assay.evaluate(record["mlir_module_serialized"], *record["inputs"])
                value = value if isinstance(value, tuple) else (value,)
                for i in UNIQUE.get(kind, range(len(value))):
                    want = np.asarray(record["expected_outputs"][i])
                    tolerance = 2e-5 if want.dtype.itemsize <= 8 and want.dtype != np.float64 else 1e-13
                    with self.subTest(module.name, targets=record["custom_call_targets"], type=str(want.dtype)):
                        np.testing.assert_allclose(value[i], want, rtol=0, atol=tolerance * np.abs(want).max())
        self.assertGreater(found, 50)
