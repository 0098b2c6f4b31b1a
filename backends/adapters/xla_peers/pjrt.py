"""What compiles through PJRT: XLA:CPU with its default options, or a plugin."""

import os

import numpy as np

from . import jaxlib_api
from .values import TOKEN, leaves

CPU_DEVICES = 8


class Pjrt:
    """The peer."""

    def __init__(self, plugin=None):
        """`plugin` is the path of a shared object."""
        if plugin:
            if not os.path.isfile(plugin):
                raise SystemExit(f"{plugin}: no such file; expected the shared object of a PJRT plugin")
            self.name = os.path.basename(plugin).removesuffix(".so").removeprefix("lib").removeprefix("pjrt_plugin_")
            self.client = jaxlib_api.plugin_client(self.name, plugin)
        else:
            self.name = "xla-cpu"
            self.client = jaxlib_api.cpu_client(CPU_DEVICES)
        self.max_devices = len(self.client.devices())
        own = f"{self.client.platform_version.splitlines()[0]}, " if plugin else ""
        self.version = f"{own}jaxlib {jaxlib_api.VERSION}"

    def compile(self, module, replicas, partitions):
        """A function from the arrays of each device to the array results of each device."""
        module.check_unchanged()
        if TOKEN in leaves(module.result):
            module.replace_results(lambda value: [] if str(value.type).endswith(".token") else [value])
        options = jaxlib_api.CompileOptions()
        options.num_replicas = replicas
        options.num_partitions = partitions
        assignment = np.arange(replicas * partitions, dtype=np.int32).reshape(replicas, partitions)
        options.device_assignment = jaxlib_api.DeviceAssignment.create(assignment)
        if partitions > 1:
            module.mark_manual()
            options.executable_build_options.use_spmd_partitioning = True
        devices = self.client.devices()[: replicas * partitions]
        executable = jaxlib_api.compile_module(self.client, module.bytecode(), devices, options)
        return lambda inputs: jaxlib_api.execute(self.client, executable, inputs, devices)
