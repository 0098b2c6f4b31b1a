"""Functions of JAX, each beside a rewrite of it by hand: forty that keep the meaning up to lawful roundings, and twenty
with a fault that people make. Pairs for the tests of `assay diff`."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

F, H, B = np.float32, jnp.bfloat16, np.float16
X, Y, V, W = (8, 16), (16, 8), (16,), (16, 16)
IMAGE, KERNEL = (2, 6, 6, 4), (3, 3, 4, 5)
NHWC, NCHW = ("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW")


def softmax(x):
    e = jnp.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def streamed_attention(q, k, v):
    """Attention over blocks of four keys, with a running maximum and a running sum."""
    def step(carry, kv):
        top, total, out = carry
        s = q @ kv[0].T * F(0.25)
        new = jnp.maximum(top, s.max(-1))
        scale, p = jnp.exp(top - new), jnp.exp(s - new[:, None])
        return (new, total * scale + p.sum(-1), out * scale[:, None] + p @ kv[1]), None

    start = jnp.full(8, -jnp.inf, F), jnp.zeros(8, F), jnp.zeros((8, 16), F)
    (_, total, out), _ = lax.scan(step, start, (k.reshape(2, 4, 16), v.reshape(2, 4, 16)))
    return out / total[:, None]


def attention(q, k, v):
    return softmax(q @ k.T * F(0.25)) @ v


def blocked(x, y, size=4):
    """A product in blocks of the contracted dimension."""
    return sum(x[:, i : i + size] @ y[i : i + size] for i in range(0, 16, size))


def im2col(x, k):
    """A convolution as a product of patches."""
    patches = lax.conv_general_dilated_patches(x, (3, 3), (1, 1), "SAME", dimension_numbers=NHWC)
    return patches @ k.transpose(2, 0, 1, 3).reshape(-1, 5)


def convolution(x, k):
    return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=NHWC)


def transposed_convolution(x, k):
    return lax.conv_general_dilated(x.transpose(0, 3, 1, 2), k.transpose(3, 2, 0, 1), (1, 1), "SAME",
                                    dimension_numbers=NCHW).transpose(0, 2, 3, 1)  # fmt: skip


def unrolled(step, count):
    def function(x):
        for i in range(count):
            x = step(i, x)
        return x

    return function


def decay(i, x):
    return x * F(0.5) + jnp.sin(x) * i


def rnn(x, w):
    return lax.scan(lambda h, r: (jnp.tanh(r + h @ w),) * 2, jnp.zeros(16, F), x)[1]


def unrolled_rnn(x, w):
    h, rows = jnp.zeros(16, F), []
    for i in range(8):
        h = jnp.tanh(x[i] + h @ w)
        rows.append(h)
    return jnp.stack(rows)


def one_hot_gather(x):
    return jax.nn.one_hot(jnp.array([3, 0, 7]), 8, dtype=F) @ x


def welford(x):
    """Mean and variance in one pass."""
    def step(carry, column):
        count, mean, m2 = carry
        count = count + 1
        delta = column - mean
        mean = mean + delta / count
        return (count, mean, m2 + delta * (column - mean)), None

    (count, _, m2), _ = lax.scan(step, (F(0), jnp.zeros(8, F), jnp.zeros(8, F)), x.T)
    return m2 / count


def rotary(x):
    a, b = x[:, :8], x[:, 8:]
    return jnp.concatenate([a * F(0.8) - b * F(0.6), b * F(0.8) + a * F(0.6)], 1)


def rotary_by_product(x):
    eye = np.eye(8, dtype=F)
    return x @ jnp.asarray(np.block([[F(0.8) * eye, F(0.6) * eye], [F(-0.6) * eye, F(0.8) * eye]]))


def swiglu(x, w):
    a, b = jnp.split(x @ w, 2, -1)
    return jax.nn.silu(a) * b


def accumulated(x, y):
    """The gradient of a sum of losses, by micro-batches."""
    def loss(y, x):
        return (jnp.tanh(x @ y) ** 2).sum()

    return jax.grad(loss)(y, x[:4]) + jax.grad(loss)(y, x[4:])


def whole_gradient(x, y):
    return jax.grad(lambda y: (jnp.tanh(x @ y) ** 2).sum())(y)


def narrow(f):
    """The function on numbers of bf16, rounded after each operation."""
    return lambda *a: f(*(x.astype(H) for x in a))


def wide(f):
    """The same computed in f32, and rounded at the end."""
    return lambda *a: f(*(x.astype(H).astype(F) for x in a)).astype(H)


# Name: the function, its rewrite, the shapes of the arguments.
RIGHT = {
    "flash attention": (attention, streamed_attention, [X, X, X]),
    "blocks of a product": (jnp.matmul, blocked, [X, Y]),
    "product as a sum": (jnp.matmul, lambda x, y: (x[:, :, None] * y[None]).sum(1), [X, Y]),
    "product of transposes": (jnp.matmul, lambda x, y: (y.T @ x.T).T, [X, Y]),
    "batch of products folded": (lambda x, y: jnp.einsum("bij,jk->bik", x.reshape(2, 4, 16), y),
                                 lambda x, y: (x @ y).reshape(2, 4, 8), [X, Y]),
    "batch by vmap": (lambda x, w: x @ w, lambda x, w: jax.vmap(lambda r: w.T @ r)(x), [X, W]),
    "columns of weights joined": (lambda x, a, b: (x @ a, x @ b),
                                  lambda x, a, b: tuple(jnp.split(x @ jnp.concatenate([a, b], 1), 2, 1)), [X, Y, Y]),
    "associated chain": (lambda a, b, c: (a @ b) @ c, lambda a, b, c: a @ (b @ c), [X, W, Y]),
    "convolution as a product": (convolution, im2col, [IMAGE, KERNEL]),
    "convolution in another layout": (convolution, transposed_convolution, [IMAGE, KERNEL]),
    "pointwise convolution": (lambda x, k: lax.conv_general_dilated(x, k[:1, :1], (1, 1), "VALID", dimension_numbers=NHWC),
                              lambda x, k: x @ k[0, 0], [IMAGE, KERNEL]),
    "mean pool as a convolution": (lambda x: lax.reduce_window(x, F(0), lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4,
                                   lambda x: x.reshape(2, 3, 2, 3, 2, 4).mean((2, 4)), [IMAGE]),
    "maximum pool by reshape": (lambda x: lax.reduce_window(x, F(-np.inf), lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
                                lambda x: x.reshape(2, 3, 2, 3, 2, 4).max((2, 4)), [IMAGE]),
    "loop unrolled": (lambda x: lax.fori_loop(0, 4, decay, x), unrolled(decay, 4), [X]),
    "scan unrolled": (rnn, unrolled_rnn, [X, W]),
    "scan unrolled by two": (lambda x: lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(16, F), x),
                             lambda x: lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(16, F), x, unroll=2), [X]),
    "sum of sums": (lambda x: x.sum(), lambda x: x.sum(0).sum(), [X]),
    "sum by a product with ones": (lambda x: x.sum(1), lambda x: x @ jnp.ones(16, F), [X]),
    "cumulative sum by a triangle": (lambda x: jnp.cumsum(x, 1), lambda x: x @ jnp.triu(jnp.ones((16, 16), F)), [X]),
    "cumulative sum by scan": (lambda x: jnp.cumsum(x, 0), lambda x: lax.scan(lambda c, r: (c + r,) * 2, jnp.zeros(16, F), x)[1], [X]),
    "variance in one pass": (lambda x: x.var(1), welford, [X]),
    "softmax by hand": (jax.nn.softmax, softmax, [X]),
    "logarithm of softmax": (jax.nn.log_softmax, lambda x: x - jax.nn.logsumexp(x, 1, keepdims=True), [X]),
    "root by rsqrt": (lambda x: x / jnp.sqrt((x * x).mean(1, keepdims=True) + F(1e-5)),
                      lambda x: x * lax.rsqrt((x * x).mean(1, keepdims=True) + F(1e-5)), [X]),
    "division by a power of two": (lambda x: x / 8, lambda x: x * F(0.125), [X]),
    "gather as a product": (lambda x: x[np.array([3, 0, 7])], one_hot_gather, [X]),
    "slices of a dynamic slice": (lambda x: x[2:5, 1:9], lambda x: lax.dynamic_slice(x, (2, 1), (3, 8)), [X]),
    "concatenation by pads": (lambda x, y: jnp.concatenate([x, y], 1),
                              lambda x, y: jnp.pad(x, ((0, 0), (0, 16))).at[:, 16:].set(y), [X, X]),
    "select by arithmetic of integers": (lambda x: jnp.where(x > 0, 3, 5), lambda x: 5 - 2 * (x > 0).astype(np.int32), [X]),
    "sort by argsort": (lambda x: jnp.sort(x, 1), lambda x: jnp.take_along_axis(x, jnp.argsort(x, 1), 1), [X]),
    "rotation as a product": (rotary, rotary_by_product, [X]),
    "gate in two products": (swiglu, lambda x, w: jax.nn.silu(x @ w[:, :8]) * (x @ w[:, 8:]), [X, W]),
    "gradient by micro-batches": (whole_gradient, accumulated, [X, Y]),
    "recomputed activations": (jax.grad(lambda x: (jnp.sin(jnp.exp(x)) ** 2).sum()),
                               jax.grad(lambda x: (jax.checkpoint(lambda x: jnp.sin(jnp.exp(x)))(x) ** 2).sum()), [X]),
    "bf16 in f32": (narrow(lambda x, y: jnp.tanh(x @ y) * 2 + 1), wide(lambda x, y: jnp.tanh(x @ y) * 2 + 1), [X, Y]),
    "bf16 sum in f32": (narrow(lambda x: x.sum(1)), wide(lambda x: x.sum(1)), [X]),
    "bf16 softmax in f32": (narrow(softmax), wide(softmax), [X]),
    "f16 product accumulated in f32": (lambda x, y: x.astype(B) @ y.astype(B),
                                       lambda x, y: jnp.matmul(x.astype(B), y.astype(B), preferred_element_type=F).astype(B), [X, Y]),
    "power as a product": (lambda x: x**5, lambda x: (x * x) * (x * x) * x, [X]),
    "sigmoid by tanh": (jax.nn.sigmoid, lambda x: F(0.5) * jnp.tanh(F(0.5) * x) + F(0.5), [X]),
}  # fmt: skip

# The same with a fault.
WRONG = {
    "flash attention without the rescaling": (attention, lambda q, k, v: sum(
        softmax(q @ k[i : i + 4].T * F(0.25)) @ v[i : i + 4] for i in (0, 4)) / 2, [X, X, X]),
    "scale of the wrong dimension": (attention, lambda q, k, v: softmax(q @ k.T * F(8**-0.5)) @ v, [X, X, X]),
    "a block is left out": (jnp.matmul, lambda x, y: x[:, :12] @ y[:12], [X, Y]),
    "a block is counted twice": (jnp.matmul, lambda x, y: x @ y + x[:, 12:] @ y[12:], [X, Y]),
    "operand not transposed": (lambda x, w: x @ w, lambda x, w: x @ w.T, [X, W]),
    "kernel mirrored": (convolution, lambda x, k: convolution(x, k[::-1, ::-1]), [IMAGE, KERNEL]),
    "patches in the other order": (convolution, lambda x, k: lax.conv_general_dilated_patches(
        x, (3, 3), (1, 1), "SAME", dimension_numbers=NHWC) @ k.reshape(-1, 5), [IMAGE, KERNEL]),
    "one iteration too few": (lambda x: lax.fori_loop(0, 4, decay, x), unrolled(decay, 3), [X]),
    "iterations from one": (lambda x: lax.fori_loop(0, 4, decay, x), lambda x: lax.fori_loop(1, 5, decay, x), [X]),
    "carry not updated": (rnn, lambda x, w: jnp.tanh(x + jnp.concatenate([jnp.zeros((1, 16), F), x[:-1]]) @ w), [X, W]),
    "exclusive cumulative sum": (lambda x: jnp.cumsum(x, 1), lambda x: jnp.cumsum(x, 1) - x, [X]),
    "softmax over the other axis": (jax.nn.softmax, lambda x: jax.nn.softmax(x, 0), [X]),
    "softmax without its maximum": (jax.nn.softmax, lambda x: jnp.exp(x) / jnp.exp(x).sum(1, keepdims=True), [X]),
    "variance by n - 1": (lambda x: x.var(1), lambda x: x.var(1, ddof=1), [X]),
    "mean over the batch, too": (lambda x: x - x.mean(1, keepdims=True), lambda x: x - x.mean(), [X]),
    "gradients averaged": (whole_gradient, lambda x, y: accumulated(x, y) / 2, [X, Y]),
    "ties of argmax from the end": (lambda x: jnp.argmax(x, 1), lambda x: 15 - jnp.argmax(x[:, ::-1], 1), [X]),
    "clamp of a strict bound": (lambda x: jnp.where(x >= 0.5, 1, 0), lambda x: jnp.where(x > 0.5, 1, 0), [X]),
    "floor by a conversion": (lambda x: jnp.floor(x), lambda x: x.astype(np.int32).astype(F), [X]),
    "gate of the other half": (swiglu, lambda x, w: jax.nn.silu(x @ w[:, 8:]) * (x @ w[:, :8]), [X, W]),
}  # fmt: skip


def text(function, shapes):
    """Returns the StableHLO of a function."""
    return jax.jit(function, keep_unused=True).lower(*(jax.ShapeDtypeStruct(shape, F) for shape in shapes)).as_text()
