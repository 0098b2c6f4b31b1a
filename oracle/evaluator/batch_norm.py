"""Batch normalization and its gradient."""

from fractions import Fraction

import numpy as np

from oracle.evaluator.exact_numbers import array_of, precisely
from oracle.evaluator.extended_numbers import PLUS_ZERO, Extended, extended, total


def epsilon_of(instruction):
    """The attribute, which is a float."""
    return Extended(Fraction(float(np.float32(float(instruction.text("epsilon", "0"))))))


def by_feature(instruction, array):
    """For each feature, its elements in order."""
    axis = instruction.ints("feature_index")[0]
    values = np.moveaxis(extended(array), axis, 0)
    return values.reshape(values.shape[0], -1)


def elements(instruction, kind, rows, shape):
    """The inverse of by_feature, rounded."""
    axis = instruction.ints("feature_index")[0]
    moved = [shape[axis], *shape[:axis], *shape[axis + 1 :]]
    whole = np.empty(int(np.prod(shape)), object)
    whole[:] = [v.value for row in rows for v in row]
    return array_of(kind, np.moveaxis(whole.reshape(moved), 0, axis).reshape(-1), shape)


def per_feature(kind, values):
    """An array of one number a feature, rounded."""
    return array_of(kind, [v.value for v in values], (len(values),))


def normalized(x, scale, offset, mean, variance, epsilon):
    """scale (x - mean) / sqrt(variance + epsilon) + offset; a sum of zeros is +0."""
    factor = (variance + epsilon).root().inverse()
    return [scale * (v - mean) * factor + offset + PLUS_ZERO for v in x]


@precisely
def batch_norm_training(instruction, x, scale, offset):
    """The normalized operand, the mean and the variance of each feature."""
    epsilon, features, results = epsilon_of(instruction), by_feature(instruction, x), []
    counts = [Extended(Fraction(len(row))) for row in features]
    means = [(total(row) + PLUS_ZERO) / n for row, n in zip(features, counts)]
    away = [[v - mean for v in row] for row, mean in zip(features, means)]
    variances = [total(a * a for a in row) / n for row, n in zip(away, counts)]
    for i, row in enumerate(features):
        parameters = extended(scale)[i], extended(offset)[i], means[i], variances[i]
        results.append(normalized(row, *parameters, epsilon))
    return [elements(instruction, x.type, results, x.values.shape), per_feature(x.type, means),
            per_feature(x.type, variances)]


@precisely
def batch_norm_inference(instruction, x, scale, offset, mean, variance):
    """The operand, normalized by a given mean and variance."""
    epsilon, parameters = epsilon_of(instruction), [extended(a) for a in (scale, offset, mean, variance)]
    rows = [normalized(row, *[p[i] for p in parameters], epsilon) for i, row in
            enumerate(by_feature(instruction, x))]
    return elements(instruction, x.type, rows, x.values.shape)


@precisely
def batch_norm_grad(instruction, x, scale, mean, variance, gradient):
    """The gradients of the operand, the scale and the offset."""
    epsilon, to_x, to_scale, to_offset = epsilon_of(instruction), [], [], []
    for i, (row, dy) in enumerate(zip(by_feature(instruction, x), by_feature(instruction, gradient))):
        spread, count = extended(variance)[i] + epsilon, Extended(Fraction(len(row)))
        away = [v - extended(mean)[i] for v in row]
        moment = total(g * a for g, a in zip(dy, away)) + PLUS_ZERO
        sum_ = total(dy) + PLUS_ZERO
        c, d = moment / spread / count, sum_ / count
        factor = spread.root().inverse()
        to_x.append([extended(scale)[i] * (g - d - c * a) * factor for g, a in zip(dy, away)])
        to_scale.append(moment * factor)
        to_offset.append(sum_)
    return [elements(instruction, x.type, to_x, x.values.shape), per_feature(x.type, to_scale),
            per_feature(x.type, to_offset)]


OPS = {
    "batch-norm-training": batch_norm_training, "batch-norm-inference": batch_norm_inference,
    "batch-norm-grad": batch_norm_grad,
}  # fmt: skip
