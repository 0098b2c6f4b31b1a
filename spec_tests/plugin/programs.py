"""Programs in JAX for the plugin: python programs.py NAME... runs them in this process, on assay beside XLA:CPU.

A program fails by an exception. plugin_test.py starts a process for each group of them.
"""

import concurrent.futures
import functools
import json
import os
import signal
import sys
import threading

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax.sharding import Mesh, NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

ELEMENT_TYPES = [
    bool, "int2", "int4", np.int8, np.int16, np.int32, np.int64, "uint2", "uint4", np.uint8, np.uint16, np.uint32,
    np.uint64, np.float16, "bfloat16", np.float32, np.float64, np.complex64, np.complex128, "float8_e3m4",
    "float8_e4m3", "float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
    "float8_e8m0fnu", "float4_e2m1fn",
]  # fmt: skip


def dtype_of(name):
    """Returns the dtype of NumPy or of ml_dtypes."""
    return np.dtype(getattr(ml_dtypes, name) if isinstance(name, str) else name)


def same(got, want):
    """Fails unless two arrays have the same type, shape and bits."""
    got, want = np.asarray(got), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape), (got.dtype, got.shape, want.dtype, want.shape)
    assert got.tobytes() == want.tobytes(), (got, want)


def on_cpu(function, *args):
    """Returns what XLA:CPU computes."""
    with jax.default_device(jax.devices("cpu")[0]):
        return jax.tree.map(np.asarray, function(*jax.tree.map(np.asarray, args)))


def close(function, *args, bound=1e-5):
    """Fails unless the results differ from XLA:CPU's by less than the bound, relative to the largest number."""
    got, want = function(*args), on_cpu(function, *args)
    for ours, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        assert next(iter(ours.devices())).platform == "assay"
        ours = np.asarray(ours)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        error = np.max(np.abs(ours - theirs), initial=0) / max(np.max(np.abs(theirs), initial=0), 1e-30)
        assert error < bound, (error, ours, theirs)


def devices():
    """The platform, its devices and their memory."""
    assert jax.default_backend() == "assay"
    device = jax.devices()[0]
    assert (device.platform, device.device_kind, device.id) == ("assay", "assay", 0)
    assert str(device) == "AssayDevice(id=0)"
    assert [memory.kind for memory in device.addressable_memories()] == ["device", "pinned_host", "unpinned_host"]
    assert device.default_memory().kind == "device"
    assert device.memory_stats()["bytes_in_use"] >= 0


def element_types():
    """Arrays of every type go to the device and back, contiguous, transposed and with gaps."""
    jax.config.update("jax_enable_x64", True)
    for name in ELEMENT_TYPES:
        dtype = dtype_of(name)
        bits = np.arange(24, dtype=np.uint8)
        values = (bits % 4).astype(dtype) if dtype.kind != "b" else bits % 2 == 0
        array = values.reshape(2, 3, 4)
        for view in (array, array.T, array[:, ::-1], array[..., ::2], array[:0], array[0, 0, 0]):
            put = jax.device_put(view)
            same(put, view)
            same(jax.jit(lambda x: x)(put), view)
            same(jnp.transpose(put), np.transpose(view))


def zero_copy():
    """The host reads an array in place, and its memory outlives the array."""
    x = jnp.arange(1000.0)
    assert np.asarray(x).ctypes.data == x.unsafe_buffer_pointer()
    view = np.asarray(x)
    x.delete()
    assert x.is_deleted()
    same(view, np.arange(1000, dtype=np.float32))
    y = jnp.arange(4.0)
    same(np.from_dlpack(y), np.arange(4, dtype=np.float32))
    same(y.__dlpack_device__(), np.empty(0).__dlpack_device__())
    same(jnp.from_dlpack(np.arange(3.0, dtype=np.float32)), np.arange(3, dtype=np.float32))


