"""Writes spec_tests/models/optimized/: programs before XLA's pipeline and after it.

    python spec_tests/models/make_optimized_dumps.py

It needs jax 0.10.2 with jax-cuda12-plugin, jax-cuda12-pjrt and nvidia-cuda-nvcc-cu12, but no GPU: the modules are
compiled for the H100 that TARGET describes, without a device. NAME.hlo is the program as it was lowered, NAME.gpu.hlo
what XLA:GPU makes of it, NAME.cpu.hlo what XLA:CPU does. If the program itself calls cuDNN, NAME.hlo is the same
computation in plain operations. The modules NAME.onednn.hlo, NAME.cub.hlo and NAME.kinds.hlo are not made here: the
public builds of XLA:CPU leave out oneDNN, and without a GPU there is neither a radix sort nor a fusion of cuDNN's. They
are written by hand, in the form in which XLA's tests (onednn_matmul_test.cc, onednn_convolution_test.cc,
sort_rewriter_test.cc) and its pass ConvKindAssignment print them.
"""

import os
import pathlib
import re

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"
os.environ["XLA_FLAGS"] = (
    "--xla_gpu_autotune_level=0 --xla_gpu_enable_triton_gemm=false --xla_gpu_gemm_rewrite_size_threshold=0 "
    "--xla_gpu_enable_cudnn_layer_norm=true"
)

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import topologies
from jax.sharding import NamedSharding, PartitionSpec

TARGET = """
platform_name: "CUDA"
device_description_str: "NVIDIA H100 80GB HBM3"
dnn_version_info { major: 9 minor: 7 }
runtime_version { major: 12 minor: 8 patch: 0 }
gpu_device_info {
  cuda_compute_capability { major: 9 }
  threads_per_block_limit: 1024 threads_per_warp: 32 threads_per_core_limit: 2048
  shared_memory_per_block: 49152 shared_memory_per_core: 233472 shared_memory_per_block_optin: 232448
  core_count: 132 fpus_per_core: 128 clock_rate_ghz: 1.98
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  memory_bandwidth: 3352320000000 l2_cache_size: 52428800 device_memory_size: 84929347584
  registers_per_core_limit: 65536 registers_per_block_limit: 65536
}
"""
FOLDER = pathlib.Path(__file__).parent / "optimized"
F8 = jnp.float8_e4m3fn


def array(*sizes, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(sizes, dtype)


def convolution(x, w, **options):
    options = {"window_strides": (1, 1), "padding": "SAME", **options}
    return lax.conv_general_dilated(x, w, dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)


def layer_norm(x, scale, offset):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + offset


def layer_norm_gradients(x, scale, offset, gradient):
    y, pull_back = jax.vjp(layer_norm, x, scale, offset)
    return y, pull_back(gradient)


def attention(q, k, v, bias=None, is_causal=False):
    scores = jnp.einsum("btnh,bsnh->bnts", q.astype(jnp.float32), k.astype(jnp.float32)) * q.shape[-1] ** -0.5
    if bias is not None:
        scores = scores + bias.astype(jnp.float32)
    if is_causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -jnp.inf)
    return jnp.einsum("bnts,bsnh->btnh", jax.nn.softmax(scores, -1), v.astype(jnp.float32)).astype(q.dtype)


def cudnn_attention(q, k, v, bias=None, is_causal=False):
    return jax.nn.dot_product_attention(q, k, v, bias, is_causal=is_causal, implementation="cudnn")


def gradients_of(function):
    return lambda q, k, v, bias, gradient: jax.vjp(function, q, k, v, bias)[1](gradient)


def convolution_gradients(x, w, gradient):
    def forward(x, w):
        return convolution(x, w, window_strides=(3, 2), padding=((2, 1), (1, 1)))

    return jax.vjp(forward, x, w)[1](gradient)


def f8_product(a, b, a_scale, b_scale, scale):
    product = (a.astype(jnp.float32) * a_scale) @ (b.astype(jnp.float32) * b_scale).T
    return jnp.clip(product / scale, -448, 448).astype(F8)


def f8_convolution(x, w, scale):
    y = convolution(x.astype(jnp.float32), w.astype(jnp.float32))
    return jnp.clip(y * scale, -448, 448).astype(F8), jnp.max(jnp.abs(y))


HEADS = array(2, 8, 2, 16, dtype=jnp.bfloat16)
BIAS = array(1, 2, 8, 8, dtype=jnp.bfloat16)

