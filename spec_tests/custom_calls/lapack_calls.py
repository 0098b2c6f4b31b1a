"""Custom calls of every LAPACK routine that JAX calls, each with a test of its results by their defining properties.

The tests have nothing of assay's: SciPy's Householder vectors multiplied out, NumPy's eigenvalues and singular values.
The tolerance is what one rounding of an exact result leaves.
"""

import numpy as np
import scipy.linalg

TYPES = {"s": ("f32", np.float32), "d": ("f64", np.float64), "c": ("c64", np.complex64), "z": ("c128", np.complex128)}
REAL = {"c64": "f32", "c128": "f64"}
DTYPES = {name: dtype for name, dtype in TYPES.values()} | {"s32": np.int32}


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def shape_of(array):
    name = next(name for name, dtype in DTYPES.items() if array.dtype == dtype)
    return f"{name}[{','.join(map(str, array.shape))}]"


def with_layout(shape, matrix_rank):
    """Column-major for matrices, as JAX lays them out; vectors and the counts of problems have the default layout."""
    if shape.endswith("[]"):
        return shape
    rank = shape.count(",") + 1
    order = list(range(rank))[::-1]
    if rank == matrix_rank:
        order[0], order[1] = order[1], order[0]
    return f"{shape}{{{','.join(map(str, order))}}}"


class Call:
    """One custom call: operands, the shapes of its results, backend_config, and the test of its results."""

    def __init__(self, name, operands, results, config, check, may_be_open=False):
        self.name, self.operands, self.results, self.config = name, operands, results, config
        self.check, self.may_be_open = check, may_be_open
        self.is_broken = False  # on XLA:CPU

    def text(self, number, first_parameter):
        lines, names, layouts = [], [], []
        matrix_rank = max(operand.ndim for operand in self.operands)
        for i, operand in enumerate(self.operands):
            shape = shape_of(operand)
            lines.append(f"  a{first_parameter + i} = {shape} parameter({first_parameter + i})")
            names.append(f"a{first_parameter + i}")
            layouts.append(with_layout(shape, matrix_rank))
        results = [with_layout(result, matrix_rank) for result in self.results]
        result = results[0] if len(results) == 1 else f"({', '.join(results)})"
        config = ", ".join(f"{key} = {value}" for key, value in self.config.items())
        lines.append(
            f"  r{number} = {result} custom-call({', '.join(names)}), custom_call_target=\"{self.name}\", "
            f"operand_layout_constraints={{{', '.join(layouts)}}}, api_version=API_VERSION_TYPED_FFI, "
            f"backend_config={{{config}}}"
        )
        return lines, result


# --- The routines -----------------------------------------------------------------------------------------------------


class Routines:
    """Calls of every routine for one element type."""

    def __init__(self, letter):
        self.letter = letter
        self.type, self.dtype = TYPES[letter]
        self.real = REAL.get(self.type, self.type)
        self.is_complex = self.type in REAL
        self.rng = np.random.default_rng(ord(letter))
        self.ulp = np.finfo(self.dtype).eps
        self.calls = []

    # Shapes and operands.

    def random(self, *shape):
        a = self.rng.standard_normal(shape)
        if self.is_complex:
            a = a + 1j * self.rng.standard_normal(shape)
        return a.astype(self.dtype)

    def tiny(self):
        """The size of a matrix that LAPACK's iterations scale up."""
        return 1e-30 if self.real == "f32" else 1e-200

    def matrices(self, *, square=False):
        sides = [(3, 3), (1, 1), (0, 0)] if square else [(3, 3), (5, 3), (3, 5), (1, 1), (1, 4), (4, 1), (0, 3), (3, 0)]
        found = [self.random(*side) for side in sides]
        found += [self.random(2, 4, 4), self.random(2, 3, 12, 12), self.random(0, 3, 3)]
        found.append(np.zeros((3, 3), self.dtype))
        rank_one = (self.random(4, 1) @ self.random(1, 4)).astype(self.dtype)
        found += [rank_one, np.eye(3, dtype=self.dtype), (self.tiny() * self.random(3, 3)).astype(self.dtype)]
        if not square:
            found += [self.random(2, 6, 4), self.random(40, 30)]
        bad = self.random(2, 3, 3)
        bad[1, 0, 0] = np.nan
        found.append(bad)
        return found

    def shape(self, dimensions, type=None):
        return f"{type or self.type}[{','.join(map(str, dimensions))}]"

    def add(self, routine, operands, results, check, config={}, **options):
        config = {key: f"{ord(value)} : ui8" if len(str(value)) == 1 and not isinstance(value, int) else value
                  for key, value in config.items()}  # fmt: skip
        wide = [operand.astype(np.clongdouble if self.is_complex else np.longdouble) if operand.dtype != np.int32
                else operand for operand in operands]  # fmt: skip
        is_finite = all(np.isfinite(operand).all() for operand in operands)
        self.calls.append(Call(
            f"lapack_{self.letter}{routine}_ffi", operands, results, config,
            (lambda case, got: check(case, wide, got)) if is_finite else None, options.get("may_be_open") or not is_finite,
        ))  # fmt: skip

    def near(self, case, got, want, norm, size=1):
        """Equal but for a few roundings to the type, relative to a norm."""
        error = np.abs(np.asarray(got) - want)
        scale = np.broadcast_to(np.asarray(norm, np.longdouble), error.shape)
        allowed = 8 * max(size, 1) * self.ulp * scale + np.finfo(self.dtype).tiny
        case.assertTrue(np.all(error <= allowed), f"off by {np.max(error / allowed) if error.size else 0} of the tolerance")

    def orthonormal(self, case, q):
        if q.size:
            self.near(case, adjoint(q) @ q, np.eye(q.shape[-1]), 1, q.shape[-2])

    @staticmethod
    def norm(a):
        return np.sqrt((np.abs(a) ** 2).sum((-1, -2)))[..., None, None] if a.size else np.longdouble(1)

    # Families.

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


def n_of(a):
    return a.shape[-1]


def k_of(a):
    return min(a.shape[-2:])
