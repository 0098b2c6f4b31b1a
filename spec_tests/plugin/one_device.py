"""Programs for one device of assay, each about a part of JAX."""

import concurrent.futures
import ctypes
import functools
import os
import signal
import threading

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax.experimental.layout import Format, Layout
from jax.sharding import SingleDeviceSharding

from spec_tests.plugin.comparison import close, on_cpu, refused, same


ELEMENT_TYPES = [
    bool, "int2", "int4", np.int8, np.int16, np.int32, np.int64, "uint2", "uint4", np.uint8, np.uint16, np.uint32,
    np.uint64, np.float16, "bfloat16", np.float32, np.float64, np.complex64, np.complex128, "float8_e3m4",
    "float8_e4m3", "float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
    "float8_e8m0fnu", "float4_e2m1fn",
]  # fmt: skip


def dtype_of(name):
    """Returns the dtype of NumPy or of ml_dtypes."""
    return np.dtype(getattr(ml_dtypes, name) if isinstance(name, str) else name)


def devices():
    """The platform, its devices and their memory."""
    assert jax.default_backend() == "assay"
    device = jax.devices()[0]
    assert (device.platform, device.device_kind, device.id) == ("assay", "assay", 0)
    assert str(device) == "AssayDevice(id=0)"
    assert [memory.kind for memory in device.addressable_memories()] == ["device", "pinned_host", "unpinned_host"]
    assert device.default_memory().kind == "device"
    assert device.memory_stats()["bytes_in_use"] >= 0
    # The list that the user gave, though JAX's CPU was initialized for callbacks.
    assert jax.config.jax_platforms == os.environ["JAX_PLATFORMS"]
    assert jax.devices("cpu")[0].platform == "cpu"


def element_types():
    """Arrays of every type go to the device and back, contiguous, transposed and with gaps."""
    jax.config.update("jax_enable_x64", True)
    identity_and_transpose = jax.jit(lambda x: (x, jnp.transpose(x)))
    for name in ELEMENT_TYPES:
        dtype = dtype_of(name)
        bits = np.arange(24, dtype=np.uint8)
        values = (bits % 4).astype(dtype) if dtype.kind != "b" else bits % 2 == 0
        array = values.reshape(2, 3, 4)
        for view in (array, array.T, array[:, ::-1], array[..., ::2], array[:0], array[0, 0, 0]):
            put = jax.device_put(view)
            same(put, view)
            for got, want in zip(identity_and_transpose(put), (view, np.transpose(view)), strict=True):
                same(got, want)
    for name in ("int2", "int4"):  # negative numbers, of which NumPy's bytes lack the upper bits
        numbers = np.arange(-2, 2, dtype=np.int8)
        narrow = numbers.astype(dtype_of(name))
        returned = jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct(narrow.shape, narrow.dtype), narrow)
        for array in (jax.device_put(narrow), returned):
            same(jax.jit(lambda v: (v < 0, v.astype(np.int8)))(array)[0], numbers < 0)
            same(array.astype(np.int8), numbers)


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


def layouts():
    """Arrays have the orders of elements in memory that a program asks for, and the same values."""
    columns = Format(Layout((1, 0)), SingleDeviceSharding(jax.devices()[0]))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    put = jax.device_put(x, columns)
    assert put.format.layout.major_to_minor == (1, 0)
    same(put, x)
    in_memory = (ctypes.c_float * 6).from_address(put.unsafe_buffer_pointer())
    assert list(in_memory) == [0, 3, 1, 4, 2, 5], list(in_memory)
    same(np.from_dlpack(put), x)
    compiled = jax.jit(lambda a: a.T + 1, in_shardings=columns, out_shardings=columns).lower(x).compile()
    assert compiled.input_formats[0][0].layout.major_to_minor == (1, 0)
    result = compiled(put)
    assert result.format.layout.major_to_minor == compiled.output_formats.layout.major_to_minor == (1, 0)
    same(result, x.T + 1)
    same(jax.jit(lambda a: a * 2, donate_argnums=0)(put), x * 2)
    assert put.is_deleted()


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
    # The branch of the CPU, unless there is one of assay.
    one, two, three = (lambda x, i=i: x + i for i in (1, 2, 3))
    for branches, want in (({"cpu": one, "tpu": two}, 1), ({"tpu": two, "cpu": one, "default": three}, 1),
                           ({"tpu": two, "default": three}, 3), ({"cpu": one, "assay": two}, 2)):  # fmt: skip
        dependent = functools.partial(jax.lax.platform_dependent, **branches)
        assert (dependent(0), jax.jit(dependent)(0), jax.vmap(dependent)(jnp.zeros(1, int))[0]) == (want,) * 3
    refused(jax.jit(lambda x: jax.lax.platform_dependent(x, tpu=two)), 0, reason="not found for platform assay")
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

        def draws(seed):
            key = jax.random.key(seed, impl=implementation)
            return (jax.random.bits(key, (33,)), jax.random.uniform(key, (33,)), jax.random.randint(key, (33,), -5, 1000),
                    jax.random.permutation(key, 33), jax.random.bernoulli(key, 0.3, (33,)),
                    jax.random.key_data(jax.random.split(key, 3)))  # fmt: skip

        for got, want in zip(jax.jit(draws)(7), on_cpu(jax.jit(draws), 7), strict=True):
            same(got, want)
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

    # Ordered calls with results: a token precedes them.
    count = lambda x: jax.experimental.io_callback(lambda v: np.float32(v.sum()), jnp.float32(0), x, ordered=True)
    same(jax.jit(lambda x: count(x) + count(x + 1))(ones), np.float32(9))
    both = lambda x: jax.experimental.io_callback(lambda v: (v, np.int32(5)), (shape, jnp.int32(0)), x, ordered=True)
    array, number = jax.jit(both)(ones)
    same(array, ones)
    same(number, np.int32(5))
    ordered(jnp.int32(10))
    jax.effects_barrier()
    assert seen == [10, 11, 12, 13, 14], seen
    jax.jit(lambda x: jax.debug.callback(lambda v: seen.append(float(v)), x))(jnp.float32(2))
    jax.effects_barrier()
    assert seen[-1] == 2.0, seen
    # The message outlives the thread's state in Python, and keeps its end if it is too long.
    for number in range(20):

        def fail(_, text="\u00fc" * 1000 * number + f" number {number}!"):
            raise ValueError(text)

        function = jax.jit(lambda x, fail=fail: jax.pure_callback(fail, shape, x))
        refused(function, ones, reason=f"? number {number}!" if number else "ValueError:  number 0!")


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


