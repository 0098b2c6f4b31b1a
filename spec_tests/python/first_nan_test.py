"""`assay.jax.first_nan` names the instruction, the line and the iteration of the NaNs that users of JAX ask about."""

import pathlib
import unittest

import assay.jax
import jax
import jax.numpy as jnp
import numpy as np

from spec_tests.tools.command_line import each

F16, BF16 = "float16", "bfloat16"


def line_of(mark):
    """The line of this file with a mark."""
    lines = pathlib.Path(__file__).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"# {mark}"))


norm = lambda x: jnp.sqrt(jnp.sum(x * x))  # norm
entropy = lambda p: -jnp.sum(p * jnp.log(p))  # entropy
safe_log = lambda x: jnp.sum(jnp.where(x > 0, jnp.log(x), 0.0))  # safe log
softmax = lambda x: jax.nn.softmax(x)  # softmax
increments = lambda x: jnp.cumsum(x)[1:] - jnp.cumsum(x)[:-1]  # increments


def naive_softmax(x):
    e = jnp.exp(x)
    return e / jnp.sum(e)  # naive softmax


standardized = lambda x: (x - jnp.mean(x)) / jnp.std(x)  # standardized
angle = lambda x: jnp.arccos(x)  # angle
root = lambda x: x**0.5  # root
mean = lambda x: jnp.mean(x)  # mean
bearing = lambda v: jnp.arctan2(v[0], v[1])  # bearing


def log_sum_exp(x):
    largest = jnp.max(x)
    return jnp.log(jnp.sum(jnp.exp(x - largest))) + largest  # log sum exp


running_sum = lambda x: jnp.cumsum(x)  # running sum
adam = lambda g: 0.1 * g / jnp.sqrt(0.001 * g * g)  # adam
masked = lambda scores, causal, padding: jax.nn.softmax(scores + (causal + padding))  # masked
unit = lambda x: x / jnp.linalg.norm(x)  # unit
cross_entropy = lambda p, t: -(t * jnp.log(p) + (1 - t) * jnp.log(1 - p))  # cross entropy
naive_sigmoid = lambda x: jnp.exp(x) / (1 + jnp.exp(x))  # naive sigmoid
deviation = lambda x: jnp.sqrt(jnp.mean(x * x) - jnp.mean(x) ** 2)  # deviation
masked_mean = lambda x, mask: jnp.sum(x * mask) / jnp.sum(mask)  # masked mean
logit = lambda p: jnp.log(p / (1 - p))  # logit
spread = lambda x: jnp.std(x)  # spread


def diverging(x):
    def step(i, x):
        return x * x - x  # diverging

    return jax.lax.fori_loop(0, 20, step, x)


def f32(*values):
    return np.float32(values)


def questions():
    """Rows of a function, its arguments, the instruction that makes the NaN, and the mark of its line."""
    grad, inf = jax.grad, np.inf
    return [
        (grad(norm), [f32(0, 0)], "multiply", "norm"),  # 1/0 * 0
        (entropy, [f32(0.5, 0)], "multiply", "entropy"),  # 0 * -inf
        (grad(safe_log), [f32(1, 0)], "divide", "safe log"),  # 0/0 in the branch that is not taken
        (softmax, [f32(-inf, -inf)], "subtract", "softmax"),
        (increments, [np.array([60000, 60000, 1], F16)], "subtract", "increments"),  # inf - inf
        (naive_softmax, [np.array([12, 1], F16)], "divide", "naive softmax"),  # e^12 > 65504
        (standardized, [f32(3, 3, 3)], "divide", "standardized"),
        (root, [f32(4, -4)], "power", "root"),
        (grad(bearing), [f32(0, 0)], "divide", "bearing"),
        (log_sum_exp, [f32(-inf, -inf)], "subtract", "log sum exp"),
        (adam, [np.array([1e-2, 0], F16)], "divide", "adam"),  # 0/0
        (masked, [np.zeros(2, BF16), np.full(2, -3e38, BF16), np.full(2, -3e38, BF16)], "subtract", "masked"),
        (unit, [f32(0, 0)], "divide", "unit"),
        (cross_entropy, [f32(1), f32(1)], "multiply", "cross entropy"),  # 0 * log(0)
        (naive_sigmoid, [f32(100)], "divide", "naive sigmoid"),
        (deviation, [np.full(5, 1000.1, np.float32)], "sqrt", "deviation"),  # of a negative difference
        (masked_mean, [f32(1, 2), f32(0, 0)], "divide", "masked mean"),  # no element is left
        (logit, [f32(0.5, 1.5)], "log", "logit"),
        (grad(spread), [f32(2, 2)], "multiply", "spread"),  # 1/0 * 0
        (diverging, [np.float32(3)], "subtract", "diverging"),
    ]


