"""Sixty functions of JAX that XLA's passes change in many ways, and a step of training on eight devices: what `assay
passes` and `assay diff A B` are tested with.

    python spec_tests/tools/pair_programs.py FOLDER

compiles them for the CPU and has XLA write each module after each pass to the folder; NAME.mlir is the StableHLO.
"""

import os
import pathlib
import sys

if __name__ == "__main__":
    os.environ["XLA_FLAGS"] = (f"--xla_dump_to={sys.argv[1]} --xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_text "
                               "--xla_force_host_platform_device_count=8")  # fmt: skip
    os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

F = np.float32
X, Y, V = (8, 16), (16, 8), (16,)
PROGRAMS = {
    "softmax": (jax.nn.softmax, [X]),
    "log_softmax": (jax.nn.log_softmax, [X]),
    "softmax_gradient": (lambda x, y: jax.vjp(jax.nn.softmax, x)[1](y), [X, X]),
    "layer_norm": (lambda x: (x - x.mean(1, keepdims=True)) * lax.rsqrt(x.var(1, keepdims=True) + 1e-5), [X]),
    "rms_norm": (lambda x, g: x * lax.rsqrt((x * x).mean(1, keepdims=True) + 1e-6) * g, [X, V]),
    "batch_norm": (lambda x, g: (x - x.mean(0)) / jnp.sqrt(x.var(0) + 1e-3) * g, [X, V]),
    "gelu": (jax.nn.gelu, [X]),
    "gelu_exact": (lambda x: jax.nn.gelu(x, approximate=False), [X]),
    "silu_gradient": (jax.grad(lambda x: jax.nn.silu(x).sum()), [X]),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, 1), [X]),
    "cross_entropy": (lambda x: -jax.nn.log_softmax(x)[:, 3].mean(), [X]),
    "attention": (lambda q, k, v: jax.nn.softmax(q @ k.T / 4.0) @ v, [X, X, X]),
    "causal": (lambda q, k: jnp.where(jnp.tril(jnp.ones((8, 8), bool)), q @ k.T, -1e9), [X, X]),
    "mlp": (lambda x, w, b: jnp.tanh(x @ w + b), [X, Y, (8,)]),
    "mlp_gradient": (jax.grad(lambda x, w: (jnp.tanh(x @ w) ** 2).mean(), (0, 1)), [X, Y]),
    "chain": (lambda x, y: (x @ y) @ (x @ y).T, [X, Y]),
    "einsum": (lambda x, y: jnp.einsum("bi,bj->ij", x, y), [X, X]),
    "outer": (lambda x, y: x[:, None] * y[None, :], [V, V]),
    "scaled": (lambda x: x / 3.0, [X]),
    "halved": (lambda x: x / 4.0 * 2.0 - 0.0, [X]),
    "powers": (lambda x: x**2 + x**3 + jnp.abs(x) ** 0.5, [X]),
    "clamp": (lambda x: jnp.clip(x, -0.25, 0.5), [X]),
    "select": (lambda x, y: jnp.where(x > y, x - y, y - x), [X, X]),
    "transposes": (lambda x: x.T.reshape(4, 32).T + 1.0, [X]),
    "reshapes": (lambda x: x.reshape(2, 4, 16).sum(1).reshape(-1), [X]),
    "concatenate": (lambda x, y: jnp.concatenate([x[:, :4], y[:, 4:], x[:, 2:3]], 1), [X, X]),
    "pad": (lambda x: jnp.pad(x, ((1, 2), (0, 3)), constant_values=2.0), [X]),
    "reverse": (lambda x: x[::-1, ::2] * 2.0, [X]),
    "roll": (lambda x: jnp.roll(x, 3, 1) - x, [X]),
    "stack": (lambda x, y: jnp.stack([x + y, x - y, x * y]), [X, X]),
    "iota": (lambda x: x * jnp.arange(16, dtype=F), [X]),
    "one_hot": (lambda x: jax.nn.one_hot(jnp.argmax(x, 1), 16), [X]),
    "argmin": (lambda x: jnp.argmin(x, 1), [X]),
    "sort": (lambda x: jnp.sort(x, 1), [X]),
    "argsort": (lambda x: jnp.argsort(x, 1), [X]),
    "top_k": (lambda x: lax.top_k(x, 4), [X]),
    "cumulative_sum": (lambda x: jnp.cumsum(x, 1), [X]),
    "cumulative_maximum": (lambda x: lax.cummax(x, 1), [X]),
    "maximum_pool": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 4), (1, 2), "VALID"), [X]),
    "mean_pool": (lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 2), (2, 2), "SAME") / 4.0, [X]),
    "pool_gradient": (jax.grad(lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID") ** 2).sum()), [X]),
    "convolution": (lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME"), [(2, 3, 8, 8), (4, 3, 3, 3)]),
    "strided_convolution": (lambda x, k: lax.conv_general_dilated(x, k, (2, 2), "VALID"), [(2, 3, 8, 8), (4, 3, 2, 2)]),
    "gather": (lambda x: x[jnp.array([3, 1, 7]), jnp.array([0, 15, 2])], [X]),
    "take": (lambda x: jnp.take(x, jnp.array([5, 0, 5, 2]), 0), [X]),
    "scatter": (lambda x, y: x.at[jnp.array([1, 4, 1])].add(y[:3]), [X, X]),
    "segment_sum": (lambda x: jax.ops.segment_sum(x, jnp.array([0, 1, 0, 2, 2, 1, 0, 3]), 4), [X]),
    "dynamic_slice": (lambda x: lax.dynamic_slice(x, (jnp.argmax(x[:, 0]), 3), (2, 5)), [X]),
    "dynamic_update": (lambda x, y: lax.dynamic_update_slice(x, y[:2, :3], (jnp.argmax(x[:, 0]), 1)), [X, X]),
    "loop": (lambda x: lax.fori_loop(0, 5, lambda i, c: c * 0.5 + i, x), [X]),
    "scan": (lambda x: lax.scan(lambda c, r: (c * 0.5 + r, jnp.tanh(c)), jnp.zeros(16), x), [X]),
    "while": (lambda x: lax.while_loop(lambda c: c.sum() < 100, lambda c: c * 2 + 1, jnp.abs(x)), [X]),
    "condition": (lambda x: lax.cond(x.sum() > 0, lambda v: v * 2, lambda v: v - 1, x), [X]),
    "switch": (lambda x: lax.switch(jnp.argmax(x[0]) % 3, [lambda v: v + 1, lambda v: v * 3, lambda v: -v], x), [X]),
    "narrow": (lambda x, y: (x.astype(jnp.bfloat16) @ y.astype(jnp.bfloat16)).astype(F) - 1.0, [X, Y]),
    "quantize": (lambda x: jnp.clip(jnp.round(x * 16), -128, 127).astype(np.int8), [X]),
    "integers": (lambda x: (x * 100).astype(np.int32) // 7 + (x * 100).astype(np.int32) % 5, [X]),
    "bits": (lambda x: lax.population_count(lax.bitcast_convert_type(x, np.uint32) >> 3), [X]),
    "adam": (lambda w, g, m, v: (w - 0.01 * (0.9 * m + 0.1 * g) / (jnp.sqrt(0.999 * v * v + 0.001 * g * g) + 1e-8)), [X] * 4),
    "complex": (lambda x, y: jnp.abs((x + 1j * y) * (y - 2j)), [X, X]),
}


def sharded_step(w1, w2, x, y):
    """A step of gradient descent; weights and the batch are sharded."""
    loss, gradients = jax.value_and_grad(lambda a, b: jnp.mean((jnp.tanh(x @ a) @ b - y) ** 2), (0, 1))(w1, w2)
    return w1 - 0.1 * gradients[0], w2 - 0.1 * gradients[1], loss


def compile_sharded():
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("d", "m"))
    columns, rows, batch, whole = (NamedSharding(mesh, P(*axes)) for axes in ((None, "m"), ("m", None), ("d",), ()))
    step = jax.jit(sharded_step, in_shardings=(columns, rows, batch, batch), out_shardings=(columns, rows, whole))
    step.lower(*(jax.ShapeDtypeStruct(shape, F) for shape in ((16, 32), (32, 4), (64, 16), (64, 4)))).compile()


def main():
    for name, (function, shapes) in PROGRAMS.items():
        def wrapped(*arguments, function=function):
            return function(*arguments)

        wrapped.__name__ = name
        lowered = jax.jit(wrapped).lower(*(jax.ShapeDtypeStruct(shape, F) for shape in shapes))
        pathlib.Path(sys.argv[1], f"{name}.mlir").write_text(lowered.as_text())
        lowered.compile()
    compile_sharded()


if __name__ == "__main__":
    main()
