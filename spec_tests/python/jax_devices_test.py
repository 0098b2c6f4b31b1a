"""`assay.jax` on functions that run on four devices of the host."""

import os
import unittest

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import assay.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

MESH = Mesh(np.array(jax.devices()), ("x",))
GRID = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
ROWS = NamedSharding(MESH, P("x"))

X = np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4)


def on_mesh(f, inside, outside, mesh=None):
    """Returns the function on the devices of a mesh."""
    return jax.shard_map(f, mesh=mesh or MESH, in_specs=inside, out_specs=outside)


class Devices(unittest.TestCase):
    def check(self, f, *args, verdicts=("EXACT", "LEGAL"), shapes=None, **options):
        found = assay.jax.check(f, *args, **options)
        self.assertIn(found.verdict, verdicts, found)
        if shapes is not None:
            self.assertEqual([output.got.shape for output in found.outputs], shapes)
        return found

    def test_collectives_within_a_shard_map(self):
        sums = on_mesh(lambda a: jax.lax.psum(jnp.exp(a), "x"), P("x"), P())
        found = self.check(sums, X, shapes=[(2, 4)])
        np.testing.assert_allclose(found.outputs[0].want, np.exp(X).reshape(4, 2, 4).sum(0), rtol=1e-6)
        ring = on_mesh(lambda a: jax.lax.ppermute(a, "x", [(i, (i + 1) % 4) for i in range(4)]), P("x"), P("x"))
        np.testing.assert_array_equal(self.check(ring, X, verdicts=["EXACT"]).outputs[0].want, np.roll(X, 2, axis=0))

    def test_a_mesh_of_two_axes_and_two_results(self):
        def product(a, b):
            return jax.lax.psum(a @ b, "y"), jnp.floor(a)

        f = on_mesh(product, (P("x", "y"), P("y", None)), (P("x", None), P("x", "y")), GRID)
        found = self.check(f, X, X[:4], shapes=[(8, 4), (8, 4)])
        np.testing.assert_allclose(found.outputs[0].want, X.astype(np.float64) @ X[:4], atol=1e-6)
        self.assertEqual(found.outputs[1].verdict, "EXACT")

    def test_pmap(self):
        f = jax.pmap(lambda a: jax.lax.psum(a, "i") + jax.lax.axis_index("i"), axis_name="i")
        found = self.check(f, X[:4])
        got = np.concatenate([output.want.reshape(-1, 4) for output in found.outputs])
        np.testing.assert_allclose(got, X[:4].sum(0) + np.arange(4)[:, None], rtol=1e-6)
        self.check(jax.pmap(lambda a, b: (a * b, jnp.sum(a)), in_axes=(1, None), out_axes=(1, 0)), X[:, :4],
                   np.float32(3))  # fmt: skip

    def test_shardings_alone(self):
        self.check(jax.jit(lambda a: jnp.floor(a).sum(0), in_shardings=ROWS), X, shapes=[(4,)], verdicts=["EXACT"])
        self.check(lambda a: a + 1, jax.device_put(X, ROWS), shapes=[(8, 4)], verdicts=["EXACT"])

        def constrained(a):
            return jax.lax.with_sharding_constraint(jnp.exp(a), ROWS) @ a.T

        self.check(jax.jit(constrained, in_shardings=ROWS, out_shardings=ROWS), X, shapes=[(8, 8)])

    def sums(self, x):
        """Returns a sum over all devices, lowered, and the result that NumPy has."""
        lowered = jax.jit(on_mesh(lambda a: jax.lax.psum(a, "x"), P("x"), P())).lower(x)
        return lowered, x.reshape(4, 2, 4).sum(0, dtype=x.dtype)

    def test_a_sum_that_lacks_a_device(self):
        whole = np.arange(32, dtype=np.int32).reshape(8, 4)
        lowered, right = self.sums(whole)
        self.assertEqual(assay.jax.check_compiled(lowered, [whole], [right]).verdict, "EXACT")
        found = assay.jax.check_compiled(lowered, [whole], [right - whole[6:]])
        self.assertEqual((found.verdict, found.outputs[0].verdict), ("FAIL", "FAIL"))
        # A sum that is rounded has no one right result, but every order of the devices keeps all terms.
        lowered, right = self.sums(X)
        found = assay.jax.check_compiled(lowered, [X], [right - X[6:]])
        self.assertEqual((found.verdict, found.outputs[0].verdict), ("FAIL", "FAIL"))
        found = assay.jax.check_compiled(lowered, [X], [np.nextafter(right, np.float32(np.inf))])
        self.assertEqual(found.verdict, "LEGAL")

    def test_each_copy_of_a_replicated_result_is_judged(self):
        whole = np.arange(32, dtype=np.int32).reshape(8, 4)
        lowered, right = self.sums(whole)
        copies = [jax.device_put(right + (i == 2), device) for i, device in enumerate(MESH.devices)]
        result = jax.make_array_from_single_device_arrays(right.shape, NamedSharding(MESH, P()), copies)
        found = assay.jax.check_compiled(lowered, [whole], [result])
        self.assertEqual(found.verdict, "FAIL")
        # One output for each device, for they differ.
        self.assertEqual([output.verdict for output in found.outputs], ["EXACT", "EXACT", "FAIL", "EXACT"])

    def test_a_stricter_profile_names_the_instruction(self):
        found = self.check(on_mesh(jnp.tanh, P("x"), P("x")), X, profile="exact", verdicts=["FAIL"])
        self.assertIn(" tanh(", found.first_divergent.text)