class FirstNan(unittest.TestCase):
    def test_names_the_instruction_and_the_line(self):
        self.assertGreaterEqual(len(questions()), 20)
        for f, arguments, op, mark in questions():
            with self.subTest(mark):
                arguments = [jnp.asarray(argument) for argument in arguments]
                self.assertTrue(np.isnan(np.asarray(f(*arguments), np.float64)).any())
                found = assay.jax.first_nan(f, *arguments)
                self.assertIn(f" {op}(", found.text)
                self.assertEqual((found.source.file, found.source.line), (__file__, line_of(mark)))
                self.assertIn("nan", found.value)
                self.assertNotIn("nan", "".join(value for _, value in found.operands))

    def test_names_the_iteration_of_a_loop(self):
        x, iteration = np.float32(3), 0
        with np.errstate(all="ignore"):
            while not np.isnan(x := x * x - x):
                iteration += 1
        found = assay.jax.first_nan(diverging, np.float32(3))
        self.assertEqual(found.iteration, iteration)
        self.assertEqual(found.executions, 1)  # later ones pass it on
        self.assertIn(f"iteration {iteration}", str(found))

    @each((
        (jax.grad(angle), [np.float32(1)], "inf", "rsqrt", "angle"),
        (running_sum, [np.full(4, 30000, F16)], "overflow", "reduce-window", "running sum"),
        (naive_softmax, [np.array([12, 1], F16)], "overflow", "exponential", None),
        (lambda x: x * np.float32(1e-30), [f32(1e-10)], "subnormal", "multiply", None),
        (deviation, [f32(1000, 1000.5)], "cancellation>2^20", "subtract", "deviation"),
    ))
    def test_other_events(self, f, arguments, event, op, mark):
        found = assay.jax.first_nan(f, *map(jnp.asarray, arguments), event=event)
        self.assertIn(f" {op}(", found.text)
        if mark:
            self.assertEqual(found.source.line, line_of(mark))

    def test_an_argument_that_holds_a_nan_comes_first(self):
        found = assay.jax.first_nan(naive_sigmoid, f32(1, np.nan, 100))
        self.assertIn(" parameter(0)", found.text)
        self.assertEqual((found.element, found.elements, found.index), ("element [1]", 1, None))

    def test_finds_nothing_where_there_is_none(self):
        self.assertIsNone(assay.jax.first_nan(naive_softmax, f32(1, 2)))
        self.assertIsNone(assay.jax.first_nan(jax.jit(lambda n: n + 1), 3))

    def test_a_result_that_jax_knows_to_be_nan_is_its_constant(self):
        self.assertIn(" constant(nan)", assay.jax.first_nan(mean, np.zeros(0, np.float32)).text)

    def test_takes_the_arguments_of_check(self):
        power = jax.jit(lambda x, n: jnp.log(x) ** n, static_argnums=1)
        self.assertIn(" log(", assay.jax.first_nan(power, f32(-1), 2).text)
        with self.assertRaisesRegex(assay.Error, "expected nan, inf, subnormal"):
            assay.jax.first_nan(jnp.log, f32(-1), event="negative")
