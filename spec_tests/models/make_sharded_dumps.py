"""Writes the modules of this folder for several devices: what XLA's partitioner makes of JAX programs with shard_map.

    python -m pip install jax==0.10.2
    python spec_tests/models/make_sharded_dumps.py

Each function below runs on a mesh of eight host devices; the module that the SPMD partitioner hands on is the dump.
"""

import functools
import os
import pathlib
import tempfile

DUMPS = tempfile.mkdtemp()
os.environ["XLA_FLAGS"] = (
    f"--xla_force_host_platform_device_count=8 --xla_dump_to={DUMPS} --xla_dump_hlo_pass_re=spmd.* --xla_dump_hlo_as_text"
)

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import Mesh  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402
from jaxlib import _hlo  # noqa: E402

HERE = pathlib.Path(__file__).parent
PROGRAMS = {}


def program(shapes, in_specs, out_specs, mesh=(("d", 8),)):
    """Registers a function of one shard with the shapes of the whole float32 arguments."""

    def register(function):
        names, sizes = zip(*mesh)
        devices = Mesh(np.array(jax.devices()).reshape(sizes), names)
        mapped = jax.shard_map(function, mesh=devices, in_specs=in_specs, out_specs=out_specs, check_vma=False)
        arguments = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]
        PROGRAMS[function.__name__] = functools.wraps(function)(mapped), arguments
        return function

    return register


def mean_square(w1, b1, w2, x, y, join=lambda partial: partial):
    return jnp.mean((join(jnp.tanh(x @ w1 + b1) @ w2) - y) ** 2)


@program([(16, 32), (32,), (32, 4), (64, 16), (64, 4)], (P(), P(), P(), P("d"), P("d")), (P(), P(), P(), P()))
def data_parallel_step(w1, b1, w2, x, y):
    """One step of gradient descent; each device has a part of the batch."""
    loss, gradients = jax.value_and_grad(mean_square, (0, 1, 2))(w1, b1, w2, x, y)
    step = [w - 0.1 * lax.pmean(g, "d") for w, g in zip((w1, b1, w2), gradients)]
    return *step, lax.pmean(loss, "d")


TENSOR_SPECS = (P(None, "d"), P("d"), P("d", None))


@program([(16, 32), (32,), (32, 4), (64, 16), (64, 4)], (*TENSOR_SPECS, P(), P()), (*TENSOR_SPECS, P()))
def tensor_parallel_step(w1, b1, w2, x, y):
    """One step of gradient descent; each device has a part of the hidden layer."""
    loss = functools.partial(mean_square, join=lambda partial: lax.psum(partial, "d"))
    value, gradients = jax.value_and_grad(loss, (0, 1, 2))(w1, b1, w2, x, y)
    return *(w - 0.1 * g for w, g in zip((w1, b1, w2), gradients)), value


@program([(16, 32), (32,), (32, 4), (64, 16), (64, 4)], (P("d"), P("d"), P("d"), P("d"), P("d")),
         (P("d"), P("d"), P("d"), P()))
def fully_sharded_step(w1, b1, w2, x, y):
    """One step of gradient descent; parameters are gathered for use, gradients reduced and scattered."""

    def loss(shards):
        whole = [lax.all_gather(shard, "d", tiled=True) for shard in shards]
        return mean_square(*whole, x, y)

    value, gradients = jax.value_and_grad(loss)((w1, b1, w2))
    return *(w - 0.1 * g / 8 for w, g in zip((w1, b1, w2), gradients)), lax.pmean(value, "d")


@program([(8, 12, 12), (4, 12)], (P("d"), P()), P("d"))
def pipeline(weights, x):
    """Eight stages of a pipeline; what one has worked out goes to the next one."""
    stage = lax.axis_index("d")
    carry, out = jnp.zeros(12), jnp.zeros((4, 12))
    for i in range(11):
        own = jnp.where(stage == 0, x[min(i, 3)], carry)
        made = jnp.tanh(own @ weights[0])
        if i >= 7:
            out = out.at[i - 7].set(made)
        carry = lax.ppermute(made, "d", [(i, (i + 1) % 8) for i in range(8)])
    return out[None]


@program([(32, 8), (8, 8, 16)], (P(("r", "e")), P("e")), P(("r", "e")), mesh=(("r", 2), ("e", 4)))
def experts(tokens, weights):
    """Two groups of four devices exchange tokens, so that each meets the expert that its column says."""
    sent = lax.all_to_all(tokens.reshape(4, 1, 8), "e", 0, 1, tiled=True)
    worked = jnp.einsum("tkc,kcf->tkf", sent.reshape(2, 2, 8), weights).reshape(1, 4, 16)
    back = lax.all_to_all(worked, "e", 1, 0, tiled=True)
    return back.reshape(4, 16) + lax.psum(tokens.sum(), ("r", "e"))


def main():
    options = _hlo.HloPrintOptions()
    options.print_metadata = False
    for name, (function, arguments) in PROGRAMS.items():
        jax.jit(function).lower(*arguments).compile()
        dumps = pathlib.Path(DUMPS).glob(f"*jit_{name}.*after_spmd-partitioning*.txt")
        text = _hlo.hlo_module_from_text(next(iter(sorted(dumps))).read_text()).to_string(options)
        # Tables of the program's files and lines.
        text = "\n".join(line for line in text.split("\n") if not line[:1].isdigit())
        for table in ("FileNames", "FunctionNames", "FileLocations", "StackFrames"):
            text = text.replace(f"{table}\n", "")
        header = f"// {name} of make_sharded_dumps.py, by JAX {jax.__version__}\n"
        (HERE / f"{name}.hlo").write_text(header + text.rstrip() + "\n")


if __name__ == "__main__":
    main()
