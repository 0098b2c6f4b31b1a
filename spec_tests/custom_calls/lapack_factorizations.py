"""Cholesky, triangular solves, LU and QR, and the products with Q."""

import numpy as np
import scipy.linalg

from lapack_call import Calls, adjoint, k_of, n_of


class Factorizations(Calls):
    def cholesky(self):
        for a in self.matrices(square=True):
            n = a.shape[-1]
            positive = (a @ adjoint(a) + n * np.abs(a).max(initial=0) * np.eye(n)).astype(self.dtype)
            for matrices, uplo in ((positive, "L"), (positive, "U"), (a, "L")):
                def check(case, operands, got, uplo=uplo):
                    (a,), (factor, info) = operands, got
                    for index in np.ndindex(info.shape):
                        lower = np.tril(factor[index]) if uplo == "L" else adjoint(np.triu(factor[index]))
                        full = np.tril(a[index]) if uplo == "L" else adjoint(np.triu(a[index]))
                        full = full + adjoint(np.tril(full, -1))
                        np.fill_diagonal(full, full.diagonal().real)
                        # The order of the first leading minor that is not positive definite, by its eigenvalues.
                        minors = [np.linalg.eigvalsh(full[:k, :k].astype(np.complex128))[0] for k in range(1, n_of(a) + 1)]
                        bad = next((k + 1 for k, least in enumerate(minors) if least <= 0), 0)
                        if all(abs(least) > 1e-9 * np.abs(full).max() for least in minors):
                            case.assertEqual(info[index], bad)
                        if info[index] == 0:
                            self.near(case, lower @ adjoint(lower), full, self.norm(full))
                        rest = np.triu if uplo == "L" else np.tril
                        np.testing.assert_array_equal(rest(factor[index], 1 if uplo == "L" else -1),
                                                      rest(a[index], 1 if uplo == "L" else -1).astype(self.dtype))

                shape = self.shape(a.shape)
                self.add("potrf", [matrices], [shape, self.shape(a.shape[:-2], "s32")], check, {"uplo": uplo},
                         may_be_open=matrices is a)  # fmt: skip

    def triangular_solve(self):
        for n, systems, batch in ((4, 3, ()), (1, 1, (2,)), (5, 1, (2, 3)), (0, 2, ()), (3, 0, ()), (9, 4, ())):
            a = (self.random(*batch, n, n) + 3 * np.eye(n)).astype(self.dtype)
            for side in "LR":
                b = self.random(*batch, *((n, systems) if side == "L" else (systems, n)))
                for uplo in "LU":
                    for trans in "NTC":
                        diag = "U" if trans == "T" else "N"

                        def check(case, operands, got, side=side, uplo=uplo, trans=trans, diag=diag):
                            (a, b), (x,) = operands, got
                            t = np.tril(a) if uplo == "L" else np.triu(a)
                            if diag == "U":
                                t = t - t * np.eye(a.shape[-1]) + np.eye(a.shape[-1])
                            t = {"N": t, "T": np.swapaxes(t, -1, -2), "C": adjoint(t)}[trans]
                            product = t @ x if side == "L" else x @ t
                            self.near(case, product, b, self.norm(t) * self.norm(np.asarray(x)))

                        self.add("trsm", [a, b], [self.shape(b.shape)], check,
                                 {"side": side, "uplo": uplo, "trans_x": trans, "diag": diag})  # fmt: skip
        singular = np.triu(self.random(3, 3))
        singular[1, 1] = 0
        self.add("trsm", [singular, self.random(3, 2)], [self.shape((3, 2))], lambda case, operands, got: None,
                 {"side": "L", "uplo": "U", "trans_x": "N", "diag": "N"}, may_be_open=True)  # fmt: skip

    def lu(self):
        for a in self.matrices():
            m, n = a.shape[-2:]
            k = min(m, n)

            def check(case, operands, got):
                (a,), (packed, pivots, info) = operands, got
                for index in np.ndindex(info.shape):
                    lower = np.tril(packed[index], -1)[:, :k_of(a)] + np.eye(a.shape[-2], k_of(a))
                    upper = np.triu(packed[index])[: k_of(a)]
                    permuted = a[index].copy()
                    for i, pivot in enumerate(pivots[index]):
                        permuted[[i, pivot - 1]] = permuted[[pivot - 1, i]]
                    self.near(case, lower @ upper, permuted, self.norm(a[index]))
                    zeros = np.flatnonzero(upper.diagonal() == 0)
                    case.assertEqual(info[index], zeros[0] + 1 if zeros.size else 0)
                    # SciPy's pivots, where no two candidates are as large.
                    if a.shape[-2:] == (5, 3):
                        np.testing.assert_array_equal(scipy.linalg.lu_factor(a[index].astype(self.dtype))[1] + 1,
                                                      pivots[index])  # fmt: skip

            batch = a.shape[:-2]
            self.add("getrf", [a], [self.shape(a.shape), self.shape((*batch, k), "s32"), self.shape(batch, "s32")], check)

    def reflections(self, packed, taus):
        """Q of packed reflectors, multiplied out."""
        m = packed.shape[-2]
        q = np.eye(m, dtype=packed.dtype)
        for i, tau in enumerate(taus):
            v = np.concatenate([np.zeros(i), [1], packed[i + 1 :, i]])[:, None]
            q = q @ (np.eye(m) - tau * v @ adjoint(v))
        return q

    def qr(self):
        for a in self.matrices():
            batch, k = a.shape[:-2], min(a.shape[-2:])

            def factors(case, a, packed, taus):
                for index in np.ndindex(a.shape[:-2]):
                    q = self.reflections(packed[index].astype(np.clongdouble), taus[index])
                    self.near(case, q @ np.triu(packed[index]), a[index], self.norm(a[index]), max(a.shape[-2:]))
                    self.orthonormal(case, q)

            def check(case, operands, got):
                (a,), (packed, taus) = operands, got
                factors(case, a, packed, taus)
                # LAPACK's signs: NumPy's R.
                if a.shape == (5, 3):
                    r = np.linalg.qr(a.astype(self.dtype), mode="r")
                    np.testing.assert_allclose(np.triu(packed)[:3], r, atol=1e-4 if self.ulp > 1e-10 else 1e-12)

            self.add("geqrf", [a], [self.shape(a.shape), self.shape((*batch, k))], check)

            def check_pivoted(case, operands, got):
                (a, fixed), (packed, order, taus) = operands, got
                for index in np.ndindex(a.shape[:-2]):
                    case.assertEqual(sorted(order[index]), list(range(1, a.shape[-1] + 1)))
                    case.assertTrue(np.all(fixed[index][order[index] - 1][: np.count_nonzero(fixed[index])] != 0))
                    diagonal = np.abs(packed[index].diagonal())[np.count_nonzero(fixed[index]) :]
                    case.assertTrue(np.all(diagonal[1:] <= diagonal[:-1] * (1 + 4 * self.ulp)))
                if a.size:
                    factors(case, np.take_along_axis(a, order[..., None, :] - 1, -1), packed, taus)

            for fixed in (np.zeros, np.ones):
                free = fixed((*batch, a.shape[-1]), np.int32)
                if fixed is np.ones:
                    free[..., ::2] = 0
                results = [self.shape(a.shape), self.shape(free.shape, "s32"), self.shape((*batch, k))]
                self.add("geqp3", [a, free], results, check_pivoted)

    def products(self):
        routine = "un" if self.is_complex else "or"
        for m, n, k, batch in ((5, 3, 3, ()), (5, 5, 2, (2,)), (1, 1, 1, ()), (3, 2, 0, ()), (4, 0, 0, ()), (30, 20, 20, ())):
            packed, taus = np.zeros((*batch, m, n), self.dtype), np.zeros((*batch, k), self.dtype)
            for index in np.ndindex(batch):
                (raw, tau), _ = scipy.linalg.qr(self.random(m, max(k, 1)), mode="raw")
                packed[index][:, :k], taus[index] = raw[:, :k], tau[:k]

            def check(case, operands, got):
                (packed, taus), (q,) = operands, got
                for index in np.ndindex(packed.shape[:-2]):
                    wanted = self.reflections(packed[index], taus[index])[:, : packed.shape[-1]]
                    self.near(case, q[index], wanted, 1, packed.shape[-2])

            self.add(f"{routine}gqr", [packed, taus], [self.shape(packed.shape)], check)
            for left in (True, False):
                for transpose in (True, False):
                    c = self.random(*batch, *((m, 4) if left else (4, m)))

                    def check_product(case, operands, got, left=left, transpose=transpose):
                        (packed, taus, c), (result,) = operands, got
                        for index in np.ndindex(packed.shape[:-2]):
                            q = self.reflections(packed[index], taus[index])
                            q = adjoint(q) if transpose else q
                            wanted = q @ c[index] if left else c[index] @ q
                            self.near(case, result[index], wanted, self.norm(c[index]), packed.shape[-2])

                    config = {"left": str(left).lower(), "transpose": str(transpose).lower()}
                    if n > 0:
                        self.add(f"{routine}mqr", [packed, taus, c], [self.shape(c.shape)], check_product, config)
