"""Steps of training of small models, compared with XLA:CPU's."""

import jax
import jax.numpy as jnp
import numpy as np

from spec_tests.plugin.comparison import close


def normal(seed, *shape):
    """Returns moderate numbers."""
    return (np.random.default_rng(seed).standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)


def gradient_step(loss):
    """Returns a step of gradient descent, which returns the loss too."""

    def step(parameters, *data):
        value, gradients = jax.value_and_grad(loss)(parameters, *data)
        return value, jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)

    return step


def train(loss, parameters, *data):
    """Compares a step of gradient descent, and the loss, with XLA:CPU's."""
    close(jax.jit(gradient_step(loss)), parameters, *data, bound=1e-4)


def transformer(vocabulary=17, width=16, heads=4, length=6):
    """Returns the loss of a transformer of two layers, its parameters, and tokens."""

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)

    def block(x, layer):
        q, k, v = (norm(x) @ layer[name] for name in "qkv")
        split = lambda a: a.reshape(*a.shape[:2], heads, -1).transpose(0, 2, 1, 3)  # noqa: E731
        scores = split(q) @ split(k).transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // heads))
        mask = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), -1)
        x = x + (weights @ split(v)).transpose(0, 2, 1, 3).reshape(x.shape) @ layer["o"]
        return x + jax.nn.gelu(norm(x) @ layer["up"]) @ layer["down"]

    def loss(parameters, tokens):
        x = parameters["embedding"][tokens[:, :-1]] + parameters["position"]
        for layer in parameters["layers"]:
            x = block(x, layer)
        logits = jax.nn.log_softmax(norm(x) @ parameters["embedding"].T)
        return -jnp.take_along_axis(logits, tokens[:, 1:, None], -1).mean()

    shapes = {"q": (width, width), "k": (width, width), "v": (width, width), "o": (width, width),
              "up": (width, 4 * width), "down": (4 * width, width)}  # fmt: skip
    layers = [{name: normal(10 * n + i, *shape) for i, (name, shape) in enumerate(shapes.items())} for n in range(2)]
    parameters = {"embedding": normal(1, vocabulary, width), "position": normal(2, length, width), "layers": layers}
    return loss, parameters, np.random.default_rng(3).integers(0, vocabulary, (2, length + 1)).astype(np.int32)


def transformer_step():
    """A step of training of a small transformer."""
    train(*transformer())


def resnet_step():
    """A step of training of a small residual network with convolutions, normalization and pooling."""

    def convolve(x, w, stride=1):
        return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def normalize(x, scale):
        return scale * (x - x.mean((0, 1, 2))) / jnp.sqrt(x.var((0, 1, 2)) + 1e-5)

    def loss(parameters, images, labels):
        x = jax.nn.relu(normalize(convolve(images, parameters["stem"]), parameters["scale"]))
        for i, block in enumerate(parameters["blocks"]):
            y = jax.nn.relu(normalize(convolve(x, block["first"], 1 + i), block["scale"]))
            y = normalize(convolve(y, block["second"]), block["scale"])
            skip = x if i == 0 else x[:, ::2, ::2]
            x = jax.nn.relu(skip + y)
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").mean((1, 2))
        logits = jax.nn.log_softmax(x @ parameters["head"])
        return -jnp.take_along_axis(logits, labels[:, None], -1).mean()

    blocks = [{"first": normal(n, 3, 3, 8, 8) / 3, "second": normal(n + 5, 3, 3, 8, 8) / 3,
               "scale": np.ones(8, np.float32)} for n in range(2)]  # fmt: skip
    parameters = {"stem": normal(20, 3, 3, 3, 8), "scale": np.ones(8, np.float32), "blocks": blocks,
                  "head": normal(21, 8, 10)}  # fmt: skip
    train(loss, parameters, normal(22, 4, 8, 8, 3), np.arange(4, dtype=np.int32))
