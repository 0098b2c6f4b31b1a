"""Writes the modules of this folder: what JAX programs lower to on the CPU, before any compiler has seen them.

    python -m pip install jax==0.10.2
    python spec_tests/models/make_jax_dumps.py

Each function below is one module; its name is the file's. jax_dumps_test.py runs them on XLA:CPU and the reference.
"""

import pathlib

import jax
import jax.numpy as jnp
from jax import lax

HERE = pathlib.Path(__file__).parent
PROGRAMS = {}


def is_shape(node):
    return isinstance(node, tuple) and isinstance(node[0], str)


def program(*arguments):
    """Registers a function with the shapes of its arguments, each (dtype, dimension...)."""

    def register(function):
        shapes = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a[1:], a[0]), arguments, is_leaf=is_shape)
        PROGRAMS[function.__name__] = (function, shapes)
        return function

    return register


# --- Training ---------------------------------------------------------------------------------------------------------

MLP = (("float32", 12, 16), ("float32", 16), ("float32", 16, 5), ("float32", 5))


@program(MLP, MLP, MLP, ("int32",), ("float32", 8, 12), ("int32", 8))
def mlp_adam_step(parameters, mean, square, step, x, labels):
    """One training step of a two-layer perceptron: cross entropy, gradients, Adam."""

    def loss(parameters):
        w1, b1, w2, b2 = parameters
        logits = jax.nn.gelu(x @ w1 + b1) @ w2 + b2
        picked = jnp.take_along_axis(jax.nn.log_softmax(logits), (labels % 5)[:, None], axis=1)
        return -picked.mean()

    value, gradients = jax.value_and_grad(loss)(parameters)
    step = jnp.abs(step) + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradients)
    square = jax.tree.map(lambda v, g: 0.999 * jnp.abs(v) + 0.001 * g * g, square, gradients)

    def updated(p, m, v):
        return p - 1e-3 * (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8)

    return value, jax.tree.map(updated, parameters, mean, square), mean, square, step


CHANNELS = ("float32", 6)
BLOCK = {"conv1": ("float32", 3, 3, 6, 6), "scale1": CHANNELS, "shift1": CHANNELS,
         "conv2": ("float32", 3, 3, 6, 6), "scale2": CHANNELS, "shift2": CHANNELS}  # fmt: skip


@program(BLOCK, ("float32", 2, 8, 8, 6), ("float32", 2, 8, 8, 6))
def resnet_block_train(parameters, x, target):
    """A residual block with batch normalization in training mode: loss, gradients, moving averages."""

    def normalized(x, scale, shift):
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift, (0.1 * mean, 0.1 * variance)

    def convolved(x, kernel):
        return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def loss(p):
        y, moving1 = normalized(convolved(x, p["conv1"]), p["scale1"], p["shift1"])
        y, moving2 = normalized(convolved(jax.nn.relu(y), p["conv2"]), p["scale2"], p["shift2"])
        pooled = lax.reduce_window(jax.nn.relu(x + y), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        wanted = lax.reduce_window(target, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        return jnp.mean((pooled - wanted) ** 2), (moving1, moving2)

    return jax.value_and_grad(loss, has_aux=True)(parameters)


# --- Sequences --------------------------------------------------------------------------------------------------------

HEADS, HEAD, WIDTH, LENGTH = 2, 4, 8, 6
TRANSFORMER = {"qkv": ("float32", WIDTH, 3 * WIDTH), "out": ("float32", WIDTH, WIDTH),
               "up": ("float32", WIDTH, 2 * WIDTH), "down": ("float32", 2 * WIDTH, WIDTH)}  # fmt: skip


@program(TRANSFORMER, ("float32", 11, WIDTH), ("int32", 2))
def transformer_decode(parameters, embedding, first):
    """Greedy decoding by one transformer block with rotary positions and a KV cache, in a while loop."""

    def layer_norm(x):
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-6)

    def rotated(x, position):
        angle = position * 10000.0 ** (-jnp.arange(HEAD // 2) / (HEAD // 2))
        a, b = jnp.split(x, 2, axis=-1)
        return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)], -1)

    def block(x, keys, values, position):
        q, k, v = jnp.split((layer_norm(x) @ parameters["qkv"]).reshape(-1, HEADS, 3 * HEAD), 3, axis=-1)
        keys = lax.dynamic_update_slice(keys, rotated(k, position)[:, None], (0, position, 0, 0))
        values = lax.dynamic_update_slice(values, v[:, None], (0, position, 0, 0))
        scores = jnp.einsum("bhd,bthd->bht", rotated(q, position), keys) / jnp.sqrt(float(HEAD))
        scores = jnp.where(jnp.arange(LENGTH) <= position, scores, -jnp.inf)
        attended = jnp.einsum("bht,bthd->bhd", jax.nn.softmax(scores), values)
        x = x + attended.reshape(-1, WIDTH) @ parameters["out"]
        return x + jax.nn.silu(layer_norm(x) @ parameters["up"]) @ parameters["down"], keys, values

    def step(state):
        position, token, tokens, keys, values = state
        x, keys, values = block(embedding[token], keys, values, position)
        logits = (layer_norm(x) @ embedding.T).astype(jnp.bfloat16).astype(jnp.float32)
        token = jnp.argmax(logits, -1).astype(jnp.int32)
        return position + 1, token, tokens.at[:, position].set(token), keys, values

    cache = jnp.zeros((2, LENGTH, HEADS, HEAD))
    state = (jnp.int32(0), first % 11, jnp.zeros((2, LENGTH), jnp.int32), cache, cache)
    return lax.while_loop(lambda state: state[0] < LENGTH, step, state)[2:]


