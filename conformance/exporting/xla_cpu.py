"""XLA:CPU through JAX, as a backend of run_suite.py. It needs --fork: the compiler ends the process on some modules."""

import re

import jax
import numpy as np
from jax.extend.backend import get_backend
from jaxlib import xla_client

jax.config.update("jax_enable_x64", True)


# Phrases of XLA's errors for something that it lacks.
LACKS = "UNIMPLEMENTED|No registered implementation|Unknown opcode|Unsupported|is currently only supported"


def run(module_text, inputs):
    """Compiles and runs a module on one device."""
    if "mhlo.num_replicas" in module_text or "mhlo.num_partitions" in module_text:
        raise NotImplementedError("several devices")
    client = get_backend("cpu")
    device = client.local_devices()[0]
    try:
        devices = xla_client.DeviceList((device,))
        executable = client.compile_and_load(module_text, devices, xla_client.CompileOptions())
        results = executable.execute([jax.device_put(array, device) for array in inputs])
        return [np.asarray(result) for result in results]
    except Exception as error:
        if re.search(LACKS, str(error)):
            raise NotImplementedError(str(error)) from error
        raise
