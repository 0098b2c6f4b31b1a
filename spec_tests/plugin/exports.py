"""Functions that JAX exported or compiled ahead of time, on one device of assay."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.experimental import topologies
from jax.experimental.serialize_executable import deserialize_and_load, serialize
from jax.sharding import SingleDeviceSharding
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


def ahead_of_time():
    """Lowered, compiled, described, serialized and loaded again."""
    compiled = jax.jit(lambda x: jnp.sin(x) @ x.T).lower(np.ones((2, 3), np.float32)).compile()
    assert compiled.as_text().startswith("HloModule jit")
    assert compiled.cost_analysis()["bytes accessed"] > 0
    memory = compiled.memory_analysis()
    assert (memory.argument_size_in_bytes, memory.output_size_in_bytes) == (24, 16), memory
    argument = np.arange(6, dtype=np.float32).reshape(2, 3)
    loaded = deserialize_and_load(*serialize(compiled), execution_devices=jax.devices()[:1])
    same(loaded(argument), compiled(argument))
    # For devices that no client has.
    topology = topologies.get_topology_desc(platform="assay", num_devices=1)
    assert topology.devices[0].platform == "assay"
    sharding = SingleDeviceSharding(topology.devices[0])
    compiled = jax.jit(jnp.exp).lower(jax.ShapeDtypeStruct((2, 3), np.float32, sharding=sharding)).compile()
    loaded = deserialize_and_load(*serialize(compiled), execution_devices=jax.devices()[:1])
    same(loaded(argument), jnp.exp(argument))
    refused(lambda: topologies.get_topology_desc(platform="assay", speed=1), reason="unknown option speed")
