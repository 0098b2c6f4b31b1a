"""Models in PyTorch, exported to StableHLO, and the same functions in JAX: right, and with faults.

    .venv-torch/bin/python spec_tests/tools/torch_programs.py FOLDER

`tools/dev peer torch` installs what this needs. It writes NAME.torch.mlir, NAME.jax.mlir and NAME.FAULT.mlir, whose
parameters are the weights and the inputs.
"""

import os
import pathlib
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import torch
from jax import lax
from torch import nn
from torchax.export import exported_program_to_jax


class Block(nn.Module):
    """Layer norm, two layers with GELU, a softmax."""

    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(16), nn.Linear(16, 32), nn.Linear(32, 16)

    def forward(self, x):
        return torch.softmax(self.down(nn.functional.gelu(self.up(self.norm(x)))), -1)


def block(w, x, approximate=False, epsilon=1e-5, ddof=0):
    x = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True, ddof=ddof) + epsilon)
    x = x * w["norm.weight"] + w["norm.bias"]
    x = jax.nn.gelu(x @ w["up.weight"].T + w["up.bias"], approximate=approximate)
    return jax.nn.softmax(x @ w["down.weight"].T + w["down.bias"])


class Attention(nn.Module):
    """Causal attention of four heads."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(16, 48, bias=False), nn.Linear(16, 16)

    def forward(self, x):
        q, k, v = (a.view(2, 6, 4, 4).transpose(1, 2) for a in self.qkv(x).chunk(3, -1))
        a = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(a.transpose(1, 2).reshape(2, 6, 16))


def attention(w, x, scale=0.5, diagonal=0):
    q, k, v = (a.reshape(2, 6, 4, 4).transpose(0, 2, 1, 3) for a in jnp.split(x @ w["qkv.weight"].T, 3, -1))
    mask = jnp.where(jnp.tril(jnp.ones((6, 6), bool), diagonal), 0, -jnp.inf)
    scores = q @ k.transpose(0, 1, 3, 2) * scale + mask
    a = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(2, 6, 16)
    return a @ w["out.weight"].T + w["out.bias"]


class Convolutions(nn.Module):
    """A convolution, batch normalization of an inference, a pool, and an average."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.pool = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.MaxPool2d(2)

    def forward(self, x):
        return self.pool(torch.relu(self.norm(self.conv(x)))).mean((2, 3))


def convolutions(w, x, rectified=jax.nn.relu, padding=((1, 1), (1, 1))):
    x = lax.conv_general_dilated(x, w["conv.weight"], (1, 1), padding) + w["conv.bias"][:, None, None]
    mean, variance, scale, offset = (w[f"norm.{name}"][:, None, None]
                                     for name in ("running_mean", "running_var", "weight", "bias"))  # fmt: skip
    x = rectified((x - mean) / jnp.sqrt(variance + 1e-5) * scale + offset)
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID").mean((2, 3))


# A model, its input, the function of JAX, and the options that make it wrong.
PROGRAMS = {
    "block": (Block, (5, 16), block, {"tanh": {"approximate": True}, "divisor": {"ddof": 1}, "epsilon": {"epsilon": 1e-6}}),
    "attention": (Attention, (2, 6, 16), attention, {"scale": {"scale": 0.25}, "mask": {"diagonal": 1}}),
    "convolutions": (Convolutions, (2, 3, 8, 8), convolutions, {"leak": {"rectified": jax.nn.leaky_relu}, "shift": {"padding": ((2, 0), (1, 1))}}),
}  # fmt: skip


def main():
    for name, (model, shape, function, faults) in PROGRAMS.items():
        program = torch.export.export(model().eval(), (torch.zeros(shape),))
        weights, exported = exported_program_to_jax(program)
        names = [spec.target for spec in program.graph_signature.input_specs if spec.target in program.state_dict]
        assert [program.state_dict[n].shape for n in names] == [w.shape for w in weights]
        arguments = [jax.ShapeDtypeStruct(w.shape, w.dtype) for w in weights]
        x = jax.ShapeDtypeStruct(shape, jnp.float32)

        def write(suffix, f):
            # Parameters that a side does not use stay.
            text = jax.jit(f, keep_unused=True).lower(arguments, x).as_text()
            pathlib.Path(sys.argv[1], f"{name}.{suffix}.mlir").write_text(text)

        write("torch", lambda w, x, exported=exported: exported(w, (x,))[0])
        for suffix, options in {"jax": {}, **faults}.items():
            write(suffix, lambda w, x, options=options: function(dict(zip(names, w)), x, **options))


if __name__ == "__main__":
    main()
