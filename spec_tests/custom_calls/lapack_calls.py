"""Custom calls of every LAPACK routine that JAX calls: the factorizations, and the eigenproblems, which are here."""

import numpy as np

from lapack_call import adjoint, n_of
from lapack_factorizations import Factorizations


class Routines(Factorizations):
    """Calls of every routine for one element type."""

    def hermitian(self, a, uplo):
        full = np.tril(a) if uplo == "L" else adjoint(np.triu(a))
        full = full + adjoint(np.tril(full, -1))
        diagonal = np.einsum("...ii->...i", full)
        diagonal[...] = diagonal.real
        return full

    def hermitian_eigen(self):
        routine = "heevd" if self.is_complex else "syevd"
        for a in self.matrices(square=True):
            for mode, uplo in (("V", "L"), ("V", "U"), ("N", "L")):
                def check(case, operands, got, mode=mode, uplo=uplo):
                    full = self.hermitian(operands[0], uplo)
                    vectors, values, info = got
                    case.assertFalse(info.any())
                    case.assertTrue(np.all(values[..., 1:] >= values[..., :-1]))
                    if not full.size:
                        return
                    wanted = np.linalg.eigvalsh(full.astype(np.complex128))
                    self.near(case, values, wanted, self.norm(full)[..., 0], full.shape[-1])
                    if mode == "V":
                        self.near(case, full @ vectors, vectors * values[..., None, :], self.norm(full), full.shape[-1])
                        self.orthonormal(case, vectors)

                results = [self.shape(a.shape), self.shape(a.shape[:-1], self.real), self.shape(a.shape[:-2], "s32")]
                self.add(routine, [a], results, check, {"mode": mode, "uplo": uplo})

    def singular_values(self):
        for a in self.matrices():
            if a.shape[-1] == 0 or a.shape[-2] == 0:
                continue  # JAX does not call LAPACK for these
            batch, (m, n) = a.shape[:-2], a.shape[-2:]
            k = min(m, n)
            for routine, mode in (("gesdd", "A"), ("gesdd", "S"), ("gesdd", "N"), ("gesvd", "A"), ("gesvd", "S")):
                def check(case, operands, got, mode=mode):
                    (a,), (_, values, u, vt, info) = operands, got
                    case.assertFalse(info.any())
                    if not a.size:
                        return
                    k = min(a.shape[-2:])
                    size = max(a.shape[-2:])
                    case.assertTrue(np.all(values[..., 1:] <= values[..., :-1]) and np.all(values >= 0))
                    wanted = np.linalg.svd(a.astype(np.complex128), compute_uv=False)
                    self.near(case, values, wanted, self.norm(a)[..., 0], size)
                    if mode != "N":
                        product = (u[..., :k] * values[..., None, :]) @ vt[..., :k, :]
                        self.near(case, product, a, self.norm(a), size)
                        self.orthonormal(case, u)
                        self.orthonormal(case, adjoint(vt))

                columns, rows = (m, n) if mode == "A" else (k, k)
                results = [self.shape(a.shape), self.shape((*batch, k), self.real), self.shape((*batch, m, columns)),
                           self.shape((*batch, rows, n)), self.shape(batch, "s32")]  # fmt: skip
                self.add(routine, [a], results, check, {"mode": mode})

    def reductions(self):
        for a in self.matrices(square=True):
            batch, n = a.shape[:-2], a.shape[-1]
            if n == 0:
                continue  # LAPACK wants high >= 1 in one place and high = 0 in another
            info = self.shape(batch, "s32")
            taus = self.shape((*batch, n - 1))

            def check(case, operands, got):
                (a,), (packed, taus, info) = operands, got
                case.assertFalse(info.any())
                for index in np.ndindex(info.shape):
                    below = np.roll(np.tril(packed[index], -2), 1, axis=1)
                    q = self.reflections_from(below, taus[index], 1)
                    self.near(case, q @ np.triu(packed[index], -1) @ adjoint(q), a[index], self.norm(a[index]), 2 * n_of(a))
                    self.orthonormal(case, q)

            self.add("gehrd", [a], [self.shape(a.shape), taus, info], check, {"low": "1 : i32", "high": f"{n} : i32"})
            for uplo in "LU":
                def check_tridiagonal(case, operands, got, uplo=uplo):
                    (a,), (packed, diagonal, off_diagonal, taus, info) = operands, got
                    case.assertFalse(info.any())
                    for index in np.ndindex(info.shape):
                        full = self.hermitian(a[index], uplo)
                        form = np.diag(diagonal[index].astype(full.dtype))
                        form += np.diag(off_diagonal[index], 1) + np.diag(off_diagonal[index], -1)
                        # Eigenvalues of a tridiagonal form are the matrix', and the reflectors lead from one to the other.
                        np.testing.assert_array_equal(packed[index].diagonal(), diagonal[index])
                        off = packed[index].diagonal(-1 if uplo == "L" else 1)
                        np.testing.assert_array_equal(off, off_diagonal[index])
                        rest = np.triu if uplo == "L" else np.tril
                        np.testing.assert_array_equal(rest(packed[index], 1 if uplo == "L" else -1),
                                                      rest(a[index], 1 if uplo == "L" else -1).astype(self.dtype))
                        q = self.tridiagonal_q(packed[index], taus[index], uplo)
                        self.near(case, q @ form @ adjoint(q), full, self.norm(full), 2 * n_of(a))
                        self.orthonormal(case, q)

                real = lambda size: self.shape((*batch, size), self.real)
                self.add("hetrd" if self.is_complex else "sytrd", [a],
                         [self.shape(a.shape), real(n), real(n - 1), taus, info], check_tridiagonal, {"uplo": uplo})  # fmt: skip

    def reflections_from(self, columns, taus, below):
        """Q of reflectors whose pivot is `below` rows under the diagonal; column i + below holds reflector i."""
        m = columns.shape[0]
        q = np.eye(m, dtype=np.clongdouble)
        for i, tau in enumerate(taus):
            v = columns[:, (i + below) % m].astype(np.clongdouble)
            v[: i + below] = 0
            v[i + below] = 1
            q = q @ (np.eye(m) - tau * np.outer(v, v.conj()))
        return q

    def tridiagonal_q(self, packed, taus, uplo):
        """As LAPACK's documentation of sytrd multiplies: H(1) ... H(n-1), or for the upper triangle H(n-1) ... H(1)."""
        n = packed.shape[0]
        q = np.eye(n, dtype=np.clongdouble)
        for i in range(n - 1) if uplo == "L" else range(n - 2, -1, -1):
            v = np.zeros(n, np.clongdouble)
            if uplo == "L":
                v[i + 1], v[i + 2 :] = 1, packed[i + 2 :, i]
            else:
                v[i], v[:i] = 1, packed[:i, i + 1]
            q = q @ (np.eye(n) - taus[i] * np.outer(v, v.conj()))
        return q

    def eigen(self):
        complex_type = {"f32": "c64", "f64": "c128"}.get(self.type, self.type)
        for a in self.matrices(square=True):
            batch, n = a.shape[:-2], a.shape[-1]
            if n == 0:
                continue
            values = [self.shape((*batch, n))] * (1 if self.is_complex else 2)
            for left, right in ("NV", "VV", "NN"):
                def check(case, operands, got, left=left, right=right):
                    (a,), (*parts, vl, vr, info) = operands, got
                    case.assertFalse(info.any())
                    values = parts[0] if self.is_complex else parts[0] + 1j * parts[1]
                    for index in np.ndindex(info.shape):
                        size, norm = 4 * n_of(a), self.norm(a[index])
                        # Every eigenvalue of one is near one of the other, in backward error.
                        for value in values[index]:
                            shifted = a[index].astype(np.complex128) - value * np.eye(n_of(a))
                            self.near(case, np.linalg.svd(shifted, compute_uv=False)[-1], 0, norm[0, 0], size)
                        self.near(case, values[index].sum(), np.trace(a[index]), norm[0, 0], size)
                        for vectors, matrix, factors in ((vr, a[index], values[index]),
                                                         (vl, adjoint(a[index]), values[index].conj())):  # fmt: skip
                            if (right if vectors is vr else left) == "N":
                                continue
                            v = vectors[index].astype(np.clongdouble)
                            self.near(case, matrix @ v, v * factors, norm, size)
                            self.near(case, (np.abs(v) ** 2).sum(0), 1, 1, n_of(a))

                vectors = self.shape(a.shape, complex_type)
                self.add("geev", [a], [*values, vectors, vectors, self.shape(batch, "s32")], check,
                         {"compute_left": left, "compute_right": right})  # fmt: skip
                # SciPy's LAPACK (3.12.0) scales such a matrix up and does not scale its eigenvalues back.
                self.calls[-1].is_broken = 0 < np.abs(a).max(initial=0) < 10 * self.tiny()
            for mode in "VN":
                def check_schur(case, operands, got, mode=mode):
                    (a,), (form, vectors, *values, selected, info) = operands, got
                    case.assertFalse(info.any() or selected.any())
                    for index in np.ndindex(info.shape):
                        case.assertFalse(np.tril(form[index], -1 if self.is_complex else -2).any())
                        norm = self.norm(a[index])[0, 0]
                        self.near(case, np.trace(form[index]), np.trace(a[index]), norm, 4 * n_of(a))
                        self.near(case, values[0][index], form[index].diagonal(), norm)
                        if not self.is_complex:
                            # A block [[a, b], [c, a]] has the eigenvalues a +- sqrt(b c).
                            wanted = np.zeros(n_of(a))
                            for i in np.flatnonzero(form[index].diagonal(-1)):
                                wanted[i] = np.sqrt(-form[index][i, i + 1] * np.longdouble(form[index][i + 1, i]))
                                wanted[i + 1] = -wanted[i]
                            self.near(case, values[1][index], wanted, norm)
                        if mode == "V":
                            v = vectors[index].astype(np.clongdouble)
                            self.near(case, v @ form[index] @ adjoint(v), a[index], self.norm(a[index]), 4 * n_of(a))
                            self.orthonormal(case, v)

                counts = [self.shape(batch, "s32")] * 2
                self.add("gees", [a], [self.shape(a.shape)] * 2 + values + counts, check_schur,
                         {"mode": mode, "sort": "N"})  # fmt: skip

    def tridiagonal_solve(self):
        for n, systems, batch in ((4, 2, ()), (1, 1, ()), (2, 3, ()), (7, 1, (2, 3)), (20, 2, (2,)), (3, 0, ())):
            below, diagonal, above = (self.random(*batch, n) for _ in range(3))
            b = self.random(*batch, n, systems)

            def dense(below, diagonal, above):
                return np.diag(diagonal) + np.diag(below[1:], -1) + np.diag(above[:-1], 1)

            def check(case, operands, got):
                below, diagonal, above, b = operands
                x = got[3] if len(got) > 1 else got[0]
                for index in np.ndindex(b.shape[:-2]):
                    t = dense(below[index], diagonal[index], above[index])
                    self.near(case, t @ x[index], b[index], self.norm(t) * self.norm(x[index]), 1)
                if len(got) > 1:
                    case.assertFalse(got[4].any())

            vector = self.shape((*batch, n))
            self.add("gtsv", [below, diagonal, above, b],
                     [vector, vector, vector, self.shape(b.shape), self.shape(batch, "s32")], check)  # fmt: skip
            self.add("gtsv", [below, diagonal, above, b], [self.shape(b.shape)], check)
            self.calls[-1].name = "tridiagonal_solve_perturbed_ffi"

        def check_perturbed(case, operands, got):
            # [[1, 1, 0], [1, 1, 0], [0, 0, 2]] x = (1, 0, 3): the second pivot is an ulp away from zero.
            t, (x,) = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 2]], np.longdouble), got
            case.assertTrue(np.all(np.isfinite(x)) and np.abs(x).max() > 0.01 / self.ulp)
            self.near(case, t @ x, operands[3], self.norm(t) * self.norm(x))

        vectors = [np.array(v, self.dtype) for v in ([0, 1, 0], [1, 1, 2], [1, 0, 0], [[1], [0], [3]])]
        self.add("gtsv", vectors, [self.shape((3, 1))], check_perturbed)
        self.calls[-1].name = "tridiagonal_solve_perturbed_ffi"
        zero = np.zeros(3, self.dtype)

        def check_singular(case, operands, got):
            case.assertEqual(got[4], 1)

        self.add("gtsv", [zero, zero, zero, self.random(3, 1)],
                 [self.shape((3,))] * 3 + [self.shape((3, 1)), self.shape((), "s32")], check_singular, may_be_open=True)  # fmt: skip

    def all(self):
        for family in (self.cholesky, self.triangular_solve, self.lu, self.qr, self.products, self.hermitian_eigen,
                       self.singular_values, self.reductions, self.eigen, self.tridiagonal_solve):  # fmt: skip
            family()
        return self.calls
