"""Programs for 8 devices of assay."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from spec_tests.plugin.comparison import same


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
        put = jax.device_put(x, sharding)
        copied = jnp.copy(put)
        same(copied, x)
        for before, after in zip(put.addressable_shards, copied.addressable_shards):
            assert before.data.unsafe_buffer_pointer() != after.data.unsafe_buffer_pointer()


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


def unreduced():
    """Sums over devices that are yet to be made: between programs, within them and at the edges of shard_map."""
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)
    x = np.arange(32, dtype=np.float32).reshape(8, 4)
    with jax.set_mesh(mesh):
        left, right = jax.device_put(x, P("x", "y")), jax.device_put(x.T, P("y", None))
        multiply = functools.partial(jnp.einsum, "ab,bc->ac", out_sharding=P("x", None, unreduced={"y"}))
        product = jax.jit(multiply)(left, right)
        assert product.sharding.spec == P("x", None, unreduced={"y"}), product.sharding
        for i, shard in enumerate(product.addressable_shards):
            same(shard.data, (x @ x.T)[i // 2 * 2 : i // 2 * 2 + 2] * np.float32(i % 2 == 0))
        same(jax.jit(lambda v: jax.reshard(v + v, P("x")))(product), 2 * (x @ x.T))
        everywhere = jax.reshard(jax.device_put(x, P()), P(unreduced={"x", "y"}))
        same(jax.reshard(everywhere, P(None, "y")), x)
        over = functools.partial(jax.shard_map, in_specs=P("x"), out_specs=P(None, None, unreduced={"x"}))
        weighted = jax.jit(over(lambda v: v * (1 + jax.lax.axis_index("x")).astype(v.dtype)))(jax.device_put(x, P("x")))
        want = sum((i + 1) * x[2 * i : 2 * i + 2] for i in range(4)).astype(np.float32)
        same(jax.reshard(weighted, P()), want)
        back = jax.shard_map(lambda v: jax.lax.psum(v, "x"), in_specs=P(None, None, unreduced={"x"}), out_specs=P())
        same(jax.jit(back)(weighted), want)


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
    ordered = functools.partial(jax.experimental.io_callback, lambda v: seen.append(float(v.sum())), None, ordered=True)
    within = jax.shard_map(lambda v: (ordered(v), v)[1], mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    seen.clear()
    same(jax.jit(within)(x), x)
    jax.effects_barrier()
    assert sorted(seen) == list(range(8)), seen
    seen.clear()
    same(jax.jit(lambda v: (note(v.sum()), v * 2)[1])(x), 2 * np.arange(8, dtype=np.float32))
    jax.effects_barrier()
    assert seen == [28.0], seen


def partitioned_by_hand():
    """A function with a partitioning of its own gives the values of the function."""

    @custom_partitioning
    def rows(v):
        return v - jnp.sum(v, 1, keepdims=True)

    def partition(mesh, _, shapes):
        return mesh, rows.fun, shapes[0].sharding, (shapes[0].sharding,)

    rows.def_partition(partition, sharding_rule="i j -> i j")
    mesh = Mesh(np.array(jax.devices()), ("x",))
    x = np.arange(32, dtype=np.float32).reshape(8, 4)
    put = jax.device_put(x, NamedSharding(mesh, P("x")))
    want = x - x.sum(1, keepdims=True)
    same(jax.jit(lambda v: rows(v) * 2)(put), want * 2)
    same(jax.jit(jax.shard_map(rows, mesh=mesh, in_specs=P("x"), out_specs=P("x")))(put), want)


def shardings_that_follow():
    """A result without a sharding has those of the dimensions that it continues."""
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
    by = lambda *axes: NamedSharding(mesh, P(*axes))
    tiles, rows = by("x", "y"), by("x")
    x = np.arange(32, dtype=np.float32).reshape(8, 4)
    put, table = jax.device_put(x, tiles), np.arange(12, dtype=np.float32).reshape(6, 2)
    constrained = jax.jit(lambda v: (jax.lax.with_sharding_constraint(v + 1, rows), v.sum()))
    body = lambda v: (v * 2, jax.lax.all_gather(v, "x", tiled=True)[:4] * 3)
    doubled = jax.shard_map(body, mesh=mesh, in_specs=P("x", "y"), out_specs=(P("x", "y"), P(None, "y")), check_vma=False)
    for function, want, sharding in (
        (lambda v: constrained(v)[0], x + 1, rows),
        (lambda v: 1 - constrained(v)[0] * 2, 1 - (x + 1) * 2, rows),
        (lambda v: jnp.where(v > 3, v, 0), np.where(x > 3, x, np.float32(0)), tiles),
        (lambda v: doubled(v)[0] + 1, x * 2 + 1, tiles),
        (lambda v: doubled(v)[1], x[:4] * 3, by(None, "y")),
        (lambda v: jax.lax.with_sharding_constraint(v, rows).sum(0), x.sum(0), by()),
        (lambda v: v.T, x.T, by("y", "x")),
        (lambda v: v.sum(0), x.sum(0), by("y")),
        (lambda v: jnp.argmax(v, 1), np.argmax(x, 1).astype(np.int32), by("x")),
        (lambda v: v[:4, 1:], x[:4, 1:], by("x")),
        (lambda v: v[::-1, 1:3], x[::-1, 1:3], tiles),
        (lambda v: v.reshape(4, 2, 4), x.reshape(4, 2, 4), by("x", None, "y")),
        (lambda v: v.reshape(32), x.reshape(32), by("x")),
        (lambda v: v @ v.T, x @ x.T, rows),
        (lambda v: v.sum(0)[:, None] + jnp.zeros((4, 3)), np.tile(x.sum(0)[:, None], (1, 3)), by("y")),
        (lambda v: jnp.concatenate([v, v * 2]), np.concatenate([x, x * 2]), tiles),
        (lambda v: jnp.pad(v, 1), np.pad(x, 1), by(None, "y")),
        (lambda v: jnp.sort(v, 1), x, tiles),
        (lambda v: jnp.cumsum(v, 0), np.cumsum(x, 0), tiles),
        (lambda v: jnp.arange(12.0).reshape(6, 2)[v[:, 0].astype(int) % 6], table[x[:, 0].astype(int) % 6], by("x")),
        (lambda v: v[:, jnp.int32(v[1, 1]) % 4], x[:, 5 % 4], by("x")),
        (lambda v: v.at[0].set(0), np.where(np.arange(8)[:, None] == 0, np.float32(0), x), tiles),
        (lambda v: jax.lax.fori_loop(0, 2, lambda i, a: a + i, v), x + 1, tiles),
        (lambda v: jax.checkpoint(lambda a: a * 2)(v), x * 2, tiles),
        (lambda v: jax.lax.with_sharding_constraint(v + 1, by(P.UNCONSTRAINED, None)), x + 1, by("x")),
    ):
        got = jax.jit(lambda v, function=function: (function(v), v))(put)[0]
        assert got.sharding.is_equivalent_to(sharding, got.ndim), got.sharding
        same(got, want)
        for shard in got.addressable_shards:
            same(shard.data, want[shard.index])
    # A mark that leaves a dimension open is the only result.
    got = jax.jit(lambda v: jax.lax.with_sharding_constraint(v + 1, by(P.UNCONSTRAINED, None)))(put)
    assert got.sharding.is_equivalent_to(rows, got.ndim), got.sharding