@program(("float32", 5, 16), ("float32", 4, 16), ("float32", 16), ("float32", 7, 3, 5))
def lstm_scan(w, u, bias, inputs):
    """An LSTM over seven steps by scan, and the gradients of its last state through time."""

    def cell(state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ w + h @ u + bias, 4, axis=-1)
        c = jax.nn.sigmoid(f + 1) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    def last(w, u, bias):
        (h, _), outputs = lax.scan(cell, (jnp.zeros((3, 4)), jnp.zeros((3, 4))), inputs)
        return jnp.sum(h * h), outputs

    return jax.value_and_grad(last, argnums=(0, 1, 2), has_aux=True)(w, u, bias)


@program(("float32", 2, 3, 9))
def top_k(scores):
    """top_k, approx_max_k and an ordering by two keys."""
    order = lax.sort((jnp.round(scores), -scores, jnp.arange(54, dtype=jnp.int32).reshape(2, 3, 9)), num_keys=2)
    return lax.top_k(scores, 4), lax.approx_max_k(scores, 3), order


@program(("float32", 7, 7), ("int32", 2))
def beam_search(transitions, first):
    """Beam search of width 3 over a Markov chain: top_k of all extensions, gathers of the beams that go on."""
    beams, steps, words = 3, 5, 7
    log_p = jax.nn.log_softmax(transitions)
    scores = jnp.tile(jnp.array([0.0, -jnp.inf, -jnp.inf]), (2, 1))
    history = jnp.broadcast_to((first % words)[:, None, None], (2, beams, steps + 1)).astype(jnp.int32)

    def step(i, state):
        scores, history = state
        extended = scores[:, :, None] + log_p[history[:, :, i]]
        scores, index = lax.top_k(extended.reshape(2, beams * words), beams)
        history = jnp.take_along_axis(history, (index // words)[:, :, None], axis=1)
        return scores, history.at[:, :, i + 1].set(index % words)

    return lax.fori_loop(0, steps, step, (scores, history))


# --- Numerics ---------------------------------------------------------------------------------------------------------


@program(("float32", 3, 20), ("float32", 6), ("float32", 4, 10))
def fft_convolution(signal, kernel, image):
    """Convolution by real FFTs with its gradient, and a low-pass filter by a two-dimensional FFT."""

    def convolved(kernel):
        n = 25
        return jnp.fft.irfft(jnp.fft.rfft(signal, n) * jnp.fft.rfft(kernel, n), n)

    spectrum = jnp.fft.fftshift(jnp.fft.fft2(image))
    keep = (jnp.abs(jnp.arange(10) - 5) < 3)[None, :]
    filtered = jnp.fft.ifft2(jnp.fft.ifftshift(jnp.where(keep, spectrum, 0)))
    return convolved(kernel), jax.grad(lambda k: jnp.sum(convolved(k) ** 2))(kernel), filtered


@program(("float32", 2, 6, 4), ("float32", 2, 6, 3))
def qr_solve(a, b):
    """Least squares by QR, and the gradient of the residual."""

    def residual(a):
        q, r = jnp.linalg.qr(a)
        x = jax.scipy.linalg.solve_triangular(r[0], (q[0].T @ b[0]))
        return jnp.sum((a[0] @ x - b[0]) ** 2)

    return jnp.linalg.qr(a), jnp.linalg.qr(a, mode="complete"), jax.value_and_grad(residual)(a)


@program(("float32", 5, 5), ("float32", 5, 2))
def cholesky_solve(a, b):
    """A positive definite system by Cholesky, its log determinant, and gradients."""

    def solve(a):
        spd = a @ a.T + 5 * jnp.eye(5)
        factor = jax.scipy.linalg.cho_factor(spd, lower=True)
        x = jax.scipy.linalg.cho_solve(factor, b)
        return jnp.sum(x * b) + 2 * jnp.sum(jnp.log(jnp.diag(factor[0]))), x

    return jax.value_and_grad(solve, has_aux=True)(a)


@program(("float32", 4, 4), ("float32", 4), ("float32", 5, 3))
def decompositions(a, b, tall):
    """LU, symmetric and general eigenproblems, singular values, Schur and Hessenberg forms, and what is made of them."""
    symmetric = a + a.T
    return {
        "solve": jnp.linalg.solve(a, b),
        "inverse": jnp.linalg.inv(a),
        "determinant": jnp.linalg.slogdet(a),
        "eigh": jnp.linalg.eigh(symmetric),
        "eig": jnp.linalg.eig(a),
        "svd": jnp.linalg.svd(tall),
        "values": jnp.linalg.svd(tall, compute_uv=False),
        "pinv": jnp.linalg.pinv(tall),
        "lstsq": jnp.linalg.lstsq(tall, jnp.ones(5))[0],
        "schur": lax.linalg.schur(a),
        "hessenberg": lax.linalg.hessenberg(a),
        "tridiagonal": lax.linalg.tridiagonal(symmetric),
        "tridiagonal_solve": lax.linalg.tridiagonal_solve(a[0], b + 3, a[1], b[:, None]),
        "gradient": jax.grad(lambda a: jnp.linalg.eigvalsh(a + a.T)[0])(a),
    }


@program(("uint32", 2))
def random_samples(key):
    """One draw from each of several distributions, by the default generator."""
    keys = jax.random.split(key, 6)
    return {
        "bits": jax.random.bits(keys[0], (5,)),
        "uniform": jax.random.uniform(keys[1], (4,)),
        "normal": jax.random.normal(keys[2], (3, 2)),
        "truncated": jax.random.truncated_normal(keys[3], -1.0, 1.0, (4,)),
        "randint": jax.random.randint(keys[4], (6,), -3, 12),
        "laplace": jax.random.laplace(keys[5], (3,), jnp.bfloat16),
    }


@program(("uint32", 2))
def random_choices(key):
    """Categories, permutations and choices."""
    keys = jax.random.split(key, 4)
    return {
        "categorical": jax.random.categorical(keys[0], jnp.array([0.1, 1.0, -1.0, 0.5]), shape=(6,)),
        "permutation": jax.random.permutation(keys[1], 10),
        "bernoulli": jax.random.bernoulli(keys[2], 0.3, (8,)),
        "choice": jax.random.choice(keys[3], jnp.arange(9.0), (4,), replace=False),
    }


@program(("uint32", 2))
def random_gamma(key):
    """Sampling by rejection, in while loops."""
    return jax.random.gamma(key, jnp.array([0.3, 1.0, 4.5]))


@program(("uint32", 2))
def random_multivariate_normal(key):
    """Normal vectors of a given covariance, by its Cholesky factor."""
    covariance = jnp.array([[2.0, 0.5], [0.5, 1.0]])
    return jax.random.multivariate_normal(key, jnp.zeros(2), covariance, (3,), method="cholesky")


@program(("uint32", 4))
def random_philox(state):
    """Draws by XLA's own generator instead of ThreeFry."""
    key = jax.random.wrap_key_data(state, impl="rbg")
    a, b = jax.random.split(key)
    return jax.random.bits(a, (5,)), jax.random.normal(b, (3,)), jax.random.uniform(a, (3,), jnp.bfloat16)


def main():
    for name, (function, shapes) in PROGRAMS.items():
        text = jax.jit(function).lower(*shapes).compiler_ir("hlo").as_hlo_text()
        (HERE / f"{name}.hlo").write_text(f"// {name} of make_jax_dumps.py, by JAX {jax.__version__}\n{text}")


if __name__ == "__main__":
    main()