def dot_algorithms():
    """Every algorithm of a dot. JAX converts operands of other types first; no algorithm changes a sum of few bits."""
    x, y = np.array([[1.5, 3]]), np.array([[2.5], [0.125]])
    algorithm = jax.lax.DotAlgorithm(np.float32, np.float32, np.float32)
    for preset in (*jax.lax.DotAlgorithmPreset, algorithm):
        dot = lambda a, b: jax.lax.dot(a, b, precision=preset, preferred_element_type=np.float32)
        types = [np.float32, np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2]
        while "ANY_F8" in str(preset) and len(types) > 1:
            dtype = types.pop(0)
            refused(dot, x.astype(dtype), y.astype(dtype), reason="float8")
        for result in jax.jit(lambda *pairs: [dot(*pair) for pair in pairs])(*((x.astype(t), y.astype(t)) for t in types)):
            same(result, np.array([[4.125]], np.float32))
    # In bf16 and in f16, 1 + 2^-11 is 1.
    fine = np.array([[1 + 2**-11]], np.float32)
    same(jax.lax.dot(fine, fine, precision="BF16_BF16_BF16"), np.array([[1]], np.float32))
    same(jax.lax.dot(fine, fine, precision="F16_F16_F32"), np.array([[1]], np.float32))
    same(jax.lax.dot(fine, fine, precision="F32_F32_F32"), fine * fine)


def compiler_options():
    """Flags of XLA change nothing; other options are refused, in XLA's words."""
    lowered = jax.jit(lambda x: x + 1).lower(np.float32(1))
    for options in ({"xla_embed_ir_in_executable": True, "xla_dump_max_hlo_modules": 200},
                    {"xla_gpu_auto_spmd_partitioning_memory_budget_ratio": 0.5, "xla_dump_to": ""}):  # fmt: skip
        same(lowered.compile(compiler_options=options)(np.float32(1)), np.float32(2))
    compile_with = lambda **options: lowered.compile(compiler_options=options)
    refused(lambda: compile_with(invalid_key="v"), reason="No such compile option: 'invalid_key'")
    refused(lambda: compile_with(xla_dump_hlo_as_text="v"), reason="'v' is not a valid bool value.")
    same(lowered.compile()(np.float32(1)), np.float32(2))


def dce_sink():
    """A value that no instruction uses, and that a compiler keeps."""

    def kept(x):
        jax.lax.dce_sink(x + 1, prevent_mlir_dce=True)
        return x * 2

    same(jax.jit(kept)(np.float32(3)), np.float32(6))
    text = jax.jit(kept).lower(np.float32(3)).compile().as_text()
    assert 'custom_call_target="dce_sink"' in text and "add(" in text, text


def copies():
    """Results have memory of their own: a copy, and each result that returns an argument, also twice."""
    x = jax.device_put(np.arange(4, dtype=np.float32))
    both = jax.jit(lambda v: (v, v))(x)
    addresses = {array.unsafe_buffer_pointer() for array in (x, jnp.copy(x), *both)}
    assert len(addresses) == 4, addresses


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
    """200 programs come and go; nothing of them stays. A program that leaves 8 KiB fails."""

    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def compile_some(first, count):
        for number in range(first, first + count):
            compiled = jax.jit(lambda x: jnp.sin(x) * number + number).lower(np.ones(3, np.float32)).compile()
            compiled(np.ones(3, np.float32))
            del compiled
        jax.clear_caches()

    compile_some(0, 60)
    before = resident()
    compile_some(60, 200)
    grown = resident() - before
    print(f"200 compilations: {grown} bytes")
    assert grown < 200 * 8192, grown


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
