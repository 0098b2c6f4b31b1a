"""Numerics: control flow, transforms, linear algebra, random numbers, sorting, products of every form."""

import itertools

import jax
import jax.numpy as jnp
from jax import lax

from spec_tests.lowerings.layers.layer import in_group

layer = in_group("numerics")

WITHOUT_BF16 = ("", "vmap", "grad")

for transform, size in itertools.product(("fft", "ifft", "rfft", "irfft", "hfft"), (6, 7)):
    shape = f"f32[3,{size}]" if transform in ("rfft",) else f"c64[3,{size}]"
    layer(shape, forms=WITHOUT_BF16 if shape[0] == "f" else ("", "vmap"), name=f"{transform}_{size}")(
        getattr(jnp.fft, transform))  # fmt: skip


@layer("f32[4,6]", forms=WITHOUT_BF16)
def spectrum(x):
    transformed = jnp.fft.fftshift(jnp.fft.fft2(x))
    return jnp.abs(transformed), jnp.angle(transformed), jnp.fft.irfft2(jnp.fft.rfft2(x) * 0.5)


@layer("f32[8]", "f32[8]", forms=WITHOUT_BF16)
def convolved_by_fft(x, y):
    return jnp.fft.irfft(jnp.fft.rfft(x, 16) * jnp.fft.rfft(y, 16), 16)[:8], jnp.convolve(x, y, mode="same")


DECOMPOSITIONS = {
    "cholesky": jnp.linalg.cholesky,
    "inverse": jnp.linalg.inv,
    "determinant": jnp.linalg.slogdet,
    "eigenvalues": jnp.linalg.eigvalsh,
    "orthogonal": lambda a: jnp.linalg.qr(a)[1],
    "singular_values": lambda a: jnp.linalg.svd(a, compute_uv=False),
    "power": lambda a: jnp.linalg.matrix_power(a, 5),
    "exponential": lambda a: jax.scipy.linalg.expm(a / 8),
    "pseudo_inverse": jnp.linalg.pinv,
    "solve": lambda a: jnp.linalg.solve(a, jnp.ones(4, a.dtype)),
    "triangular": lambda a: jax.scipy.linalg.solve_triangular(a, jnp.ones((4, 2), a.dtype), lower=True, trans=1),
    "norms": lambda a: [jnp.linalg.norm(a, order) for order in (None, 1, jnp.inf)],
    "covariance": lambda a: (jnp.cov(a), jnp.corrcoef(a)),
    "products": lambda a: (jnp.trace(a), jnp.outer(a[0], a[1]), jnp.kron(a[:2, :2], a), jnp.cross(a[:, :3], a[:, 1:])),
}
for kind, function in DECOMPOSITIONS.items():
    layer("f32[4,4]", forms=WITHOUT_BF16, name=kind)(
        lambda x, function=function: function(x @ x.T + 4 * jnp.eye(4)))  # fmt: skip

EINSUMS = {
    "matrices": "ij,jk->ik", "batched": "bij,bjk->bik", "outer": "i,j->ij", "trace": "ii->", "diagonal": "ii->i",
    "transposed": "ij,kj->ki", "summed": "ij->j", "bilinear": "bi,ij,bj->b", "shared": "bij,bij->bi",
    "middle": "abc,cde->abde", "permuted": "abc->cab", "crossed": "abc,bad->cd",
}  # fmt: skip
for kind, equation in EINSUMS.items():
    operands = [f"f32[{','.join('3' for _ in operand)}]" for operand in equation.partition("->")[0].split(",")]
    layer(*operands, name=f"einsum_{kind}")(lambda *values, equation=equation: jnp.einsum(equation, *values))
    layer(*(operand.replace("f32", "s8") for operand in operands), forms=("", "vmap"), name=f"einsum_{kind}_s8")(
        lambda *values, equation=equation: jnp.einsum(equation, *values, preferred_element_type=jnp.int32))  # fmt: skip

