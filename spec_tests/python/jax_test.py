"""`assay.jax`: functions of JAX beside the reference, and on it."""

import importlib.util
import pathlib
import unittest

import numpy as np

HAS_JAX = importlib.util.find_spec("jax") is not None
if HAS_JAX:
    import assay.jax
    import jax
    import jax.numpy as jnp

X = np.linspace(-2, 2, 64, dtype=np.float32)


def line_of(mark):
    """The line of this file with a mark."""
    lines = pathlib.Path(__file__).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"# {mark}"))


def two_steps(x, weights):
    y = jnp.exp(x) * weights["w"]  # the exponential
    return {"tanh": jnp.tanh(x), "sum": jnp.sum(y)}


@unittest.skipUnless(HAS_JAX, "needs jax")
class Check(unittest.TestCase):
    def test_names_the_instruction_and_the_line_of_a_lawful_difference(self):
        found = assay.jax.check(two_steps, jnp.asarray(X), {"w": 2.0})
        self.assertEqual((found.verdict, found.name, found.profile), ("LEGAL", "two_steps", "xla-cpu"))
        self.assertEqual([output.got.shape for output in found.outputs], [(), (64,)])
        first = found.first_divergent
        self.assertIn(" exponential(", first.text)
        self.assertEqual((first.source.file, first.source.line), (__file__, line_of("the exponential")))
        self.assertIn(f"{__file__}:{first.source.line}", str(found))

    def test_a_wrong_result_fails(self):
        x = jnp.asarray(X)
        lowered = jax.jit(two_steps).lower(x, {"w": 2.0})
        right = lowered.compile()(x, {"w": 2.0})
        wrong = np.array(right["tanh"])
        wrong[5] *= 1.001
        found = assay.jax.check_compiled(lowered, [x, np.float32(2)], [right["sum"], wrong])
        self.assertEqual([output.verdict.is_failure for output in found.outputs], [False, True])
        self.assertEqual(found.outputs[1].worst.index, (5,))

    def test_a_stricter_profile_fails_and_is_traced_to_the_instruction(self):
        found = assay.jax.check(jnp.tanh, X, profile="exact")
        self.assertEqual((found.verdict, found.profile), ("FAIL", "exact"))
        self.assertIn(" tanh(", found.first_divergent.text)
        self.assertIn(" tanh(", found.region.instructions[0])

    def test_every_kind_of_function(self):
        constant = np.arange(300, dtype=np.float32)
        hoisted = jnp.asarray(constant)
        power = jax.jit(lambda x, n: x**n, static_argnums=1)
        for name, f, arguments, options in (
            ("jitted", jax.jit(jnp.sin), [X], {}),
            ("vmap of grad", jax.vmap(jax.grad(lambda v: jnp.sum(jnp.sin(v) ** 2))), [np.ones((3, 4), np.float32)], {}),
            ("constants", lambda u: u * constant + hoisted, [np.float32(3)], {}),
            ("static arguments", power, [X, 3], {"static_argnums": 1}),
            ("static arguments from the end", lambda x, n: x**n, [X, 2], {"static_argnums": -1}),
            ("unused arguments", lambda u, unused: u + 1, [X, np.ones(4)], {}),
            ("random keys", lambda key: jax.random.uniform(key, (10,)), [jax.random.key(0)], {}),
            ("narrow types", lambda a: a @ a, [jnp.ones((4, 4), jnp.bfloat16)], {}),
            ("QR", jnp.linalg.qr, [np.eye(3, dtype=np.float32) + 1], {}),
            ("eigenvectors", jnp.linalg.eigh, [np.eye(3, dtype=np.float32) + 1], {}),
            ("singular values", jnp.linalg.svd, [np.ones((3, 2), np.float32)], {}),
            ("loops", lambda x: jax.lax.fori_loop(0, 4, lambda i, y: y * 0.5 + i, x), [X], {}),
            ("no arguments", lambda: jnp.arange(5), [], {}),
            ("many results", lambda x: [x + i for i in range(12)], [X], {}),
            ("many arguments", lambda *xs: sum(xs), [X] * 12, {}),
            ("64 bits for 32", lambda x, i: (jnp.floor(x), i + 1), [np.linspace(-1, 1, 9), np.arange(3)], {}),
        ):
            with self.subTest(name):
                self.assertIn(assay.jax.check(f, *arguments, **options).verdict, ("EXACT", "LEGAL"))

    def test_donated_arguments_stay_the_callers(self):
        x = jnp.ones(3)
        self.assertEqual(assay.jax.check(jax.jit(lambda a: a + 1, donate_argnums=0), x).verdict, "EXACT")
        self.assertEqual(x.tolist(), [1, 1, 1])

    def test_another_backend_in_the_place_of_jax(self):
        found = assay.jax.check(lambda x: jnp.floor(x) + 1, X, backend="mutant:floor_truncates")
        self.assertEqual(found.verdict, "FAIL")
        self.assertTrue(found.backend.startswith("mutant:floor_truncates"))

    def test_what_the_reference_does_not_evaluate_is_an_error(self):
        def calls_back(x):
            return jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

        with self.assertRaises(assay.Error) as raised:
            assay.jax.check(calls_back, X)
        self.assertEqual(raised.exception.code, "unsupported")


@unittest.skipUnless(HAS_JAX, "needs jax")
class Exact(unittest.TestCase):
    # cos(1) and sin(1), rounded to f32.
    COS, SIN = np.float32(0.5403023), np.float32(0.84147096)

    def test_evaluates_pytrees(self):
        found = assay.jax.exact(lambda tree: {"c": jnp.cos(tree["x"]), "s": (jnp.sin(tree["x"]),)})(
            {"x": jnp.float32(1)}
        )
        self.assertEqual((float(found["c"]), float(found["s"][0])), (self.COS, self.SIN))
        self.assertIsInstance(found["c"], jax.Array)

    def test_is_a_callback_in_jit_and_vmap(self):
        cos = assay.jax.exact(jnp.cos)
        self.assertEqual(float(jax.jit(lambda x: cos(x) * 2)(jnp.float32(1))), 2 * self.COS)
        self.assertEqual(jax.vmap(cos)(jnp.ones(3)).tolist(), [self.COS] * 3)

    def test_static_arguments(self):
        self.assertEqual(float(assay.jax.exact(lambda n, x: x**n, static_argnums=0)(3, jnp.float32(2))), 8)


if __name__ == "__main__":
    unittest.main()
