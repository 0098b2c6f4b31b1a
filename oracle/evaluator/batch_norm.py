"""Batch normalization and its gradient."""

from fractions import Fraction

import mpmath
import numpy as np

from oracle.evaluator.exact_numbers import ZERO, array_of, mp, numbers, over_root
from oracle.evaluator.not_derived import NotDerived


def epsilon_of(instruction):
    """The attribute, which is a float."""
    return Fraction(float(np.float32(float(instruction.text("epsilon", "0")))))


def by_feature(instruction, array):
    """For each feature, its elements in order."""
    axis = instruction.ints("feature_index")[0]
    values = np.moveaxis(numbers(array), axis, 0)
    return values.reshape(values.shape[0], -1)


def elements(instruction, kind, rows, shape):
    """The inverse of by_feature, rounded."""
    axis = instruction.ints("feature_index")[0]
    moved = [shape[axis], *shape[:axis], *shape[axis + 1 :]]
    whole = np.empty(int(np.prod(shape)), object)
    whole[:] = [v for row in rows for v in row]
    return array_of(kind, np.moveaxis(whole.reshape(moved), 0, axis).reshape(-1), shape)


def normalized(x, scale, offset, mean, variance, epsilon):
    """scale (x - mean) / sqrt(variance + epsilon) + offset."""
    quotients = [over_root(scale * (v - mean), variance + epsilon) for v in x]
    return [q + offset if isinstance(q, Fraction) else lifted(q, offset) for q in quotients]


def lifted(quotient, offset):
    """The sum of an irrational number and a Fraction: at most their first 400 bits cancel."""
    total = quotient + mp(offset)
    if abs(total) < abs(quotient) * mpmath.mpf(2) ** -400:
        raise NotDerived("an offset that nearly cancels")
    return total


def batch_norm_training(instruction, x, scale, offset):
    """The normalized operand, the mean and the variance of each feature."""
    epsilon, features, results = epsilon_of(instruction), by_feature(instruction, x), []
    means = [sum(row, ZERO) / len(row) for row in features]
    variances = [sum(((v - mean) ** 2 for v in row), ZERO) / len(row) for row, mean in zip(features, means)]
    for i, row in enumerate(features):
        results.append(normalized(row, numbers(scale)[i], numbers(offset)[i], means[i], variances[i], epsilon))
    return [elements(instruction, x.type, results, x.values.shape), array_of(x.type, means, scale.values.shape),
            array_of(x.type, variances, scale.values.shape)]


def batch_norm_inference(instruction, x, scale, offset, mean, variance):
    """The operand, normalized by a given mean and variance."""
    epsilon, parameters = epsilon_of(instruction), [numbers(a) for a in (scale, offset, mean, variance)]
    rows = [normalized(row, *[p[i] for p in parameters], epsilon) for i, row in
            enumerate(by_feature(instruction, x))]
    return elements(instruction, x.type, rows, x.values.shape)


def batch_norm_grad(instruction, x, scale, mean, variance, gradient):
    """The gradients of the operand, the scale and the offset."""
    epsilon, to_x, to_scale, to_offset = epsilon_of(instruction), [], [], []
    for i, (row, dy) in enumerate(zip(by_feature(instruction, x), by_feature(instruction, gradient))):
        spread = numbers(variance)[i] + epsilon
        away = [v - numbers(mean)[i] for v in row]
        together = sum((g * a for g, a in zip(dy, away)), ZERO)
        c, d = together / spread / len(row), sum(dy, ZERO) / len(row)
        to_x.append([over_root(numbers(scale)[i] * (g - d - c * a), spread) for g, a in zip(dy, away)])
        to_scale.append(over_root(together, spread))
        to_offset.append(sum(dy, ZERO))
    shape = scale.values.shape
    return [elements(instruction, x.type, to_x, x.values.shape), array_of(x.type, to_scale, shape),
            array_of(x.type, to_offset, shape)]


OPS = {
    "batch-norm-training": batch_norm_training, "batch-norm-inference": batch_norm_inference,
    "batch-norm-grad": batch_norm_grad,
}  # fmt: skip