def memories():
    """Arrays are in the memory that a program asks for."""
    x = np.arange(4, dtype=np.float32)
    host = SingleDeviceSharding(jax.devices()[0], memory_kind="pinned_host")
    put = jax.device_put(x, host)
    assert put.sharding.memory_kind == "pinned_host"
    double, more = jax.jit(lambda v: (v * 2, v + 1), out_shardings=(host, None))(x)
    assert (double.sharding.memory_kind, more.sharding.memory_kind) == ("pinned_host", "device")
    same(double, x * 2)
    back = jax.jit(lambda v: jax.device_put(v * 2, jax.memory.Space.Device) + 1)(put)
    assert back.sharding.memory_kind == "device"
    same(back, 2 * x + 1)


def arithmetic():
    """Results that round once are exact."""
    x = np.linspace(-2, 2, 101, dtype=np.float32)
    same(jnp.exp(x), np.exp(x.astype(np.float64)).astype(np.float32))
    same(jnp.sum(x), np.float32(0))
    same(jnp.float32(16777216) + jnp.float32(1), np.float32(16777216))
    tenth = jnp.full((1000,), 0.1, jnp.float32)
    same(jnp.sum(tenth), np.float32(np.float64(np.float32(0.1)) * 1000))  # XLA's sums round at each step
    integers = np.arange(-5, 5, dtype=np.int32)
    same(jnp.array(integers) // 3, integers // 3)


def grad_of_scan():
    """A recurrent network's gradient."""

    def loss(w, xs):
        def step(h, x):
            h = jnp.tanh(h @ w + x)
            return h, h

        return jnp.sum(jax.lax.scan(step, jnp.zeros(4), xs)[1] ** 2)

    w = np.linspace(-0.5, 0.5, 16, dtype=np.float32).reshape(4, 4)
    close(jax.jit(jax.value_and_grad(loss)), w, np.linspace(-1, 1, 24, dtype=np.float32).reshape(6, 4))


def control_flow():
    """Loops, conditionals, sorting, scatters."""
    assert jax.lax.fori_loop(0, 5, lambda i, x: x + i, 0) == 10
    assert jax.jit(lambda x: jax.lax.while_loop(lambda c: c < 100, lambda c: c * 2, x))(3) == 192
    assert jax.jit(lambda p: jax.lax.cond(p, lambda: 1, lambda: 2))(True) == 1
    x = np.array([3, 1, 2, 1], np.int32)
    same(jnp.argsort(x), np.array([1, 3, 2, 0], np.int32))
    same(jnp.zeros(5, jnp.int32).at[x].add(1), np.array([0, 2, 1, 1, 0], np.int32))


def fft():
    """Fourier transforms."""
    x = np.cos(np.arange(60, dtype=np.float32)).reshape(5, 12)
    for transform in (jnp.fft.fft, jnp.fft.rfft, jnp.fft.fft2, lambda a: jnp.fft.irfft(jnp.fft.rfft(a))):
        close(transform, x)


def decompositions():
    """Each routine that JAX lowers for known platforms alone, or calls LAPACK for."""
    a = np.random.default_rng(0).uniform(-1, 1, (4, 4)).astype(np.float32)
    symmetric = (a + a.T).astype(np.float32)
    close(jnp.linalg.eigvalsh, symmetric)
    close(jax.lax.linalg.tridiagonal, symmetric)
    close(jnp.linalg.cholesky, a @ a.T + np.eye(4, dtype=np.float32))
    close(jax.scipy.linalg.hessenberg, a)
    close(lambda m: jnp.abs(jnp.linalg.qr(m)[1]), a)
    close(lambda m: jnp.linalg.svd(m)[1], a)
    close(jnp.linalg.inv, a + 3 * np.eye(4, dtype=np.float32))
    close(jax.scipy.linalg.lu_factor, a)
    close(lambda m: jax.scipy.linalg.qr(m, pivoting=True)[2], a)
    values, vectors = map(np.asarray, jnp.linalg.eig(a))
    assert np.max(np.abs(a @ vectors - vectors * values)) < 1e-5
    t, z = map(np.asarray, jax.scipy.linalg.schur(a))
    assert np.max(np.abs(z @ t @ z.T - a)) < 1e-5
    w, v = map(np.asarray, jnp.linalg.eigh(symmetric))
    assert np.max(np.abs(v * w @ v.T - symmetric)) < 1e-5


def random_numbers():
    """Random bits are those of XLA:CPU, and so are numbers that are made of them by one rounding."""
    for implementation in ("threefry2x32", "rbg", "unsafe_rbg"):
        key = functools.partial(jax.random.key, impl=implementation)
        for draw in (
            lambda seed: jax.random.bits(key(seed), (33,)),
            lambda seed: jax.random.uniform(key(seed), (33,)),
            lambda seed: jax.random.randint(key(seed), (33,), -5, 1000),
            lambda seed: jax.random.permutation(key(seed), 33),
            lambda seed: jax.random.bernoulli(key(seed), 0.3, (33,)),
            lambda seed: jax.random.key_data(jax.random.split(key(seed), 3)),
        ):
            same(draw(7), on_cpu(draw, 7))
    close(lambda: jax.random.normal(jax.random.key(0), (100,)))


def donation():
    """A donated array is gone, an array that is not donated stays, and so does one that the host looks at."""
    add = jax.jit(lambda x: x + 1, donate_argnums=0)
    x = jax.device_put(np.ones((4, 4), np.float32))
    view = np.asarray(x)
    y = add(x)
    assert x.is_deleted() and not y.is_deleted()
    same(view, np.ones((4, 4), np.float32))
    same(y, np.full((4, 4), 2, np.float32))
    refused(add, x, reason="deleted")


def subnormals():
    """Subnormal constants, which a compiler's thread that flushes them would make zero."""
    tiny = np.array([1e-45, -1e-40, 1.1754942e-38], np.float32)
    same(jax.jit(lambda: jnp.array(tiny))(), tiny)
    same(jax.jit(lambda x: x * np.float32(1) + jnp.array(tiny))(np.zeros(3, np.float32)), tiny)
    same(jax.jit(lambda x: x / 2)(np.array([2.3509887e-38], np.float32)), np.array([1.1754944e-38], np.float32))
    # The plugin leaves the caller's arithmetic as it was.
    assert np.float32(1e-40) * np.float32(0.5) != 0


def callbacks():
    """Functions of Python within compiled programs."""
    shape = jax.ShapeDtypeStruct((3,), np.float32)
    ones = np.ones(3, np.float32)
    same(jax.jit(lambda x: jax.pure_callback(np.sin, shape, x) + 1)(ones), np.sin(ones) + np.float32(1))
    two = jax.jit(lambda x: jax.pure_callback(lambda v: (np.cos(v), np.int32(7)), (shape, jnp.int32(0)), x))(ones)
    same(two[0], np.cos(ones))
    assert two[1] == 7
    seen = []

    @jax.jit
    def ordered(x):
        for i in range(5):
            jax.experimental.io_callback(lambda v: seen.append(int(v)), None, x + i, ordered=True)
        return x

    ordered(jnp.int32(10))
    jax.effects_barrier()
    assert seen == [10, 11, 12, 13, 14], seen
    jax.jit(lambda x: jax.debug.callback(lambda v: seen.append(float(v)), x))(jnp.float32(2))
    jax.effects_barrier()
    assert seen[-1] == 2.0, seen
    function = jax.jit(lambda x: jax.pure_callback(lambda v: 1 // 0, shape, x))
    refused(function, ones, reason="ZeroDivisionError")


def printing():
    """debug.print and checkify."""
    jax.jit(lambda x: jax.debug.print("x is {}", x))(jnp.float32(1.5))
    jax.effects_barrier()
    from jax.experimental import checkify

    def divide(x):
        checkify.check(x != 0, "x must not be zero")
        return 1 / x

    error, _ = checkify.checkify(jax.jit(divide))(jnp.float32(0))
    assert "x must not be zero" in error.get()


def ahead_of_time():
    """Lowered, compiled, described, serialized and loaded again."""
    from jax.experimental.serialize_executable import deserialize_and_load, serialize

    compiled = jax.jit(lambda x: jnp.sin(x) @ x.T).lower(np.ones((2, 3), np.float32)).compile()
    assert compiled.as_text().startswith("HloModule jit")
    assert compiled.cost_analysis()["bytes accessed"] > 0
    memory = compiled.memory_analysis()
    assert (memory.argument_size_in_bytes, memory.output_size_in_bytes) == (24, 16), memory
    argument = np.arange(6, dtype=np.float32).reshape(2, 3)
    loaded = deserialize_and_load(*serialize(compiled), execution_devices=jax.devices()[:1])
    same(loaded(argument), compiled(argument))


def refused(function, *args, reason):
    """Fails unless a call raises an exception with this reason."""
    try:
        jax.block_until_ready(function(*args))
    except Exception as error:
        assert reason in str(error), error
    else:
        raise AssertionError(f"there was no error: {reason}")


def errors():
    """Wrong programs are exceptions with the reason, and the process goes on."""
    call = jax.ffi.ffi_call("no_such_target", jax.ShapeDtypeStruct((), np.float32))
    refused(jax.jit(call), np.float32(1), reason="no_such_target")
    refused(jax.jit(lambda: jnp.zeros((1 << 36,), jnp.float32)), reason="RESOURCE_EXHAUSTED")
    refused(jax.jit(lambda x: jax.lax.while_loop(lambda c: c >= 0, lambda c: c * 0, x)), 1, reason="time_limit")
    same(jnp.arange(3) + 1, np.array([1, 2, 3], jnp.arange(1).dtype))


def threads():
    """16 threads dispatch at once; each compiles, runs and reads its own programs."""
    start = threading.Barrier(16)

    def work(number):
        start.wait()
        function = jax.jit(lambda x: jnp.sum(x * number) + number)
        shared = jax.jit(lambda x: jnp.cumsum(x) * 2)
        x = np.arange(50, dtype=np.float32) + number
        for _ in range(10):
            same(function(x), np.float32(np.sum(x * number) + number))
            same(shared(x), np.cumsum(x) * np.float32(2))
        return number

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(work, range(16))) == list(range(16))


def many_compilations():
    """1,000 programs come and go; nothing of them stays."""

    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def compile_some(first, count):
        for number in range(first, first + count):
            compiled = jax.jit(lambda x: jnp.sin(x) * number + number).lower(np.ones(3, np.float32)).compile()
            compiled(np.ones(3, np.float32))
            del compiled
        jax.clear_caches()

    compile_some(0, 300)
    before = resident()
    compile_some(300, 1000)
    grown = resident() - before
    print(f"1000 compilations: {grown} bytes")
    assert grown < 8 << 20, grown


def copies_between_devices():
    """Arrays go from device to device."""
    x = jax.device_put(np.arange(4.0, dtype=np.float32), jax.devices()[3])
    y = jax.device_put(x, jax.devices()[5])
    assert (x.devices(), y.devices()) == ({jax.devices()[3]}, {jax.devices()[5]})
    same(y, x)
    z = jax.jit(lambda a: a * 2)(y)
    assert z.devices() == {jax.devices()[5]}
    same(jax.device_put(z, jax.devices("cpu")[0]), np.arange(0, 8, 2, dtype=np.float32))


def pmap():
    """One program on 8 devices."""
    x = np.arange(16, dtype=np.float32).reshape(8, 2)
    same(jax.pmap(lambda v: jax.lax.psum(v, "i"), axis_name="i")(x), np.tile(x.sum(0), (8, 1)))
    same(jax.pmap(lambda v: v + jax.lax.axis_index("i"), axis_name="i")(x), x + np.arange(8, dtype=np.float32)[:, None])


def shard_map():
    """Collectives within a manual computation, on meshes of one and two axes."""
    x = np.arange(32, dtype=np.float32).reshape(8, 4)
    line = Mesh(np.array(jax.devices()), ("x",))
    grid = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))

    def over(mesh, in_specs, out_specs):
        return lambda f: jax.jit(jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs))

    same(over(line, P("x"), P())(lambda v: jax.lax.psum(v, "x"))(x), x.sum(0, keepdims=True))
    same(over(line, P("x"), P("x"))(lambda v: jax.lax.all_gather(v, "x").sum(0))(x), np.tile(x.sum(0), (8, 1)))
    shift = [(i, (i + 1) % 8) for i in range(8)]
    same(over(line, P("x"), P("x"))(lambda v: jax.lax.ppermute(v, "x", shift))(x), np.roll(x, 1, 0))
    same(over(grid, P("x", "y"), P("x", None))(lambda v: jax.lax.psum(v, "y"))(x),
         x.reshape(8, 2, 2).sum(1))  # fmt: skip
    spread = over(grid, P("x", "y"), P("y", "x"))(lambda v: v.T.reshape(4, 1)[:, :] + 0)(x[:, :4])
    assert spread.shape == (8, 4)