DISTRIBUTIONS = {
    "normal": lambda key: jax.random.normal(key, (5,)),
    "uniform": lambda key: jax.random.uniform(key, (5,), minval=-2),
    "integers": lambda key: jax.random.randint(key, (5,), -7, 9),
    "permutation": lambda key: jax.random.permutation(key, 9),
    "bernoulli": lambda key: jax.random.bernoulli(key, 0.3, (5,)),
    "gumbel": lambda key: jax.random.gumbel(key, (5,)),
    "categorical": lambda key: jax.random.categorical(key, jnp.arange(5.0), shape=(3,)),
    "choice": lambda key: jax.random.choice(key, 9, (4,), replace=False),
    "split": lambda key: jax.random.split(key, 3),
    "fold_in": lambda key: jax.random.fold_in(key, 7),
    "truncated": lambda key: jax.random.truncated_normal(key, -1, 2, (5,)),
    "exponential": lambda key: jax.random.exponential(key, (5,)),
    "laplace": lambda key: jax.random.laplace(key, (5,)),
    "gamma": lambda key: jax.random.gamma(key, 1.5, (3,)),
    "beta": lambda key: jax.random.beta(key, 0.5, 2, (3,)),
    "dirichlet": lambda key: jax.random.dirichlet(key, jnp.ones(3)),
    "poisson": lambda key: jax.random.poisson(key, 3.0, (4,)),
    "bits": lambda key: jax.random.bits(key, (4,), jnp.uint8),
    "orthogonal": lambda key: jax.random.orthogonal(key, 3),
    "rademacher": lambda key: jax.random.rademacher(key, (5,)),
    "logistic": lambda key: jax.random.logistic(key, (5,)),
    "multivariate": lambda key: jax.random.multivariate_normal(key, jnp.zeros(2), jnp.eye(2), (3,)),
    "cauchy": lambda key: jax.random.cauchy(key, (5,)),
    "student": lambda key: jax.random.t(key, 4, (3,)),
}
for kind, function in DISTRIBUTIONS.items():
    layer("u32[2]", forms=("", "vmap"), name=f"random_{kind}")(function)


@layer("f32[5,6]")
def accumulations(x):
    return jnp.cumsum(x, 0), jnp.cumprod(x, 1), lax.cummax(x, 1), lax.cumlogsumexp(x, 0, reverse=True), jnp.diff(x)


@layer("f32[4,7]")
def reductions(x):
    return x.sum(0), x.prod(1), x.max(), x.min(1, keepdims=True), x.mean(), x.std(0), jnp.ptp(x), jnp.any(x > 2, 1)


@layer("f32[4,7]", forms=WITHOUT_BF16)
def order_statistics(x):
    return jnp.median(x, 1), jnp.quantile(x, 0.3, axis=0), jnp.argmax(x, 1), jnp.argmin(x), jnp.nanmean(x)


@layer("f32[4,6]", "s32[4,6]:0:3")
def sorted_values(x, y):
    by_keys = lax.sort((y, x), num_keys=2), lax.sort((y, x), dimension=0, num_keys=1)
    return jnp.sort(x, 0), jnp.argsort(-x), lax.top_k(x, 3), by_keys


@layer("f32[6]", "f32[6]", "s32[6]:0:3", forms=("", "vmap"))
def lexsorted(x, y, z):
    order = jnp.lexsort((x, z))
    places = jnp.digitize(x, jnp.linspace(-1, 1, 4))
    return order, jnp.take(y, order), jnp.histogram(x, bins=4, range=(-2, 2))[0], places


@layer("f32[3,9]", "u32[2]", forms=("", "vmap"))
def nucleus_sampling(logits, key):
    values, order = lax.top_k(logits, 9)
    probability = jax.nn.softmax(values)
    kept = jnp.where(jnp.cumsum(probability, -1) - probability < 0.8, values, -jnp.inf)
    return jnp.take_along_axis(order, jax.random.categorical(key, kept)[:, None], 1)[:, 0]


@layer("f32[4,3]", "f32[3,3]", forms=("", "vmap"))
def viterbi(scores, transitions):
    def forward(best, score):
        candidates = best[:, None] + transitions
        return candidates.max(0) + score, candidates.argmax(0)

    last, back = lax.scan(forward, scores[0], scores[1:])
    _, path = lax.scan(lambda tag, row: (row[tag], row[tag]), jnp.argmax(last), back, reverse=True)
    return path


