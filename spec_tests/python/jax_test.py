"""`assay.jax`: functions of JAX beside the reference, and on it."""

import functools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import assay.jax
import assay.pjrt
import jax
import jax.numpy as jnp
import numpy as np

X = np.linspace(-2, 2, 64, dtype=np.float32)


def line_of(mark):
    """The line of this file with a mark."""
    lines = pathlib.Path(__file__).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"# {mark}"))


def two_steps(x, weights):
    y = jnp.exp(x) * weights["w"]  # the exponential
    return {"tanh": jnp.tanh(x), "sum": jnp.sum(y)}


class Check(unittest.TestCase):
    def test_the_package_imports_its_modules_on_first_use(self):
        code = "import assay; assert assay.jax.check and assay.pjrt.configure and assay.exact.exp"
        subprocess.run([sys.executable, "-c", code], check=True)

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

    def test_functions_that_are_bound_or_exported(self):
        exported = jax.export.export(jax.jit(lambda x: {"a": jnp.floor(x)}))(X)
        times = jax.jit(lambda n, x: x * n, static_argnums=0)
        for name, f in (("method", Scale().by_weight), ("jitted method", Scale().jitted), ("object", Scale()),
                        ("partial", functools.partial(Scale.by_weight, Scale())), ("exported", exported),
                        ("jitted partial", functools.partial(times, 3))):  # fmt: skip
            with self.subTest(name):
                self.assertEqual(assay.jax.check(f, X).verdict, "EXACT")
        by_both = assay.jax.check(jax.grad(lambda x, i: jnp.sum(x) * i, (0, 1), allow_int=True), X, 3)
        self.assertEqual([output.got.dtype for output in by_both.outputs], [np.float32, np.bool_])

    def test_arguments_that_jax_does_not_take_have_a_remedy(self):
        donated = jnp.ones(3)
        jax.jit(lambda x: x + 1, donate_argnums=0)(donated)
        lowered = jax.jit(jnp.sin).lower(X)
        for remedy, f, arguments in (
            ('argument mode of .* is no array but a str: pass static_argnames="mode"', lambda x, mode: x, [X, "up"]),
            (r"argument tree\['a'\] of .* is deleted", lambda tree: tree["a"], [{"a": donated}]),
            ("argument x of sin is a ShapeDtypeStruct", jnp.sin, [jax.ShapeDtypeStruct((3,), jnp.float32)]),
            ("expected a function, found a jax.stages.Lowered: .*assay.diff", lowered, [X]),
            ("expected a function, found a jax.stages.Compiled", lowered.compile(), [X]),
            ("expected a function of JAX before its arguments, found ndarray", X, [jnp.sin]),
        ):
            with self.subTest(remedy), self.assertRaisesRegex(assay.Error, f"^usage: {remedy}") as raised:
                assay.jax.check(f, *arguments)
            self.assertNotIn("\n", str(raised.exception))
        with self.assertRaisesRegex(assay.Error, "argument x of .* is traced: call this function outside of jax.jit"):
            jax.jit(lambda x: assay.jax.check(jnp.tanh, x).verdict)(X)
        with self.assertRaisesRegex(assay.Error, "assay.jax.check takes functions of JAX"):
            assay.diff(jnp.sin, X)

    def test_modules_of_jax_have_the_places_of_the_function(self):
        def f(tree, unused):
            return {"b": [jnp.floor(tree["x"]), tree["y"] + 1]}

        arguments = {"x": X, "y": np.arange(3, dtype=np.float32)}, np.float32(0)
        lowered, exported = jax.jit(f).lower(*arguments), jax.export.export(jax.jit(f))(*arguments)
        places = ["out['b'][0]", "out['b'][1]"]
        for module in (lowered, exported, lowered.compile()):
            given = arguments if hasattr(module, "compiler_ir") or module is exported else tuple(arguments[0].values())
            with self.subTest(type(module).__name__):
                found = assay.diff(module, *given, backend="mutant:floor_truncates")
                self.assertEqual([output.name for output in found.outputs], places)
                self.assertEqual(found.verdict, "FAIL")
                self.assertEqual(assay.evaluate(module, *given)[1].tolist(), [1, 2, 3])
        results = {"b": [np.floor(X), np.float32([1, 2, 4])]}
        found = assay.jax.check_compiled(lowered, arguments, results)
        self.assertEqual([(output.name, str(output.verdict)) for output in found.outputs],
                         list(zip(places, ("EXACT", "FAIL"))))  # fmt: skip
        with self.assertRaisesRegex(assay.Error, r"argument 1 \(tree\['y'\]\) must be f32\[3\]"):
            assay.evaluate(lowered, X, np.ones(4, np.float32))
        bad = {"x": np.float32([1, np.nan]), "y": X}
        first = assay.jax.first_nan(lambda tree: jnp.sum(tree["x"]) + tree["y"], bad)
        self.assertEqual(first.argument, "tree['x']")
        self.assertIn("nan is held by tree['x']: line", str(first))

    def test_donated_arguments_stay_the_callers(self):
        x = jnp.ones(3)
        self.assertEqual(assay.jax.check(jax.jit(lambda a: a + 1, donate_argnums=0), x).verdict, "EXACT")
        self.assertEqual(x.tolist(), [1, 1, 1])

    def test_another_backend_in_the_place_of_jax(self):
        found = assay.jax.check(lambda x: jnp.floor(x) + 1, X, backend="mutant:floor_truncates")
        self.assertEqual(found.verdict, "FAIL")
        self.assertTrue(found.backend.startswith("mutant:floor_truncates"))

    def test_a_callback_to_python_is_an_error_that_says_what_to_do(self):
        def calls_back(x):
            return jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

        with self.assertRaises(assay.Error) as raised:
            assay.jax.check(calls_back, X)
        self.assertEqual(raised.exception.code, "unsupported")
        self.assertIn("the program calls back to Python", str(raised.exception))
        self.assertIn("JAX_PLATFORMS=assay", str(raised.exception))

    def test_a_function_without_arrays_has_nothing_to_judge(self):
        with self.assertRaisesRegex(assay.Error, "usage: nothing returns no arrays: there is nothing to judge"):
            assay.jax.check(nothing, X)

    def test_jitted_functions_know_their_static_arguments(self):
        def scaled(x, mode, *, n=1, factor=1.0):
            return x * n * factor if mode == "times" else x

        by_number = jax.jit(scaled, static_argnums=1, static_argnames="n")
        by_name = jax.jit(scaled, static_argnames=("mode", "n"))
        donating = jax.jit(scaled, static_argnums=1, donate_argnums=0)
        keywords = jax.jit(lambda **tree: tree["a"] + tree["profile"])
        for name, f, arguments, named in (
            ("by number", by_number, [X, "times"], {}),
            ("by number, with keywords", by_number, [X, "times"], {"n": 3, "factor": 2.0}),
            ("by name", by_name, [X], {"mode": "times", "n": 3}),
            ("by name, given by place", by_name, [X, "times"], {"factor": jnp.float32(2)}),
            ("donating", donating, [jnp.asarray(X), "times"], {}),
            ("kwargs", keywords, [], {"kwargs": {"a": X, "profile": 2.0}}),
            ("not jitted", scaled, [X, "times"], {"static_argnums": 1, "static_argnames": "n", "n": 2}),
        ):
            with self.subTest(name):
                found = assay.jax.check(f, *arguments, **named)
                self.assertEqual(found.verdict, "EXACT")
                on_simd = assay.jax.check(f, *arguments, **named, backend="simd")
                self.assertEqual(on_simd.outputs[0].got.tobytes(), found.outputs[0].got.tobytes())

    def test_outputs_have_their_places_in_the_result(self):
        found = assay.jax.check(lambda x: {"params": {"w": [x + 1, jnp.tanh(x)]}, "n": (x[0],)}, X)
        places = ["out['n'][0]", "out['params']['w'][0]", "out['params']['w'][1]"]
        self.assertEqual([output.name for output in found.outputs], places)
        worst = found.outputs[2].worst
        self.assertEqual(worst.name, f"element [{worst.index[0]}]")
        self.assertIn(f"  out['params']['w'][1]: LEGAL, 64 elements, {found.outputs[2].not_exact} not", str(found))
        self.assertEqual(assay.jax.check(jnp.floor, X).outputs[0].name, "out")

    def test_a_prompt_shows_one_line_and_a_notebook_a_short_page(self):
        def large(x, hostile):
            return {"<b>&\u202e": [jnp.tanh(x * i) for i in range(40)], "long" * 100: hostile + jnp.asarray(constant)}

        constant = np.arange(100_000, dtype=np.float32)
        found = assay.jax.check(large, np.linspace(-1, 1, 1000, dtype=np.float32), np.zeros(100_000, np.float32))
        self.assertTrue(repr(found).startswith("<Comparison LEGAL: approximation; "), repr(found))
        differing = sum(output.not_exact > 0 for output in found.outputs)
        self.assertIn(f"of 140000 elements not exact, in {differing} of 41", repr(found))
        first = found.first_divergent
        for one in (found, *found.outputs, first, first.source, first.worst, found.outputs[1].metrics):
            self.assertLess(len(repr(one)), 200)
            self.assertRegex(repr(one), f"^<{type(one).__name__} .*>$")
        self.assertGreater(len(found.hlo), 100_000)
        page = found._repr_html_()
        for part in ("&lt;b&gt;&amp;\\u202e", "jax_test.py:", ">LEGAL</span>", "<svg ", "<summary>HLO module"):
            self.assertIn(part, page)
        for part in ("<b>&", "\u202e", "<script", "http"):
            self.assertNotIn(part, page)
        self.assertLess(len(page), 50_000)
        self.assertEqual(page.count("<details>"), page.count("</details>"))

    def test_a_failure_becomes_a_script(self):
        for profile, code in (("exact", 1), (None, 0)):
            found = assay.jax.check(jnp.log1p, np.linspace(0, 1, 100, dtype=np.float32), profile=profile)
            with tempfile.TemporaryDirectory() as folder:
                files = assay.repro(found, folder)
                self.assertIn("repro.py", files)
                environment = {**os.environ, "PATH": f"{pathlib.Path(os.environ['ASSAY']).parent}:{os.environ['PATH']}"}
                done = subprocess.run([sys.executable, "repro.py"], cwd=folder, env=environment, capture_output=True,
                                      text=True, check=False)  # fmt: skip
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertIn("LEGAL" if profile is None else "expected", done.stdout)


