"""One custom call of a LAPACK routine with a test of its results by their defining properties.

The tests have nothing of assay's: SciPy's Householder vectors multiplied out, NumPy's eigenvalues and singular values.
The tolerance is what one rounding of an exact result leaves.
"""

import numpy as np

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


def n_of(a):
    return a.shape[-1]


def k_of(a):
    return min(a.shape[-2:])


class Calls:
    """Calls of routines for one element type: their operands, and the values that their tests compare with."""

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
        """Returns the size of a matrix that LAPACK's iterations scale up."""
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