@layer("f32[4]", "s32[]:-2:5", "pred[]")
def branches(x, i, flag):
    chosen = lax.switch(i, [jnp.sin, lambda x: x * 2, lambda x: x[::-1]], x)
    return lax.cond(flag, lambda x, y: x + y, lambda x, y: x - y, x, chosen)


@layer("f32[4]", "s32[]:0:9", forms=("", "vmap", "bf16"))
def loops(x, n):
    x = lax.fori_loop(0, n, lambda i, x: x * 0.9 + i, x)
    steps, root = lax.while_loop(lambda s: (s[0] < 12) & (jnp.max(jnp.abs(s[1] ** 2 - 2)) > 1e-2),
                                 lambda s: (s[0] + 1, 0.5 * (s[1] + 2 / s[1])), (0, jnp.abs(x) + 0.5))  # fmt: skip
    return steps, root


@layer("f32[3,4]", "f32[4]")
def nested_scans(rows, start):
    def outer(carry, row):
        return lax.scan(lambda c, x: (c * 0.5 + x, c.sum()), carry, row)

    return lax.scan(outer, start, rows), lax.map(lambda row: row[::-1] * 2, rows)


@layer("f32[2]", forms=WITHOUT_BF16)
def ordinary_equation(y):
    def field(y):
        return jnp.stack([y[1], -jnp.sin(y[0])])

    def step(y, _):
        a = field(y)
        b = field(y + 0.05 * a)
        c = field(y + 0.05 * b)
        y = y + 0.1 / 6 * (a + 2 * b + 2 * c + field(y + 0.1 * c))
        return y, y

    return lax.scan(step, y, None, length=6)


@layer("f32[5]", forms=WITHOUT_BF16)
def special_functions(x):
    special = jax.scipy.special
    size, share = jnp.abs(x), jax.nn.sigmoid(x)
    gammas = special.gammaln(size), special.digamma(size + 1), special.betainc(1.5, 2.0, share)
    return gammas, special.erf(x), special.i0e(x), special.ndtri(share), special.xlogy(x, size), jnp.sinc(x)


@layer("f32[6]", "f32[6]")
def elementary(x, y):
    size, next_to = jnp.abs(x), lax.nextafter(*map(lax.stop_gradient, (x, y)))
    functions = jnp.arctan2(x, y), jnp.hypot(x, y), jnp.power(size, y), jnp.log1p(size), jnp.expm1(x), jnp.cbrt(x)
    remainders = jnp.fmod(x, y), jnp.remainder(x, y), jnp.floor_divide(x, y)
    return functions, remainders, jnp.sign(x), next_to, jnp.where(x > y, x, jnp.nan), jnp.heaviside(x, y)


@layer("s32[6]", "s32[6]", "u8[6]", forms=("", "vmap"))
def integers(x, y, z):
    arithmetic = x // y, x % y, lax.div(x, y), jnp.gcd(x, y)
    bits = x << (z % 40), x >> 3, jnp.bitwise_xor(x, y), lax.population_count(z), lax.clz(x)
    converted = z.astype(jnp.int8), x.astype(jnp.float16), lax.bitcast_convert_type(x, jnp.uint8)
    return arithmetic, bits, converted, jnp.packbits(z > 50), jnp.unpackbits(z)


@layer("f32[2,3,4]", "f32[1,3,1]", "f32[4]")
def shapes(x, y, z):
    padded = jnp.pad(x, ((1, 0), (0, 2), (0, 1)), mode="reflect"), lax.pad(z, z[0], [(1, -1, 2)])
    repeated = jnp.tile(z, (2, 2)), jnp.repeat(z, 3), jnp.broadcast_to(y, (2, 3, 4)), jnp.meshgrid(z, z[:2])
    return padded, repeated, jnp.stack([x, x + y]), x.transpose(2, 0, 1).reshape(4, 6), jnp.moveaxis(x, 0, -1)


@layer("f32[4,6]", "s32[]:0:3")
def polynomials(x, i):
    return jnp.polyval(x[0], x[1]), jnp.vander(x[0], 3), jnp.gradient(x)[0], jnp.trapezoid(x), jnp.unwrap(x), x[i] @ x.T