# name: the program, its parameters, and the same program for a GPU where that is another one.
GPU = {
    "bias_gelu": (lambda a, b, c: jax.nn.gelu(a @ b + c), [array(4, 6), array(6, 8), array(8)]),
    "alpha_beta": (lambda a, b, c: 3 * (a @ b) + 1.5 * c, [array(4, 6), array(6, 8), array(4, 8)]),
    "complex_product": (
        lambda a, b: (2 + 1j) * (a @ b),
        [array(4, 6, dtype=jnp.complex64), array(6, 8, dtype=jnp.complex64)],
    ),
    "integer_product": (
        lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32),
        [array(4, 6, dtype=jnp.int8), array(6, 8, dtype=jnp.int8)],
    ),
    "f8_product": (f8_product, [array(16, 32, dtype=F8), array(16, 32, dtype=F8), array(), array(), array()]),
    "bias_side_relu": (
        lambda x, w, b, z: jax.nn.relu(convolution(x, w) + b + z),
        [array(2, 8, 8, 3), array(3, 3, 3, 4), array(4), array(2, 8, 8, 4)],
    ),
    "convolution_gradients": (convolution_gradients, [array(2, 7, 9, 3), array(4, 3, 3, 5), array(2, 3, 5, 5)]),
    "f8_convolution": (f8_convolution, [array(1, 6, 6, 16, dtype=F8), array(3, 3, 16, 16, dtype=F8), array()]),
    "causal_attention": (
        lambda q, k, v: attention(q, k, v, is_causal=True),
        [HEADS, HEADS, HEADS],
        lambda q, k, v: cudnn_attention(q, k, v, is_causal=True),
    ),
    "attention_gradients": (
        gradients_of(attention),
        [HEADS, HEADS, HEADS, BIAS, HEADS],
        gradients_of(cudnn_attention),
    ),
    "layer_norm": (layer_norm_gradients, [array(8, 64), array(64), array(64), array(8, 64)]),
    "top_k": (lambda x: lax.top_k(x, 8), [array(8, 1024)]),
    "triangular_solve": (
        lambda a, b: lax.linalg.triangular_solve(a + 4 * jnp.eye(4), b, left_side=True, lower=True),
        [array(4, 4), array(4, 3)],
    ),
}
CPU = {
    "softmax_rows": (lambda x: jax.nn.softmax(x, -1), [array(6, 10)]),
    "dense_tanh": (lambda x, w, b: jnp.tanh(x @ w + b), [array(4, 16), array(16, 8), array(8)]),
    "layer_norm_rows": (layer_norm, [array(5, 12), array(12), array(12)]),
    "strided_convolution": (
        lambda x, w, b: jax.nn.relu(convolution(x, w, window_strides=(2, 1), padding=((1, 0), (1, 1))) + b),
        [array(2, 7, 6, 3), array(3, 3, 3, 4), array(4)],
    ),
    "sorted_pairs": (
        lambda keys, values: lax.sort((keys, values), num_keys=1),
        [array(3, 40, dtype=jnp.uint16), array(3, 40)],
    ),
    "largest_four": (lambda x: lax.top_k(x, 4), [array(3, 20)]),
}


def without(attribute, text):
    """The text without `, attribute={...}`, which may nest braces and hold strings."""
    braces = r'\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*\})*\}'
    return re.sub(rf", {attribute}={braces}", "", text)


def clean(text):
    """Returns the program's text without its places in the source."""
    for attribute in ("metadata", "sharding", "frontend_attributes"):
        text = without(attribute, text)
    text = re.sub(r", allow_spmd_sharding_propagation_to_\w+=\{[^}]*\}", "", text)
    header, rest = text.split("\n", 1)
    tables = re.compile(r"^(FileNames|FunctionNames|FileLocations|StackFrames)\n(\d+ .*\n)*\n*", re.MULTILINE)
    return header + "\n\n" + tables.sub("", rest).strip() + "\n"


def placed(parameters, sharding):
    return [jax.ShapeDtypeStruct(p.shape, p.dtype, sharding=sharding) for p in parameters]


def main():
    topology = topologies.get_topology_desc(platform="cuda", target_config=TARGET, topology="1x1x1")
    gpu = NamedSharding(topologies.make_mesh(topology, (1,), ("d",)), PartitionSpec())
    for name, (program, parameters, *other) in GPU.items():
        lowered = jax.jit(program).lower(*placed(parameters, gpu))
        compiled = jax.jit(other[0] if other else program).lower(*placed(parameters, gpu)).compile()
        (FOLDER / f"{name}.hlo").write_text(clean(lowered.compiler_ir("hlo").as_hlo_text()))
        (FOLDER / f"{name}.gpu.hlo").write_text(clean(compiled.as_text()))
    cpu = jax.sharding.SingleDeviceSharding(jax.devices("cpu")[0])
    for name, (program, parameters) in CPU.items():
        lowered = jax.jit(program).lower(*placed(parameters, cpu))
        (FOLDER / f"{name}.hlo").write_text(clean(lowered.compiler_ir("hlo").as_hlo_text()))
        (FOLDER / f"{name}.cpu.hlo").write_text(clean(lowered.compile().as_text()))


if __name__ == "__main__":
    main()
