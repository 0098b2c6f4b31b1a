"""Networks: attention and its caches, norms, convolutions, recurrent scans, mixtures of experts."""

import itertools

import jax
import jax.numpy as jnp
from jax import lax

from spec_tests.lowerings.layers.layer import in_group

layer = in_group("networks")

QUERIES = ("f32[2,5,8]", "f32[2,5,8]", "f32[2,5,8]")  # heads, positions, features


def attended(q, k, v, bias=0.0):
    """Returns the attention of queries to keys."""
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / jnp.sqrt(q.shape[-1]).astype(q.dtype) + bias
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, axis=-1), v)


@layer(*QUERIES)
def attention(q, k, v):
    return attended(q, k, v)


@layer(*QUERIES)
def causal_attention(q, k, v):
    mask = jnp.tril(jnp.ones((5, 5), bool))
    return attended(q, k, v, jnp.where(mask, 0, jnp.finfo(q.dtype).min).astype(q.dtype))


@layer(*QUERIES, "pred[5]")
def padded_attention(q, k, v, keep):
    return attended(q, k, v, jnp.where(keep, 0, -1e9).astype(q.dtype)[None, None, :])


@layer(*QUERIES)
def windowed_attention(q, k, v):
    distance = jnp.arange(5)[:, None] - jnp.arange(5)[None, :]
    return attended(q, k, v, jnp.where((distance >= 0) & (distance < 2), 0, -jnp.inf).astype(q.dtype))


@layer("f32[4,5,8]", "f32[2,5,8]", "f32[2,5,8]")
def grouped_queries(q, k, v):
    return attended(q, jnp.repeat(k, 2, axis=0), jnp.repeat(v, 2, axis=0))


@layer(*QUERIES, "f32[2,9]")
def relative_positions(q, k, v, table):
    place = jnp.arange(5)[:, None] - jnp.arange(5)[None, :] + 4
    return attended(q, k, v, table[:, place])


@layer(*QUERIES)
def jax_attention(q, k, v):
    return jax.nn.dot_product_attention(q[None], k[None], v[None], is_causal=True)


@layer("f32[5,2,8]")
def rotary(x):
    angles = jnp.arange(5)[:, None] / 10000 ** (jnp.arange(4) / 4)
    sine, cosine = jnp.sin(angles)[:, None].astype(x.dtype), jnp.cos(angles)[:, None].astype(x.dtype)
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], axis=-1)


@layer("f32[2,6,4]", "f32[2,6,4]", "f32[2,4]", "f32[2,4]", "f32[2,4]", "s32[]:0:6")
def decode_step(keys, values, q, k, v, step):
    keys = lax.dynamic_update_slice(keys, k[:, None], (0, step, 0))
    values = lax.dynamic_update_slice(values, v[:, None], (0, step, 0))
    seen = jnp.arange(6) <= step
    return attended(q[:, None], keys, values, jnp.where(seen, 0, -1e9).astype(q.dtype)), keys, values


@layer("f32[6,2,4]", "f32[3,2,4]", "s32[3]:0:6")
def paged_cache(pages, new, table):
    pages = pages.at[table].set(new)
    return pages, pages[table].reshape(-1, 4)


@layer("s32[5]:0:7", "f32[7,4]", "f32[5,4]")
def embedding(tokens, table, positions):
    hidden = table[tokens] + positions
    return hidden, hidden @ table.T


@layer("s32[5]:-2:9", "f32[7,4]")
def embedding_with_padding(tokens, table):
    return jnp.where((tokens != -1)[:, None], jnp.take(table, tokens, axis=0), 0)


@layer("f32[3,8]", "f32[8]", "f32[8]")
def layer_norm(x, scale, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-6) * scale + bias


@layer("f32[3,8]", "f32[8]")
def rms_norm(x, scale):
    return x * lax.rsqrt(jnp.mean(jnp.square(x), axis=-1, keepdims=True) + 1e-6) * (1 + scale)


@layer("f32[2,3,3,8]", "f32[8]", "f32[8]")
def group_norm(x, scale, bias):
    grouped = x.reshape(2, 3, 3, 4, 2)
    mean = grouped.mean((1, 2, 4), keepdims=True)
    variance = ((grouped - mean) ** 2).mean((1, 2, 4), keepdims=True)
    return ((grouped - mean) / jnp.sqrt(variance + 1e-5)).reshape(x.shape) * scale + bias


@layer("f32[6,4]", "f32[4]", "f32[4]")
def batch_norm(x, mean, variance):
    now, spread = x.mean(0), x.var(0)
    return (x - now) * lax.rsqrt(spread + 1e-5), 0.9 * mean + 0.1 * now, 0.9 * variance + 0.1 * spread


@layer("f32[4,6]", "f32[6,5]", "f32[5,6]")
def gated_mlp(x, into, out):
    gate, value = jnp.split(x @ jnp.concatenate([into, into], axis=1), 2, axis=1)
    return (jax.nn.silu(gate) * value) @ out


for activation in ("relu", "gelu", "silu", "elu", "softplus", "selu", "celu", "leaky_relu", "hard_swish", "log_softmax",
                   "mish", "glu", "soft_sign", "relu6", "log_sigmoid", "standardize", "squareplus", "hard_tanh",
                   "sparse_plus", "logsumexp"):  # fmt: skip
    layer("f32[3,6]", name=activation)(getattr(jax.nn, activation))