class Scale:
    weight = 3

    def by_weight(self, x):
        return x * self.weight

    def __call__(self, x):
        return x * 2

    jitted = jax.jit(by_weight, static_argnums=0)


def nothing(x):
    print(x)


class Compare(unittest.TestCase):
    def test_functions_that_mean_the_same(self):
        found = assay.jax.compare(lambda x, unused: x / 3, lambda x, unused: x * np.float32(1 / 3), X, np.float32(1))
        self.assertEqual((found.verdict, found.outputs[0].got.shape), ("LEGAL", (64,)))
        self.assertEqual(assay.jax.compare(jnp.negative, lambda x: 0 - x, X + 1).verdict, "EXACT")

    def test_functions_that_differ(self):
        def f(x):
            return {"a": jnp.sum(x), "b": jnp.floor(x)}

        found = assay.jax.compare(f, lambda x: {"a": jnp.sum(x), "b": jnp.trunc(x)}, X)
        self.assertEqual([output.verdict for output in found.outputs], ["EXACT", "FAIL"])
        self.assertEqual(found.outputs[1].name, "out['b']")


class Options(unittest.TestCase):
    def test_misspelled_options_are_type_errors(self):
        module = "HloModule m\nENTRY e { ROOT c = f32[] constant(0) }"
        lowered = jax.jit(jnp.sin).lower(X)
        for name, call in {
            "check": lambda: assay.jax.check(jnp.tanh, X, tolernace=3),
            "check of a function with any keyword": lambda: assay.jax.check(lambda x, **rest: x, X, tolernace=3),
            "check on a backend": lambda: assay.jax.check(jnp.tanh, X, backend="simd", tolernace=3),
            "check_compiled": lambda: assay.jax.check_compiled(lowered, [X], [X], tolernace=3),
            "exact": lambda: assay.jax.exact(jnp.tanh, tolernace=3),
            "judge": lambda: assay.judge(module, [], [np.float32(0)], tolernace=3),
            "diff": lambda: assay.diff(module, backend="simd", tolernace=3),
            "evaluate": lambda: assay.evaluate(module, tolernace=3),
            "exact.exp": lambda: assay.exact.exp(np.float32(0), tolernace=3),
            "exact.power": lambda: assay.exact.power(np.float32(0), np.float32(0), tolernace=3),
            "check of the corpus": lambda: assay.check("simd", tolernace=3),
            "pjrt.configure": lambda: assay.pjrt.configure(tolernace=3),
        }.items():
            with self.subTest(name), self.assertRaisesRegex(TypeError, "tolernace"):
                call()

    def test_wrong_values_are_errors_before_anything_runs(self):
        def never(x):
            raise AssertionError

        for options in ({"seconds": 0.0}, {"seconds": "1"}, {"memory": "1KB!"}, {"budget": 0}, {"timeout": -1},
                        {"profile": 3}):  # fmt: skip
            with self.subTest(options), self.assertRaises(assay.Error) as raised:
                assay.jax.check(never, X, **options)
            self.assertEqual(raised.exception.code, "usage")