def shardings():
    """jit divides arrays by the shardings of arguments and results."""
    grid = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
    x = np.arange(32, dtype=np.float32).reshape(8, 4)
    for spec in (P(), P("x"), P("y", "x"), P(None, "y"), P(("x", "y"))):
        sharding = NamedSharding(grid, spec)
        put = jax.device_put(x, sharding)
        same(put, x)
        for shard in put.addressable_shards:
            same(shard.data, x[shard.index])
        doubled = jax.jit(lambda v: v * 2, out_shardings=sharding)(put)
        assert doubled.sharding.is_equivalent_to(sharding, 2)
        for shard in doubled.addressable_shards:
            same(shard.data, 2 * x[shard.index])
        same(jax.jit(jnp.sum)(put), x.sum())
        constrained = jax.jit(lambda v: jax.lax.with_sharding_constraint(v + 1, NamedSharding(grid, P("y"))))(put)
        same(constrained, x + 1)
        donated = jax.jit(lambda v: v + 1, donate_argnums=0, out_shardings=sharding)(put)
        same(donated, x + 1)
        assert put.is_deleted()


def orders_of_devices():
    """Meshes of any order of the devices, and of some of them."""
    everything, draw = np.array(jax.devices()), np.random.default_rng(0)
    x = np.arange(32, dtype=np.float32).reshape(8, 4)
    for order in (everything[::-1], draw.permutation(everything), everything[2:6], everything[[5, 1]]):
        count, mesh = len(order), Mesh(order, ("x",))
        sharding = NamedSharding(mesh, P("x"))
        put = jax.device_put(x, sharding)
        over = functools.partial(jax.shard_map, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
        shift = [(i, (i + 1) % count) for i in range(count)]
        for function, want in (
            (jax.jit(lambda v: v * 2, out_shardings=sharding), x * 2),
            (jax.jit(over(lambda v: v + jax.lax.axis_index("x"))), x + np.repeat(np.arange(count), 8 // count)[:, None]),
            (jax.jit(over(lambda v: jax.lax.ppermute(v, "x", shift))), np.roll(x, 8 // count, 0)),
        ):
            got, want = function(put), want.astype(np.float32)
            same(got, want)
            for shard in got.addressable_shards:
                same(shard.data, want[shard.index])
    for _ in range(5):
        grid = Mesh(draw.permutation(everything).reshape(2, 2, 2), ("a", "b", "c"))
        for given, wanted in ((P("a", "b"), P(("b", "c"), "a")), (P(None, ("c", "a")), P("c")), (P(("c", "a", "b")), P())):
            put = jax.device_put(x, NamedSharding(grid, given))
            for shard in jax.jit(lambda v: v + 1, out_shardings=NamedSharding(grid, wanted))(put).addressable_shards:
                same(shard.data, (x + 1)[shard.index])


def callback_on_each_device():
    """A callback within a manual computation runs once on each device, any other once."""
    seen = []
    mesh = Mesh(np.array(jax.devices()), ("x",))
    note = functools.partial(jax.debug.callback, lambda v: seen.append(float(v)))
    each = jax.shard_map(lambda v: (note(v[0]), v)[1], mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    x = jax.device_put(np.arange(8, dtype=np.float32), NamedSharding(mesh, P("x")))
    same(jax.jit(each)(x), x)
    jax.effects_barrier()
    assert sorted(seen) == list(range(8)), seen
    seen.clear()
    same(jax.jit(lambda v: (note(v.sum()), v * 2)[1])(x), 2 * np.arange(8, dtype=np.float32))
    jax.effects_barrier()
    assert seen == [28.0], seen


def fork():
    """A child of fork runs a program that its parent has compiled."""
    add = jax.jit(lambda v: jnp.exp(v) + 1)
    x = jnp.arange(100000.0) / 100000
    want = np.asarray(add(x))
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if np.array_equal(np.asarray(add(x)), want) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    same(add(x), want)


def normal(seed, *shape):
    """Returns moderate numbers."""
    return (np.random.default_rng(seed).standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)


def train(loss, parameters, *data):
    """Compares a step of gradient descent, and the loss, with XLA:CPU's."""

    def step(parameters, *data):
        value, gradients = jax.value_and_grad(loss)(parameters, *data)
        return value, jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)

    close(jax.jit(step), parameters, *data, bound=1e-4)


def transformer_step():
    """A step of training of a small transformer."""
    vocabulary, width, heads, length = 17, 16, 4, 6

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)

    def block(x, layer):
        q, k, v = (norm(x) @ layer[name] for name in "qkv")
        split = lambda a: a.reshape(*a.shape[:2], heads, -1).transpose(0, 2, 1, 3)  # noqa: E731
        scores = split(q) @ split(k).transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // heads))
        mask = jnp.tril(jnp.ones((length, length), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), -1)
        x = x + (weights @ split(v)).transpose(0, 2, 1, 3).reshape(x.shape) @ layer["o"]
        return x + jax.nn.gelu(norm(x) @ layer["up"]) @ layer["down"]

    def loss(parameters, tokens):
        x = parameters["embedding"][tokens[:, :-1]] + parameters["position"]
        for layer in parameters["layers"]:
            x = block(x, layer)
        logits = jax.nn.log_softmax(norm(x) @ parameters["embedding"].T)
        return -jnp.take_along_axis(logits, tokens[:, 1:, None], -1).mean()

    shapes = {"q": (width, width), "k": (width, width), "v": (width, width), "o": (width, width),
              "up": (width, 4 * width), "down": (4 * width, width)}  # fmt: skip
    layers = [{name: normal(10 * n + i, *shape) for i, (name, shape) in enumerate(shapes.items())} for n in range(2)]
    parameters = {"embedding": normal(1, vocabulary, width), "position": normal(2, length, width), "layers": layers}
    train(loss, parameters, np.random.default_rng(3).integers(0, vocabulary, (2, length + 1)).astype(np.int32))


def resnet_step():
    """A step of training of a small residual network with convolutions, normalization and pooling."""

    def convolve(x, w, stride=1):
        return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def normalize(x, scale):
        return scale * (x - x.mean((0, 1, 2))) / jnp.sqrt(x.var((0, 1, 2)) + 1e-5)

    def loss(parameters, images, labels):
        x = jax.nn.relu(normalize(convolve(images, parameters["stem"]), parameters["scale"]))
        for i, block in enumerate(parameters["blocks"]):
            y = jax.nn.relu(normalize(convolve(x, block["first"], 1 + i), block["scale"]))
            y = normalize(convolve(y, block["second"]), block["scale"])
            skip = x if i == 0 else x[:, ::2, ::2]
            x = jax.nn.relu(skip + y)
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").mean((1, 2))
        logits = jax.nn.log_softmax(x @ parameters["head"])
        return -jnp.take_along_axis(logits, labels[:, None], -1).mean()

    blocks = [{"first": normal(n, 3, 3, 8, 8) / 3, "second": normal(n + 5, 3, 3, 8, 8) / 3,
               "scale": np.ones(8, np.float32)} for n in range(2)]  # fmt: skip
    parameters = {"stem": normal(20, 3, 3, 3, 8), "scale": np.ones(8, np.float32), "blocks": blocks,
                  "head": normal(21, 8, 10)}  # fmt: skip
    train(loss, parameters, normal(22, 4, 8, 8, 3), np.arange(4, dtype=np.int32))


def main():
    print(json.dumps(jax.config.jax_platforms))
    for name in sys.argv[1:]:
        globals()[name]()
        print("ok", name, flush=True)


if __name__ == "__main__":
    main()
