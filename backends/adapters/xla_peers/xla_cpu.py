"""XLA:CPU with its default options."""

import dataclasses
import functools

import numpy as np

from .values import TOKEN, leaves

DEVICES = 8


class XlaCpu:
    """The peer, a client with several host devices."""

    name = "xla-cpu"
    max_devices = DEVICES

    def __init__(self):
        from jaxlib import xla_client

        register_lapack()
        self.client = xla_client.make_cpu_client(num_devices=DEVICES)

    def compile(self, module, replicas, partitions):
        """A function from the arrays of each device to the array results of each device."""
        from jaxlib import xla_client

        module.check_unchanged()
        if TOKEN in leaves(module.result):
            module.replace_results(lambda value: [] if str(value.type) == "!stablehlo.token" else [value])
        options = xla_client.CompileOptions()
        options.num_replicas = replicas
        options.num_partitions = partitions
        assignment = np.arange(replicas * partitions, dtype=np.int32).reshape(replicas, partitions)
        options.device_assignment = xla_client.DeviceAssignment.create(assignment)
        if partitions > 1:
            module.mark_manual()
            options.executable_build_options.use_spmd_partitioning = True
        devices = self.client.devices()[: replicas * partitions]
        executable = self.client.compile_and_load(
            module.bytecode(), xla_client.DeviceList(tuple(devices)), options
        )

        def run(inputs):
            arguments = [put(arrays, devices) for arrays in zip(*inputs)]
            results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
            hosts = [[shard._single_device_array_to_np_array_did_copy()[0] for shard in result] for result in results]
            return [[np.asarray(result[device]) for result in hosts] for device in range(len(devices))]

        return run


def register_lapack():
    """Makes the targets of custom calls known that JAX's linear algebra needs on the CPU; SciPy brings the LAPACK."""
    from jaxlib import lapack, xla_client

    lapack.prepare_lapack_call("potrf_ffi", np.dtype(np.float32))
    for platform, targets in lapack.registrations().items():
        for name, function, api_version in targets:
            xla_client.register_custom_call_target(name, function, platform=platform, api_version=api_version)


@functools.cache
def replicated_sharding():
    """jaxlib leaves two attributes of a sharding to JAX; these are their values for a replicated one."""
    from jaxlib import xla_client

    class Replicated(xla_client.GSPMDSharding):
        memory_kind = None

        def _to_xla_hlo_sharding(self, rank):
            return xla_client.HloSharding.replicate()

    return lambda devices: Replicated(xla_client.DeviceList(tuple(devices)), xla_client.HloSharding.replicate())


@dataclasses.dataclass
class AbstractValue:
    """What jaxlib asks of JAX's type of the same name."""

    shape: tuple
    dtype: np.dtype
    weak_type: bool = False


def put(arrays, devices):
    """One argument of an executable: an array for each device."""
    from jaxlib import xla_client

    sharding = replicated_sharding()
    value = AbstractValue(arrays[0].shape, arrays[0].dtype)
    shards = [
        xla_client.batched_device_put(value, sharding([device]), [array], [device], force_copy=True, enable_x64=True)
        for array, device in zip(arrays, devices)
    ]
    if len(shards) == 1:
        return shards[0]
    return xla_client.ArrayImpl(value, sharding(devices), shards, True, _skip_checks=True)