class Exact(unittest.TestCase):
    # cos(1) and sin(1), rounded to f32.
    COS, SIN = np.float32(0.5403023), np.float32(0.84147096)

    def test_evaluates_pytrees(self):
        found = assay.jax.exact(lambda tree: {"c": jnp.cos(tree["x"]),
                                              "s": (jnp.sin(tree["x"]),)})({"x": jnp.float32(1)})
        self.assertEqual((float(found["c"]), float(found["s"][0])), (self.COS, self.SIN))
        self.assertIsInstance(found["c"], jax.Array)

    def test_is_a_callback_in_jit_and_vmap(self):
        cos = assay.jax.exact(jnp.cos)
        self.assertEqual(float(jax.jit(lambda x: cos(x) * 2)(jnp.float32(1))), 2 * self.COS)
        self.assertEqual(jax.vmap(cos)(jnp.ones(3)).tolist(), [self.COS] * 3)

    def test_static_arguments(self):
        self.assertEqual(float(assay.jax.exact(lambda n, x: x**n, static_argnums=0)(3, jnp.float32(2))), 8)
        power = jax.jit(lambda x, n, *, scale=1: x**n * scale, static_argnums=1)
        self.assertEqual(float(assay.jax.exact(power)(jnp.float32(2), 3, scale=5)), 40)
        named = assay.jax.exact(lambda x, *, mode: x + 1 if mode == "up" else x, static_argnames="mode")
        self.assertEqual(float(named(jnp.float32(2), mode="up")), 3)
