"""XLA:CPU through JAX, as a backend of run_suite.py."""

import functools

import jax
import numpy as np
from jax.extend.backend import get_backend
from jaxlib import xla_client

jax.config.update("jax_enable_x64", True)


@functools.lru_cache(maxsize=8)
def compiled(module_text):
    """Returns the executable of a module, which several cases may have."""
    device = get_backend("cpu").local_devices()[0]
    return device, get_backend("cpu").compile_and_load(
        module_text, xla_client.DeviceList((device,)), xla_client.CompileOptions())


def run(module_text, inputs):
    """Compiles and runs a module on one device."""
    if "mhlo.num_replicas" in module_text or "mhlo.num_partitions" in module_text:
        raise NotImplementedError("several devices")
    device, executable = compiled(module_text)
    results = executable.execute([jax.device_put(array, device) for array in inputs])
    return [np.asarray(result) for result in results]
