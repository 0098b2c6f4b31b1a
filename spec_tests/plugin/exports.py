"""Functions that JAX exported, on one device of assay."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jaxlib import xla_client

from spec_tests.plugin.comparison import on_cpu, refused, same


def unknown_sizes():
    """A function exported for any sizes runs with those of its arguments: JAX refines the program before it compiles.
    The program itself, whose sizes nothing says, is refused."""
    def function(x, y):
        return jnp.concatenate([x @ y, x[:, :1]], axis=1), x.sum(), jnp.cumsum(x, axis=0)

    m, n = export.symbolic_shape("m, n")
    shapes = [jax.ShapeDtypeStruct(shape, np.float32) for shape in ((m, n), (n, 3))]
    exported = export.export(jax.jit(function), platforms=["assay"])(*shapes)
    for rows, columns in ((2, 3), (4, 1)):
        x = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
        y = np.arange(columns * 3, dtype=np.float32).reshape(columns, 3)
        for got, want in zip(jax.jit(exported.call)(x, y), on_cpu(function, x, y), strict=True):
            same(got, want)
    device = jax.devices()[0]
    devices = xla_client.DeviceList((device,))
    refused(lambda: device.client.compile_and_load(exported.mlir_module(), devices, xla_client.CompileOptions()),
            reason="dimensions of unknown size")  # fmt: skip