CONVOLUTIONS = {
    "plain": {},
    "strided": {"window_strides": (2, 1)},
    "same": {"padding": "SAME", "window_strides": (2, 2)},
    "dilated": {"rhs_dilation": (1, 2)},
    "transposed": {"lhs_dilation": (2, 2), "padding": ((1, 1), (2, 0))},
    "cropped": {"padding": ((-1, 0), (0, -1))},
}
for (kind, options), groups in itertools.product(CONVOLUTIONS.items(), (1, 2, 4)):
    options = {"window_strides": (1, 1), "padding": "VALID", **options}
    layer("f32[2,6,6,4]", f"f32[3,2,{4 // groups},4]", name=f"convolution_{kind}_{groups}")(
        lambda x, w, options=options, groups=groups: lax.conv_general_dilated(
            x, w, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups, **options))  # fmt: skip


@layer("f32[1,9,3]", "f32[3,3,5]")
def causal_convolution(x, w):
    return lax.conv_general_dilated(x, w, (1,), [(4, 0)], rhs_dilation=(2,), dimension_numbers=("NWC", "WIO", "NWC"))


@layer("f32[1,2,4,4,3]", "f32[2,2,2,3,2]")
def convolution_3d(x, w):
    return lax.conv_general_dilated(x, w, (1, 1, 1), "VALID", dimension_numbers=("NDHWC", "DHWIO", "NDHWC"))


@layer("f32[1,6,6,2]")
def pools(x):
    largest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    average = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    return largest, average, x.mean((1, 2))


@layer("f32[1,4,4,2]")
def resized(x):
    return jax.image.resize(x, (1, 7, 3, 2), "bilinear"), jax.image.resize(x, (1, 2, 8, 2), "nearest")


@layer("f32[7,3]", "f32[4]", "f32[4]", "f32[7,16]")
def lstm(xs, carry, cell, w):
    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(jnp.concatenate([x, h]) @ w, 4)
        c = jax.nn.sigmoid(f + 1) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return lax.scan(step, (carry, cell), xs)


@layer("f32[5,3]", "f32[4]", "f32[3,12]", "f32[4,12]", "pred[5]")
def masked_gru(xs, h, w, u, keep):
    def step(h, inputs):
        x, live = inputs
        (zx, rx, nx), (zh, rh, nh) = jnp.split(x @ w, 3), jnp.split(h @ u, 3)
        z = jax.nn.sigmoid(zx + zh)
        new = (1 - z) * jnp.tanh(nx + jax.nn.sigmoid(rx + rh) * nh) + z * h
        new = jnp.where(live, new, h)
        return new, new

    forward, backward = lax.scan(step, h, (xs, keep)), lax.scan(step, h, (xs, keep), reverse=True)
    return jnp.concatenate([forward[1], backward[1]], axis=-1)


@layer("f32[6,4]", "f32[6,4]")
def linear_recurrence(a, b):
    a = jax.nn.sigmoid(a)
    return lax.associative_scan(lambda left, right: (left[0] * right[0], right[0] * left[1] + right[1]), (a, b))


@layer("f32[8,4]", "f32[4,3]", "f32[3,4,4]")
def experts_by_mask(x, router, weights):
    weight, expert = lax.top_k(jax.nn.softmax(x @ router), 2)
    chosen = jax.nn.one_hot(expert, 3, dtype=x.dtype) * (weight / weight.sum(-1, keepdims=True))[..., None]
    return jnp.einsum("tke,td,edf->tf", chosen, x, weights)


@layer("f32[8,4]", "f32[4,3]", "f32[3,4,4]")
def experts_by_capacity(x, router, weights):
    probability = jax.nn.softmax(x @ router)
    expert = jnp.argmax(probability, axis=-1)
    one_hot = jax.nn.one_hot(expert, 3, dtype=jnp.int32)
    place = jnp.sum(jnp.cumsum(one_hot, axis=0) * one_hot, axis=-1) - 1
    buffer = jnp.zeros((3, 2, 4), x.dtype).at[expert, place].set(x, mode="drop")
    output = jnp.einsum("ecd,edf->ecf", buffer, weights)
    gate = jnp.take_along_axis(probability, expert[:, None], axis=1)
    return output.at[expert, place].get(mode="fill", fill_value=0) * gate


@layer("f32[8,4]", "s32[8]:0:3", "f32[3,4,4]")
def experts_by_sorting(x, expert, weights):
    order = jnp.argsort(expert, stable=True)
    output = lax.ragged_dot(x[order], weights, jnp.bincount(expert, length=3).astype(jnp.int32))
    return jnp.zeros_like(x).at[order].set(output)


@layer("f32[6,6]", "f32[6,4]", "f32[4,4]", "s32[9]:0:6", "s32[9]:0:6")
def graph_layer(adjacency, x, w, senders, receivers):
    messages = jax.ops.segment_sum((x @ w)[senders], receivers, num_segments=6)
    return jax.nn.relu(adjacency @ messages), jax.ops.segment_max(x[senders], receivers, num_segments=6)


@layer("f32[4,6]", "u32[2]", forms=("", "grad"))
def dropout(x, key):
    return jnp.where(jax.random.bernoulli(key, 0.8, x.shape), x / 0.8, 0)
