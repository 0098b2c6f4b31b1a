"""Peers that compile through PJRT: XLA:CPU with its default options, or a plugin."""

import importlib.util
import pathlib

import numpy as np

from . import jaxlib_api
from .compiler import SETTINGS, Options, traced
from .module_text import flat
from .values import TOKEN

CPU_DEVICES = 8


class Pjrt:
    """A PJRT client as a peer."""

    def __init__(self, plugin=None):
        """Opens XLA:CPU, or a plugin: a shared object, or the package in which JAX finds one."""
        if plugin:
            self.name = pathlib.Path(plugin).stem
            try:
                self.client = jaxlib_api.plugin_client(self.name, shared_object(plugin))
            except Exception as error:
                raise SystemExit(f"the plugin {plugin} cannot be used: {error}") from error
        else:
            self.name = "xla-cpu"
            self.client = jaxlib_api.cpu_client(CPU_DEVICES)
        self.max_devices = len(self.client.devices())
        own = f"{self.client.platform_version.splitlines()[0]}, " if plugin else ""
        self.version = f"{own}jaxlib {jaxlib_api.VERSION}"

    def compile(self, module, replicas, partitions, options=Options()):
        """Returns a function from the arrays of each device to the array results of each device."""
        compile_options = self.prepare(module, replicas, partitions, options)
        devices = self.client.devices()[: replicas * partitions]
        executable = jaxlib_api.compile_module(self.client, module.bytecode(), devices, compile_options)
        return lambda inputs: jaxlib_api.execute(self.client, executable, inputs, devices)

    def trace(self, module, replicas, partitions, options=Options()):
        """Returns the passes that change the module, and the settings to try."""
        compile_options = self.prepare(module, replicas, partitions, options)
        devices = self.client.devices()[: replicas * partitions]
        code, compiles = module.bytecode(), jaxlib_api.compile_module
        passes = traced(compile_options, lambda: compiles(self.client, code, devices, compile_options))
        return {"passes": passes, "settings": SETTINGS}

    def prepare(self, module, replicas, partitions, options):
        """Prepares the module for compilation. Returns jaxlib's options for it."""
        module.check_unchanged()
        if TOKEN in flat(module.result):
            module.replace_results(lambda value: [] if str(value.type).endswith(".token") else [value])
        compile_options = jaxlib_api.CompileOptions()
        compile_options.num_replicas = replicas
        compile_options.num_partitions = partitions
        assignment = np.arange(replicas * partitions, dtype=np.int32).reshape(replicas, partitions)
        compile_options.device_assignment = jaxlib_api.DeviceAssignment.create(assignment)
        if partitions > 1:
            module.mark_manual()
            compile_options.executable_build_options.use_spmd_partitioning = True
        options.apply(compile_options)
        return compile_options


def shared_object(plugin):
    """Returns the path of a plugin's shared object."""
    if pathlib.Path(plugin).is_file():
        return plugin
    package = importlib.util.find_spec("jax_plugins") and importlib.util.find_spec(f"jax_plugins.{plugin}")
    for folder in package.submodule_search_locations if package else ():
        for path in pathlib.Path(folder).glob("*plugin*.so"):
            return str(path)
    raise FileNotFoundError("it is neither a file nor a package of jax_plugins with a shared object")
