"""Training: losses, optimizers, clipping, checkpointed and custom derivatives."""

import jax
import jax.numpy as jnp
from jax import lax

from spec_tests.lowerings.layers.layer import in_group

layer = in_group("training")

PAIR = ("f32[4,5]", "f32[4,5]")
STATE = ("f32[4,3]", "f32[4,3]", "f32[4,3]", "f32[4,3]", "s32[]:1:9")  # parameters, gradient, two moments, step


@layer("f32[4,5]", "s32[4]:0:5")
def cross_entropy(logits, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))


@layer("f32[4,5]", "s32[4]:-1:5")
def cross_entropy_with_padding(logits, labels):
    keep = labels >= 0
    loss = jax.nn.logsumexp(logits, axis=-1) - jnp.sum(logits * jax.nn.one_hot(labels, 5, dtype=logits.dtype), axis=-1)
    return jnp.sum(jnp.where(keep, loss, 0)) / jnp.maximum(keep.sum(), 1)


@layer(*PAIR)
def losses(x, y):
    distance = x - y
    return {
        "square": jnp.mean(distance**2),
        "huber": jnp.where(jnp.abs(distance) < 1, distance**2 / 2, jnp.abs(distance) - 0.5).sum(),
        "hinge": jnp.maximum(0, 1 - x * jnp.sign(y)).mean(),
        "binary": (jax.nn.softplus(x) - x * (y > 0)).mean(),
        "log_cosh": jnp.logaddexp(distance, -distance).sum() - jnp.log(2.0).astype(x.dtype),
    }


@layer(*PAIR)
def divergence(x, y):
    p, q = jax.nn.log_softmax(x), jax.nn.log_softmax(y)
    return jnp.sum(jnp.exp(p) * (p - q), axis=-1), jax.scipy.special.rel_entr(jnp.exp(p), jnp.exp(q))


@layer("f32[4,6]", "f32[4,6]")
def contrastive(x, y):
    x, y = (v / jnp.linalg.norm(v, axis=-1, keepdims=True) for v in (x, y))
    return -jnp.diag(jax.nn.log_softmax(x @ y.T / 0.1)).mean()


@layer("f32[4,5]", "f32[4,5]", "f32[4,5]")
def triplet(anchor, near, far):
    return jax.nn.relu(((anchor - near) ** 2).sum(-1) - ((anchor - far) ** 2).sum(-1) + 0.5)


@layer("f32[6,4]", "s32[6]:0:4", "f32[4,4]")
def random_field(scores, tags, transitions):
    def step(alpha, score):
        return jax.nn.logsumexp(alpha[:, None] + transitions, axis=0) + score, None

    alpha, _ = lax.scan(step, scores[0], scores[1:])
    path = scores[jnp.arange(6), tags].sum() + transitions[tags[:-1], tags[1:]].sum()
    return jax.nn.logsumexp(alpha) - path


@layer(*STATE, forms=("", "vmap", "bf16"))
def momentum(p, g, m, v, step):
    m = 0.9 * m + g
    return p - 0.1 * (0.9 * m + g), m


@layer(*STATE, forms=("", "vmap", "bf16"))
def adam(p, g, m, v, step):
    m, v = 0.9 * m + 0.1 * g, 0.999 * jnp.abs(v) + 0.001 * g * g
    return p - 1e-3 * (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8) - 1e-4 * p, m, v


@layer(*STATE, forms=("", "vmap", "bf16"))
def adafactor(p, g, m, v, step):
    square = g * g + 1e-30
    rows, columns = square.mean(1), square.mean(0)
    update = g * lax.rsqrt(rows / rows.mean())[:, None] * lax.rsqrt(columns)[None, :]
    return p - 0.01 * update / jnp.maximum(1, jnp.sqrt(jnp.mean(update**2)))


@layer(*STATE, forms=("", "vmap", "bf16"))
def lion_and_lamb(p, g, m, v, step):
    update = jnp.sign(0.9 * m + 0.1 * g)
    ratio = jnp.linalg.norm(p) / (jnp.linalg.norm(g) + 1e-6)
    return p - 1e-3 * update, p - 1e-3 * jnp.clip(ratio, 0, 10) * g, 0.99 * m + 0.01 * g


@layer(*STATE)
def clipped(p, g, m, v, step):
    norm = jnp.sqrt(sum(jnp.sum(jnp.square(x)) for x in (g, m)))
    g, m = (jnp.where(norm > 1, x / norm, x) for x in (g, m))
    return p - g, jnp.clip(m, -0.1, 0.1), optimistic(norm, step)


def optimistic(norm, step):
    """Returns a learning rate: a linear rise, then a cosine."""
    return jnp.where(step < 4, step / 4, 0.5 * (1 + jnp.cos(jnp.pi * step / 10))) * norm


@layer("f32[3,4]", "f32[4,4]", "f32[4]")
def mlp_step(x, w, b):
    def loss(w, b):
        return jnp.mean(jnp.square(jax.checkpoint(lambda h: jnp.tanh(h @ w + b))(jnp.tanh(x @ w))))

    value, (dw, db) = jax.value_and_grad(loss, (0, 1))(w, b)
    return value, w - 0.1 * dw, b - 0.1 * db


@layer("f32[3,4]", "f32[4,4]", forms=("", "vmap", "bf16"))
def scaled_loss_step(x, w):
    gradient = jax.grad(lambda w: jnp.mean(jnp.square(x @ w.astype(jnp.bfloat16))).astype(jnp.float32) * 1024)(w)
    finite = jnp.all(jnp.isfinite(gradient))
    return jnp.where(finite, w - gradient / 1024, w), lax.cond(finite, lambda: 2048.0, lambda: 512.0)


@layer("f32[4]", "f32[4]")
def derivatives(x, v):
    def f(x):
        return jnp.sum(jnp.sin(x) * x[::-1] ** 2)

    return jax.hessian(f)(x), jax.jvp(jax.grad(f), (x,), (v,))[1], jax.jacfwd(lambda y: y / (1 + y**2))(x)


@layer("f32[5]")
def custom_derivative(x):
    @jax.custom_vjp
    def straight_through(x):
        return jnp.round(x)

    straight_through.defvjp(lambda x: (jnp.round(x), x), lambda x, g: (g * (jnp.abs(x) < 1),))
    return straight_through(x * 3), lax.stop_gradient(x) * x


@layer("f32[3,4]", "f32[6,4,4]")
def scanned_blocks(x, weights):
    def block(h, w):
        return h + jax.nn.gelu(h @ w), jnp.sum(h)

    return lax.scan(jax.checkpoint(block), x, weights)


@layer("f32[4,3,2]")
def accumulated(x):
    def body(i, total):
        return total + jax.grad(lambda y: jnp.sum(jnp.tanh(y) ** 2))(x[i])

    return lax.fori_loop(0, 4, body, jnp.zeros((3, 2), x.dtype))
