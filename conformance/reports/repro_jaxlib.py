"""Runs module.hlo on XLA:CPU through jaxlib: pip install jaxlib numpy ml_dtypes

usage: repro.py [--runs N]: compares every element of N runs (20)
"""
# It failed on @BACKEND@.
import json
import pathlib
import sys

import ml_dtypes  # noqa: F401  (numpy's types of 16 bits and fewer)
import numpy as np
from jaxlib import _hlo, _jax, xla_client

here = pathlib.Path(__file__).resolve().parent
runs = int(sys.argv[2]) if sys.argv[1:2] == ["--runs"] else 20
text = (here / "module.hlo").read_text()
proto = _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
replicas, partitions = @REPLICAS@, @PARTITIONS@
client = xla_client.make_cpu_client(num_devices=replicas * partitions)
options = xla_client.CompileOptions()
options.num_replicas, options.num_partitions = replicas, partitions
assignment = np.arange(replicas * partitions, dtype=np.int32).reshape(replicas, partitions)
options.device_assignment = xla_client.DeviceAssignment.create(assignment)
devices = xla_client.DeviceList(tuple(client.devices()))
executable = client.compile_and_load(_jax.mlir.hlo_to_stablehlo(proto), devices, options)


def run():
    """Returns the bytes of each array, device by device."""
    results = executable.execute_sharded([]).disassemble_into_single_device_arrays()
    array = lambda shard: np.asarray(shard._single_device_array_to_np_array_did_copy()[0])
    return [[array(leaf[device]).tobytes() for leaf in results] for device in range(replicas * partitions)]
@CHECK@
